import assert from 'node:assert/strict'
import test from 'node:test'
import { EDITED_FILES } from '#brand/edit-link.ts'
import { keysOf } from '#brand/fields.ts'
import { type Field, fieldsOfFile } from '#people/editor/fields.ts'
import { wordsFor } from '#site/words/words.ts'

const KINDS = ['page', ...keysOf(EDITED_FILES)] as const
const english = KINDS.flatMap(kind => inside(kind, fieldsOfFile(kind, wordsFor())))

test('only the keys that check requires are required', () => {
  assert.deepEqual(
    english
      .filter(({ field }) => field.isRequired)
      .map(({ path }) => path)
      .sort(),
    `
    colors/items/name files/folders/path files/items/path project/footer/name project/footer/url
    project/words/not project/words/write types/items/name
  `
      .trim()
      .split(/\s+/),
  )
})

test('a page begins with its title, and a colour with its name and value', () => {
  const names = (kind: (typeof KINDS)[number]) => fieldsOfFile(kind, wordsFor()).map(({ name }) => name)
  assert.deepEqual(names('page'), 'title description order nav cover ground wide aliases id'.split(' '))
  const [colors] = fieldsOfFile('colors', wordsFor())
  assert.deepEqual(
    colors?.fields?.slice(0, 2).map(({ label, kind }) => [label, kind]),
    [
      ['Name', 'line'],
      ['Hex', 'color'],
    ],
  )
})

test('each field has a label in the language of the page, except rules, which have their ids', () => {
  const labels = new Map(english.map(({ path, field }) => [path, `${field.label}`]))
  for (const [path, label] of [
    ['colors/items/cmyk', 'CMYK'],
    ['colors/items/pms', 'Pantone'],
    ['project/theme/logoDark', 'Logo dark'],
    ['files/items/variantOf', 'Variant of'],
    ['project/lang', 'Language'],
  ] as const)
    assert.equal(labels.get(path), label, path)
  for (const { path, field } of english) if (!path.includes('/rules/')) assert.match(`${field.label}`, /^[A-Z]/, path)
  const german = fieldsOfFile('colors', wordsFor('de'))[0]?.fields?.map(({ label }) => `${label}`)
  assert.deepEqual(german?.slice(0, 4), ['Name', 'Hex', 'RGB', 'CMYK'])
  assert.equal(german?.includes('Verwendung'), true)
})

/** All fields with their places: `colors/items/name`. */
function inside(path: string, fields: readonly Field[] = []): { path: string; field: Field }[] {
  return fields.flatMap(field => [
    { path: `${path}/${field.name}`, field },
    ...inside(`${path}/${field.name}`, field.fields),
  ])
}
