import assert from 'node:assert/strict'
import test from 'node:test'
import { runInNewContext } from 'node:vm'
import { bundleFormats } from '#people/editor/library/make-parts.ts'

const { script, packages } = await bundleFormats()

test('the script of the formats runs without modules and registers a format of the configuration', () => {
  const names: string[] = []
  const cms = { registerCustomFormat: (name: string, extension: string) => names.push(`${name} ${extension}`) }
  const config = { collections: [{ format: 'page', fields: [{ name: 'title', label: 'Title', widget: 'string' }] }] }
  runInNewContext(`${script}; housestyleFormats.registerFormats(cms, config)`, { cms, config })
  assert.deepEqual(names, ['page md'])
})

test('the script of the formats contains only packages with a license in the editor', () => {
  assert.deepEqual(packages, ['diff', 'yaml'])
})
