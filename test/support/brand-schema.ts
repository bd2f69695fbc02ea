import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'

/** Fails unless a value is valid as `brand.json` by the official schema. */
export function validBrand(file: unknown): void {
  assert.ok(validate(file), JSON.stringify(validate.errors))
}

const validate = officialSchema()

function officialSchema() {
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  for (const path of globSync('test/fixtures/adcp-3.1.19/**/*.json'))
    ajv.addSchema(JSON.parse(readFileSync(path, 'utf8')))
  const found = ajv.getSchema('/schemas/3.1.19/brand.json')
  assert.ok(found)
  return found
}
