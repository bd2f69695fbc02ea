import assert from 'node:assert/strict'
import test from 'node:test'
import { fontName, nameOfWeight, weightOfName } from '#formats/font/font-weight.ts'

const names: [name: string, weight: number | undefined][] = [
  ['Thin', 100],
  ['Hairline', 100],
  ['Extra Light', 200],
  ['ultra-light', 200],
  ['Light', 300],
  ['DemiLight', 350],
  ['Regular', 400],
  ['normal', 400],
  ['Book', 400],
  ['MEDIUM', 500],
  ['SemiBold', 600],
  ['semi-bold', 600],
  ['Semi Bold', 600],
  ['semi_bold', 600],
  ['Demi Bold', 600],
  ['Demi', 600],
  ['bold', 700],
  ['Extra Bold', 800],
  ['Black', 900],
  ['Heavy', 900],
  ['Ultra Black', 950],
  ['Boldish', undefined],
  ['', undefined],
  ['toString', undefined],
]
for (const [name, weight] of names)
  test(`the name ${JSON.stringify(name)} means ${weight === undefined ? 'no weight' : `the weight ${weight}`}`, () =>
    assert.equal(weightOfName(name), weight))

test('multiples of 100 up to 900 have names that map back to them, and other weights have none', () => {
  const names = Array.from({ length: 11 }, (_, at) => nameOfWeight(100 * at))
  const seen = [names[0], names[10], nameOfWeight(450), nameOfWeight(1000)]
  assert.deepEqual(seen, [undefined, undefined, undefined, undefined])
  const found = names.slice(1, 10).map(name => weightOfName(name ?? ''))
  assert.deepEqual(found, [100, 200, 300, 400, 500, 600, 700, 800, 900])
})

for (const [subFamily, isVariable, name] of [
  ['ExtraLight Italic', false, 'Acme ExtraLight Italic'],
  ['ExtraLight Italic', true, 'Acme Italic'],
  ['Semi Bold', true, 'Acme'],
  ['Condensed Black Italic', true, 'Acme Condensed Italic'],
  [undefined, false, 'Acme'],
] as const)
  test(`a ${isVariable ? 'variable' : 'static'} font with the subfamily ${subFamily} is called ${name}`, () =>
    assert.equal(fontName({ family: 'Acme', ...(subFamily && { subFamily }) }, isVariable), name))

test('a font without a family has no name', () => assert.equal(fontName({ subFamily: 'Bold' }, false), undefined))
