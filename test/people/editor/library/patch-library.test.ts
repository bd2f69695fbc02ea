import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { CHANGES, patchLibrary } from '#people/editor/library/patch-library.ts'

const library = readFileSync(
  new URL('../../../../node_modules/@sveltia/cms/dist/sveltia-cms.js', import.meta.url),
  'utf8',
)

test('every change to the library replaces exactly one string of the installed version', () => {
  const patched = patchLibrary(library)
  for (const [name, [from, to]] of Object.entries(CHANGES)) {
    assert.equal(library.split(from).length, 2, name)
    assert.ok(patched.includes(to), name)
  }
})

test('a library without the text of a change is an error that names the change', () => {
  const texts = Object.values(CHANGES).map(([from]) => from)
  assert.ok(patchLibrary(texts.join('\n')))
  for (const [name, [from]] of Object.entries(CHANGES)) {
    const others = texts.filter(text => text !== from)
    assert.throws(() => patchLibrary(others.join('\n')), {
      message: `cannot ${name}: the library does not contain ${JSON.stringify(from)}; update this change`,
    })
  }
})

test('the patched library loads fonts only from its folder', () => {
  const patched = patchLibrary(library)
  const addresses = Array.from(patched.matchAll(/src:url\(([^)]*)\)/g), ([, address]) => address)
  assert.deepEqual(addresses, [
    'fonts/text-extended.woff2',
    'fonts/text.woff2',
    'fonts/code.woff2',
    'fonts/icons.woff2',
  ])
})
