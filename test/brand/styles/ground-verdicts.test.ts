import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId } from '#brand/ids.ts'
import { judgedGrounds } from '#brand/styles/ground-verdicts.ts'

const COLORS = Object.entries({ Ink: '#14212b', Sun: '#ffd500', Paper: '#ffffff' }).map(([name, hex]) => {
  const id = name.toLowerCase()
  assert.ok(isStyleId(id))
  return { id, name, hex, rgb: '' }
})

const CASES: Readonly<
  Record<string, readonly [paints: string[] | undefined, own: string | undefined, grounds: string[]]>
> = {
  'the ground of its author first, then legible ones by contrast': [
    ['#14212b'],
    'sun',
    ['Sun own 11', 'Paper legible 16', '#000000 illegible 1', 'Ink illegible 1'],
  ],
  'the lowest contrast of several colours': [
    ['#14212b', '#ffffff'],
    undefined,
    ['Sun illegible 1', '#000000 illegible 1', 'Ink illegible 1', 'Paper illegible 1'],
  ],
  'no contrast for its own ground': [
    [],
    undefined,
    ['Ink', 'Sun', 'Paper', '#000000'].map(name => `${name} filled Infinity`),
  ],
  'no contrast if its colours are not known': [
    undefined,
    'ink',
    ['Ink own Infinity', ...['Sun', 'Paper', '#000000'].map(name => `${name} unknown Infinity`)],
  ],
}

for (const [what, [paints, own, expected]] of Object.entries(CASES))
  test(`artwork is judged on all colours, white and black: ${what}`, () =>
    assert.deepEqual(
      judgedGrounds(COLORS, paints, own).map(({ name, verdict, ratio }) => `${name} ${verdict} ${Math.floor(ratio)}`),
      expected,
    ))
