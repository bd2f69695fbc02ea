import assert from 'node:assert/strict'
import test from 'node:test'
import { linesOf } from '#adopt/printed/lines.ts'
import { swatchesOf } from '#adopt/printed/swatches.ts'
import { readPage } from '#formats/pdf/page.ts'
import { pdfOf } from '#test/support/pdf.ts'

/** The colours on a page with a content stream: their fills that are guessed, and their values. */
async function colors(...content: readonly string[]): Promise<[fill: string | undefined, values: object][]> {
  const page = readPage(await pdfOf(content.join('\n')), 1)
  const { swatches } = swatchesOf(page, linesOf(page).lines)
  return swatches.map(({ fill, values }) => [fill, Object.fromEntries(values)])
}

function text(left: number, bottom: number, size: number, ...lines: readonly string[]): string {
  return lines
    .map((line, at) => `0 g BT /F ${size} Tf ${left} ${bottom - at * 1.3 * size} Td (${line}) Tj ET`)
    .join('\n')
}

test('boxes in a row that hold nothing are colours, named by the text before them and a number', async () => {
  const boxes = ['1 0 0 rg 150 200 60 60 re f', '0 1 0 rg 250 200 60 60 re f', '0 0 1 rg 150 100 60 60 re f']
  assert.deepEqual(
    await colors(text(40, 350, 30, 'Colors'), text(40, 225, 12, 'SYSTEM'), text(40, 125, 12, 'TEXT'), ...boxes),
    [
      ['#ff0000', { Name: 'SYSTEM 1' }],
      ['#00ff00', { Name: 'SYSTEM 2' }],
      ['#0000ff', { Name: 'TEXT' }],
    ],
  )
})

test('boxes that hold a drawing or a text are no colours', async () => {
  const boxes = [
    '1 0 0 rg 150 200 60 60 re f',
    '0 1 0 rg 250 200 60 60 re f',
    '1 1 1 rg 170 210 m 180 240 l 190 210 l f',
  ]
  assert.deepEqual(await colors(...boxes, text(255, 225, 12, 'Send')), [])
})

test('values without a name are one colour, named by the heading; those that have no column are its usage', async () => {
  const values = ['R200 G16 B46', 'HEX: C8102E', 'C2 M100 Y85 K6', 'H350 S92 B78', '', 'Pantone Coated: 186 C']
  assert.deepEqual(await colors(text(40, 350, 30, 'Red'), text(40, 250, 11, ...values)), [
    [
      undefined,
      {
        RGB: '200, 16, 46',
        Hex: '#C8102E',
        CMYK: '2, 100, 85, 6',
        HSB: '350, 92, 78',
        Pantone: '186 C',
        Usage: 'HSB 350, 92, 78',
        Name: 'Red',
      },
    ],
  ])
})

test('a colour on a card is named by its largest text, also in the band above the values', async () => {
  const card = (left: number) =>
    `0.9 g ${left} 200 200 100 re f 1 g ${left + 1} 201 198 98 re f 0 0.5 0 rg ${left + 1} 250 198 49 re f`
  const words = (left: number, name: string, hex: string) =>
    [text(left + 10, 265, 13, name), text(left + 10, 235, 8, 'PRIMARY', `HEX #${hex}`)].join('\n')
  assert.deepEqual(await colors(card(40), card(300), words(40, 'Forest', '3D6B4F'), words(300, 'Earth', '6B5B3E')), [
    [undefined, { Hex: '#3D6B4F', Usage: 'PRIMARY', Name: 'Forest' }],
    [undefined, { Hex: '#6B5B3E', Usage: 'PRIMARY', Name: 'Earth' }],
  ])
})

test('the widest gap between values divides their texts: before it is the usage of one, behind it the name of the next', async () => {
  const first = text(40, 300, 10, 'Ink', '#14212b', 'for text')
  assert.deepEqual(await colors(first, text(40, 254, 10, 'Vermilion', '#cc3304')), [
    [undefined, { Hex: '#14212b', Usage: 'for text', Name: 'Ink' }],
    [undefined, { Hex: '#cc3304', Name: 'Vermilion' }],
  ])
})

