import assert from 'node:assert/strict'
import test from 'node:test'
import { sheetsOf } from '#adopt/printed/sheets.ts'
import type { Letter, Shape } from '#formats/pdf/page.ts'

function board(left: number, top: number, right: number, bottom: number): Shape {
  return { kind: 'path', fill: '#eeeeee', isPlain: true, left, top, right, bottom }
}

function letter(text: string, left: number, base: number): Letter {
  const style = { font: 'Helvetica', weight: 400, size: 20, color: '#000000', angle: 0 }
  return { ...style, text, left, right: left + 10, top: base - 20, bottom: base + 5, base }
}

const SHAPES = [board(0, 0, 600, 400), board(0, 800, 300, 1200), board(300, 800, 600, 1200)]
const LETTERS = [letter('A', 40, 100), letter('B', 40, 500), letter('C', 40, 900), letter('D', 340, 900)]

test('a long frame has the sheets on it and the space between them, each from its own corner', () => {
  const sheets = sheetsOf({ number: 7, width: 600, height: 1250, letters: LETTERS, shapes: SHAPES })
  assert.deepEqual(
    sheets.map(({ number, left, top, width, height }) => [number, left, top, width, height]),
    [
      [7, 0, 0, 600, 400],
      [7, 0, 400, 600, 400],
      [7, 0, 800, 300, 400],
      [7, 300, 800, 300, 400],
    ],
  )
  assert.deepEqual(
    sheets.map(({ letters, shapes }) => [letters.map(({ text, left, base }) => [text, left, base]), shapes.length]),
    [
      [[['A', 40, 100]], 1],
      [[['B', 40, 100]], 0],
      [[['C', 40, 100]], 1],
      [[['D', 40, 100]], 1],
    ],
  )
})

test('a page in usual proportions, and a long one without sheets, is one sheet', () => {
  for (const [height, shapes] of [
    [1000, SHAPES],
    [1250, SHAPES.slice(0, 1)],
  ] as const)
    assert.equal(sheetsOf({ number: 1, width: 600, height, letters: LETTERS, shapes: [...shapes] }).length, 1)
})
