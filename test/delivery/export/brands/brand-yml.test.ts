import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { isObject } from '#platform/base/object.ts'
import { exported, onlyText } from '../../../support/exported.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { forAnyBrand } from '../hostile-brand.ts'

const temporary = await temporaryStore()
const isValid = officialSchema()

test('_brand.yml of any brand is valid YAML 1.1 and 1.2, with all colours', async () => {
  await forAnyBrand(20, async brand => {
    const made = await exported(temporary, 'brand-yml', brand)
    const file = read(onlyText(made))
    assert.equal(Object.keys(file.color?.palette ?? {}).length, made.colors.length)
    for (const key of Object.keys(file.color?.palette ?? {})) assert.match(key, /^[a-z][a-z0-9-]*$/)
  })
})

/** The values of a valid `_brand.yml`, which are the same in both versions of YAML. */
function read(text: string) {
  const file = parse(text)
  assert.deepEqual(parse(text, { version: '1.1' }), file)
  const isOk: boolean = isValid(file)
  assert.ok(isOk, JSON.stringify(isValid.errors))
  return file
}

/** The official schema writes objects in a form that JSON Schema does not know, and lacks a definition. */
function officialSchema() {
  const schema = JSON.parse(readFileSync('test/fixtures/brand-yml/brand.schema.json', 'utf8'), (_, value) =>
    isObject(value) && isObject(value.object) ? objectSchema(value.object) : value,
  )
  schema.$defs.LineHeightNumberString = { type: ['number', 'string'] }
  return new Ajv({ strict: false, allErrors: true }).compile({ ...schema, $schema: undefined })
}

/** Only the palette and the images have names of the author; the metadata may have more fields. */
function objectSchema({ properties }: Record<string, unknown>) {
  const names = isObject(properties) ? Object.keys(properties) : []
  return { type: 'object', properties, additionalProperties: names.length === 0 || names.includes('link') }
}