test('a row of a table gives a value its name and usage, and the heading above the rows stays a text', async () => {
  const row = (bottom: number, ...cells: readonly string[]) =>
    cells.map((cell, at) => text(40 + 110 * at, bottom, 10, cell)).join('\n')
  assert.deepEqual(
    await colors(text(40, 325, 14, 'Warm tones'), row(300, '#14212b', 'Ink', 'Text'), row(270, '#cc3304', 'Vermilion')),
    [
      [undefined, { Hex: '#14212b', Usage: 'Text', Name: 'Ink' }],
      [undefined, { Hex: '#cc3304', Name: 'Vermilion' }],
    ],
  )
})

test('the heads of columns say what the cells below are, also where cells touch', async () => {
  const row = (bottom: number, ...cells: readonly string[]) =>
    cells.map((cell, at) => text(40 + 70 * at, bottom, 10, cell)).join('\n')
  const head = row(325, 'Name', 'Pantone', 'CMYK', 'RGB', 'HEX')
  const first = row(300, 'Moss', '7735 C', '80, 20, 100, 5', '27, 94, 32', '1B5E20')
  const second = row(270, 'Rust', '7579 C', '0/80/95/5', '230/74/25', '#E64A19')
  assert.deepEqual(await colors(head, first, second), [
    [undefined, { Pantone: '7735 C', CMYK: '80, 20, 100, 5', RGB: '27, 94, 32', Hex: '#1B5E20', Name: 'Moss' }],
    [undefined, { Pantone: '7579 C', CMYK: '0/80/95/5', RGB: '230/74/25', Hex: '#E64A19', Name: 'Rust' }],
  ])
})

test('values beside each other have the name above them', async () => {
  const color = (bottom: number, name: string, rgb: string, hex: string) =>
    [text(40, bottom, 14, name), text(40, bottom - 20, 10, `RGB ${rgb}`), text(160, bottom - 20, 10, hex)].join('\n')
  assert.deepEqual(
    await colors(color(300, 'Moss', '27 94 32', '#1B5E20'), color(220, 'Rust', '230 74 25', '#E64A19')),
    [
      [undefined, { RGB: '27 94 32', Hex: '#1B5E20', Name: 'Moss' }],
      [undefined, { RGB: '230 74 25', Hex: '#E64A19', Name: 'Rust' }],
    ],
  )
})

test('a colour has the value beside a label, however far, and both inks of Pantone', async () => {
  const labels = text(40, 270, 10, 'RGB', 'PANTONE 364 U', 'PMS 364 C')
  assert.deepEqual(await colors(text(40, 300, 14, 'Leaf'), labels, text(200, 270, 10, '59 125 35')), [
    [undefined, { RGB: '59 125 35', 'Pantone uncoated': '364 U', Pantone: '364 C', Name: 'Leaf' }],
  ])
})

test('a text below or beside colours, or one that the page has twice, is not their name; a sentence is a usage', async () => {
  const boxes = ['1 0 0 rg 150 200 60 60 re f', '0 0 1 rg 150 100 60 60 re f']
  const feet = [text(300, 120, 10, 'GUIDELINES'), text(150, 50, 10, 'Applications')]
  const heads = [text(150, 350, 10, 'Twice'), text(150, 320, 10, 'Twice')]
  assert.deepEqual(await colors(...boxes, ...feet, ...heads), [
    ['#ff0000', { Name: 'Color ff0000' }],
    ['#0000ff', { Name: 'Color 0000ff' }],
  ])
  const card = ['#14212b', 'Mostly used for headings and texts, so use', 'it instead of black']
  assert.deepEqual(await colors('0.08 0.13 0.17 rg 40 250 60 60 re f', text(110, 290, 10, ...card)), [
    [
      undefined,
      { Hex: '#14212b', Usage: 'Mostly used for headings and texts, so use it instead of black', Name: 'Color 14212b' },
    ],
  ])
})
