import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from '#brand/contract/schema.ts'
import { fieldsOf } from '#brand/contract/schema.ts'
import { SCHEMAS } from '#brand/contract/schemas.ts'
import { assertValid } from '../../support/openapi-validator.ts'

for (const [name, schema] of Object.entries(SCHEMAS)) {
  test(`the example of ${name} is valid, and becomes invalid without any required field`, () => {
    const example = exampleOf(schema)
    assertValid(name, example)
    assert.ok(typeof example === 'object' && example !== null)
    const expected = fieldsOf(schema, SCHEMAS).flatMap(field => (/[.]/.test(field.name) ? [] : field.name))
    assert.deepEqual(Object.keys(example), expected)
    for (const field of schema.required ?? []) {
      assert.throws(() => assertValid(name, { ...example, [field]: undefined }), assert.AssertionError, field)
    }
    assert.throws(() => assertValid(name, { ...example, further: 1 }), assert.AssertionError)
  })
}

const COLOR = { id: 'ink', name: 'Ink', rgb: '20,33,43', hex: '#14212b' }
const TYPE = { id: 'body', name: 'Body', casing: 'none', responsive: false, features: {} }
const FILE = { filename: 'a.bin', size: 0, contentType: 'application/octet-stream', url: 'https://a.example/a.bin' }
const PROJECT = {
  workspace: 'acme',
  project: 'guidelines',
  name: 'Brand guidelines',
  status: 'Changed',
  createdAt: '2026-03-02T09:30:00.000Z',
  updatedAt: '2026-03-02T09:30:00.000Z',
  url: 'https://a.example/acme/guidelines',
  publishedAt: '2026-03-02T09:30:00.000Z',
}

const RIGHT: readonly [what: string, schema: string, value: unknown][] = [
  ['a project with unpublished changes', 'Project', PROJECT],
  ['a colour without print values', 'Color', COLOR],
  ['a colour with print values', 'Color', { ...COLOR, cmyk: '85,65.5,50,70', pms: '5395 C', ral: 5004 }],
  ['a type style without measures', 'TypeStyle', TYPE],
  ['a type style with features', 'TypeStyle', { ...TYPE, tracking: -0.02, features: { tnum: 1, ss01: 0 } }],
  ['a file that is neither font nor picture', 'File', FILE],
  ['a picture without known metadata', 'File', { ...FILE, contentType: 'image/svg+xml', metadata: {} }],
  ['a picture that could not be read', 'File', { ...FILE, contentType: 'image/png' }],
  ['a picture with its size', 'File', { ...FILE, contentType: 'image/png', metadata: { width: 2, height: 1 } }],
  ['a font with its names', 'File', { ...FILE, contentType: 'font/ttf', metadata: { family: 'Inter', weight: 700 } }],
]

const WRONG: readonly [why: string, schema: string, value: unknown][] = [
  ['rgb has two numbers', 'Color', { ...COLOR, rgb: '1,2' }],
  ['cmyk has three numbers', 'Color', { ...COLOR, cmyk: '1,2,3' }],
  ['hex is in upper case', 'Color', { ...COLOR, hex: '#14212B' }],
  ['hex lacks its #', 'Color', { ...COLOR, hex: '14212b' }],
  ['ral is a string', 'Color', { ...COLOR, ral: '5004' }],
  ['pms is null', 'Color', { ...COLOR, pms: null }],
  ['casing is not known', 'TypeStyle', { ...TYPE, casing: 'title' }],
  ['a feature is a boolean', 'TypeStyle', { ...TYPE, features: { tnum: true } }],
  ['a feature’s tag has three letters', 'TypeStyle', { ...TYPE, features: { tnu: 1 } }],
  ['the url is relative', 'File', { ...FILE, url: '/a.bin' }],
  ['a font has the metadata of a picture', 'File', { ...FILE, contentType: 'font/ttf', metadata: { width: 1 } }],
  ['a picture has the metadata of a font', 'File', { ...FILE, contentType: 'image/png', metadata: { family: 'A' } }],
  ['a file that is neither has metadata', 'File', { ...FILE, metadata: {} }],
  ['status is not known', 'Project', { ...PROJECT, status: 'Published' }],
  ['a date has no time', 'Project', { ...PROJECT, createdAt: '2026-11-12' }],
]

for (const [what, schema, value] of RIGHT) test(`${what} is a valid ${schema}`, () => assertValid(schema, value))

for (const [why, schema, value] of WRONG) {
  test(`a ${schema} is not valid if ${why}`, () =>
    assert.throws(() => assertValid(schema, value), assert.AssertionError))
}

/** Makes a value of a schema from the examples of its parts. A string without an example is empty. */
function exampleOf(schema: Schema): unknown {
  const { $ref, examples, properties, items, anyOf, enum: values, format } = schema
  const referenced = Object.entries(SCHEMAS).find(([name]) => $ref?.endsWith(`/${name}`))?.[1]
  if (referenced) return exampleOf(referenced)
  if (examples) return examples[0]
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, exampleOf(part)]))
  if (items) return [exampleOf(items)]
  if (anyOf?.[0]) return exampleOf(anyOf[0])
  return values?.[0] ?? (format === 'uri' ? 'https://brand.example.com/' : '')
}
