import assert from 'node:assert/strict'
import test from 'node:test'
import { inkKey, inkName, inkParts, printedInks } from '#brand/styles/ink.ts'
import { pantonesIn } from '#brand/styles/pantone.ts'
import { golden } from '#test/support/golden.ts'

const SAME: Readonly<Record<string, string>> = {
  '285C':
    '285 C|285C|PANTONE 285 C|Pantone® 285 C|PANTONE™ 285 c|PMS 285 C| 285  C |285 CV|285 CVC|285CVC|Pantone 285 cvc',
  'P1-11C': 'P 1-11 C|P1-11C|PANTONE P 1-11 C|p 1 – 11 c',
}

test('an ink has one key in each form that it is written, also as programs wrote it for screens', () => {
  for (const [key, written] of Object.entries(SAME))
    for (const reference of written.split('|')) assert.equal(inkKey(reference), key, reference)
})

const DIFFERENT =
  'P 1-11 C|P 11-1 C·19-4052 TCX|194-052 TCX·10 C|100 C·10 C|1 0 C·Mix +1|Mix -1·+1|-1·Mix -1|Mix 1·1+1|1-1·' +
  '285 C|285 U·285 CVC|285 CVU·285 C|285·285 M|285 C·Zinc|Zin·★|☆'

test('similar references are two inks', () => {
  for (const pair of DIFFERENT.split('·')) assert.equal(new Set(pair.split('|').map(inkKey)).size, 2, pair)
})

const parts: [reference: string, name: string, book: string][] = [
  ['PMS Warm Red', 'WARMRED', ''],
  ['PANTONE Warm Red C', 'WARMRED', 'C'],
  ['PMS7742C', '7742', 'C'],
  ['PANTONE 7742 Coated', '7742', 'C'],
  ['PANTONE7742 Uncoated', '7742', 'U'],
  ['Warm Red CVU', 'WARMRED', 'U'],
  ['P 1-11 U', 'P1-11', 'U'],
  ['C', 'C', ''],
  ['Reflex Blu', 'REFLEXBLU', ''],
  ['19-4052 TCX', '19-4052TCX', ''],
  ['★', '★', ''],
]
for (const [reference, name, book] of parts)
  test(`the parts of ${reference} are ${name} and the book "${book}"`, () =>
    assert.deepEqual(inkParts(reference), { name, book }))

test('the printed inks of a colour are its Pantone, other and RAL references, each with its name in files', () => {
  const inks = printedInks({ pms: '285 C', pms2: 'PMS 285 U', ral: 5015, inks: { HKS: '13 K' } })
  const names = inks.map(({ name }) => name)
  assert.deepEqual(names, ['PANTONE 285 C', 'PANTONE 285 U', 'RAL 5015', 'HKS 13 K'])
})

golden('brand/pantone', ({ text }: { text: string }) => pantonesIn(text).map(({ name, kind }) => `${kind}: ${name}`))

test('the spot colour of an ink is called PANTONE and its usual name', () =>
  assert.deepEqual(['pms 5395C', 'Pantoneblau'].map(inkName), ['PANTONE 5395 C', 'PANTONE Pantoneblau']))
