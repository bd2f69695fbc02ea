import assert from 'node:assert/strict'
import test from 'node:test'
import type { Color } from '#brand/color.ts'
import { isStyleId, type StyleId } from '#brand/ids.ts'
import { brandLetters } from '#brand/styles/letters.ts'

function styleId(text: string): StyleId {
  assert.ok(isStyleId(text))
  return text
}

function color(id: string, hex: string, ...on: string[]): Color {
  return { id: styleId(id), name: id, rgb: '', hex, ...(on.length > 0 && { on: on.map(styleId) }) }
}

const THEME = { text: styleId('ink'), ground: styleId('paper') }
const [INK, PAPER, RED] = [color('ink', '#14212b'), color('paper', '#faf7f2'), color('red', '#b3001b')]

const CASES: [what: string, colors: readonly Color[], ground: Color, letters: string | undefined][] = [
  ['the first colour of its own list', [INK, PAPER, color('pink', '#ffd0d8')], color('x', '#b3001b', 'pink'), 'pink'],
  ['the first colour that names it', [INK, PAPER, RED, color('pink', '#ffd0d8', 'red')], RED, 'pink'],
  ['no illegible colour that names it', [INK, PAPER, RED, color('rose', '#e0405a', 'red')], RED, 'paper'],
  ['the light colour of the theme, if it is legible', [INK, PAPER, color('white', '#ffffff')], RED, 'paper'],
  ['the dark colour of the theme on a light ground', [INK, PAPER], color('x', '#ffd500'), 'ink'],
  ['no colour, if none of the brand is legible', [color('grey', '#777777')], color('x', '#808080'), undefined],
]

for (const [what, colors, ground, letters] of CASES)
  test(`letters on a colour are ${what}`, () => {
    assert.equal(brandLetters(colors, THEME)(ground)?.id, letters)
  })

test('without a theme, letters are the lightest or the darkest colour of the brand', () => {
  const lettersOn = brandLetters([RED, PAPER, color('sand', '#e0d0b0'), INK], undefined)
  assert.deepEqual([lettersOn(RED)?.id, lettersOn(PAPER)?.id], ['paper', 'ink'])
})
