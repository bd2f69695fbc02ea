import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import test from 'node:test'
import { CODE, MODULE_EXTENSION, PACKAGE } from '#platform/base/own-files.ts'

test('the program knows where its code, its tables and its interface are', () => {
  for (const place of [
    new URL(`main${MODULE_EXTENSION}`, CODE),
    ...['package.json', 'migrations/', 'schemas/', 'openapi.json'].map(path => new URL(path, PACKAGE)),
  ])
    assert.ok(existsSync(place), `${place} is missing`)
})
