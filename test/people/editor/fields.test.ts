import assert from 'node:assert/strict'
import test from 'node:test'
import { EDITED_FILES } from '#brand/edit-link.ts'
import { keysOf } from '#brand/fields.ts'
import { editedFields } from '#people/editor/fields.ts'
import type { EditorField } from '#people/editor/formats/field.ts'

const KINDS = ['page', ...keysOf(EDITED_FILES)] as const

test('only the keys that check requires are required', () => {
  const required = KINDS.flatMap(kind => inside(kind, editedFields(kind))).filter(
    ({ field }) => field.required === true,
  )
  assert.deepEqual(
    required.map(({ path }) => path).sort(),
    `
    colors/items/name files/folders/path files/items/path project/footer/name project/footer/url
    project/words/not project/words/write types/items/name
  `
      .trim()
      .split(/\s+/),
  )
})

test('the text of a page follows its title, and a colour begins with its name and value', () => {
  assert.deepEqual(
    editedFields('page').map(({ name }) => name),
    ['title', 'body', 'description', 'order', 'nav', 'cover', 'ground', 'wide', 'aliases', 'id'],
  )
  const [colors] = editedFields('colors')
  assert.deepEqual(
    colors?.fields?.slice(0, 2).map(({ label, widget }) => [label, widget]),
    [
      ['Name', 'string'],
      ['Hex', 'color'],
    ],
  )
})

test('each field has a readable label', () => {
  const labels = new Map(
    KINDS.flatMap(kind => inside(kind, editedFields(kind))).map(({ path, field }) => [path, field.label]),
  )
  for (const [path, label] of [
    ['colors/items/cmyk', 'CMYK'],
    ['colors/items/pms', 'Pantone'],
    ['project/theme/logoDark', 'Logo dark'],
    ['files/items/variantOf', 'Variant of'],
    ['project/lang', 'Language'],
  ] as const)
    assert.equal(labels.get(path), label, path)
})

/** All fields with their places: `colors/items/name`. */
function inside(path: string, fields: readonly EditorField[] = []): { path: string; field: EditorField }[] {
  return fields.flatMap(field => [
    { path: `${path}/${field.name}`, field },
    ...inside(`${path}/${field.name}`, field.fields),
  ])
}
