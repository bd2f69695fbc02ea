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
