import assert from 'node:assert/strict'
import test from 'node:test'
import { stylesOf } from '#test/support/converted.ts'
import { golden } from '#test/support/golden.ts'
import { convertedFiles, namesAndHexes } from '../../../support/converted.ts'

const color = (tokens: Readonly<Record<string, string>>) => ({
  color: { $type: 'color', ...Object.fromEntries(Object.entries(tokens).map(([key, $value]) => [key, { $value }])) },
})

test('a set that refers to itself, and a resolver document with wrong values, do not fail', () => {
  const deep = color({ deep: '#000' })
  const twice = (name: string) => [{ $ref: `#/sets/${name}` }, { $ref: `#/sets/${name}` }]
  const sets = Array.from({ length: 40 }, (_, at) => [`s${at}`, { sources: [deep, ...twice(`s${at + 1}`)] }])
  const fan = { version: '2025.10', sets: Object.fromEntries(sets), resolutionOrder: twice('s0') }
  for (const resolver of [
    {
      version: '2025.10',
      sets: { a: { sources: [{ $ref: '#/sets/a' }, deep] } },
      resolutionOrder: [{ $ref: '#/sets/a' }],
    },
    fan,
    { version: '2025.10', sets: 1, modifiers: null, resolutionOrder: [1, null, { $ref: 7 }, { sources: [deep, 3] }] },
  ])
    assert.deepEqual(namesAndHexes(convertedFiles([['a.json', resolver]])), ['deep #000000'])
})

golden('adopt/conversion/tokens/resolver', stylesOf)
