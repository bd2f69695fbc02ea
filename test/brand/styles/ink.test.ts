import assert from 'node:assert/strict'
import test from 'node:test'
import { inkKey, inkName } from '#brand/styles/ink.ts'

for (const reference of ['285 C', '285C', 'PANTONE 285 C', 'Pantone® 285 C', 'PANTONE™ 285 c', 'PMS 285 C', ' 285  C '])
  test(`${JSON.stringify(reference)} is the ink 285C`, () => assert.equal(inkKey(reference), '285C'))

for (const reference of ['P 1-11 C', 'P1-11C', 'PANTONE P 1-11 C', 'p 1 – 11 c'])
  test(`${JSON.stringify(reference)} is the ink P1-11C`, () => assert.equal(inkKey(reference), 'P1-11C'))

test('inks whose digits are separated differently are different inks', () => {
  for (const [one, other] of [
    ['P 1-11 C', 'P 11-1 C'],
    ['19-4052 TCX', '194-052 TCX'],
  ] as const)
    assert.notEqual(inkKey(one), inkKey(other))
})

const names: [reference: string, name: string][] = [
  ['5395 C', 'PANTONE 5395 C'],
  ['PANTONE 5395 C', 'PANTONE 5395 C'],
  ['Pantone® 5395 C', 'PANTONE 5395 C'],
  ['pms 5395 C', 'PANTONE 5395 C'],
  ['Pantoneblau', 'PANTONE Pantoneblau'],
  ['Reflex Blue U', 'PANTONE Reflex Blue U'],
]
for (const [reference, name] of names)
  test(`the ink ${reference} is called ${name}`, () => assert.equal(inkName(reference), name))

test('inks without a letter or digit differ as written', () => assert.notEqual(inkKey('★'), inkKey('☆')))
