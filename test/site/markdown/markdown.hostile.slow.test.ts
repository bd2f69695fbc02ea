import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc, forAllIn } from '../../support/random.ts'
import { attacks, XSS_VECTORS } from '../../website/xss-vectors.ts'
import { assertHarmless } from './harmless.ts'
import { renderedText } from './rendered.ts'

/** Known attacks on pages, each as an author would write it, in addition to the attacks that a browser opens. */
const VECTORS: Readonly<Record<string, readonly string[]>> = { 'in a browser': XSS_VECTORS, ...attacks('pages') }

test('the tests cover more than 450 known attacks', () => {
  assert.ok(Object.values(VECTORS).flat().length > 450)
})

for (const [kind, vectors] of Object.entries(VECTORS)) {
  test(`no known attack succeeds: ${kind}`, () => {
    for (const vector of vectors) {
      for (const text of [vector, `a ${vector}`, `# ${vector}`, `<div>\n${vector}`, `| ${vector} |\n| - |\n`]) {
        assertHarmless(renderedText(text), text)
      }
    }
  })
}

test('for any page, a browser finds only content on the safe list', async () => {
  const names =
    'div p a b table tr td svg math style script title template select img form h2 li mglyph mtext noscript xmp ' +
    'textarea desc video source caption figure details pre input iframe foreignObject plaintext'
  const tags = fc.constantFrom(...names.split(' '))
  const attributes =
    '¦ href="javascript:x"¦ src=//e.example¦ onclick=x¦ id=x¦ style=x¦ title="</p><script>"¦' +
    ' title=\'--><img src=x onerror=x>\'¦ name=x class=x¦ href="/a"¦ src="/a"¦ align=center'
  const marks =
    '\n¦\n\n¦ ¦- ¦> ¦# ¦**¦`¦```\n¦[a](¦)¦![¦]¦[^1]¦\n[^1]: ¦| a |\n¦| - |\n¦<!--¦-->¦<![CDATA[¦]]>¦&lt;¦' +
    'javascript:¦https://e.example¦"¦<¦- [ ] '
  const start = fc
    .tuple(tags, fc.constantFrom(...attributes.split('¦')))
    .map(([tag, attribute]) => `<${tag}${attribute}>`)
  const piece = fc.oneof(
    start,
    tags.map(tag => `</${tag}>`),
    fc.constantFrom(...marks.split('¦')),
    fc.string({ maxLength: 4 }),
  )
  await forAllIn(500, [fc.array(piece, { maxLength: 25 })], pieces => {
    const text = pieces.join('')
    assertHarmless(renderedText(text), text)
  })
})
