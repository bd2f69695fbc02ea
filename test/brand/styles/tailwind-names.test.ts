import assert from 'node:assert/strict'
import test from 'node:test'
import { latinName } from '#brand/styles/tailwind-names.ts'

const names: [id: string, name: string][] = [
  ['heading-1', 'heading-1'],
  ['100', '100'],
  ['sønderjylland', 'soenderjylland'],
  ['łodz', 'lodz'],
  ['红-rot', 'u7ea2-rot'],
  ['𐐨', 'u10428'],
  ['٣', 'u663'],
]
for (const [id, name] of names) test(`the id ${id} is ${name} in ASCII`, () => assert.equal(latinName(id), name))
