import assert from 'node:assert/strict'
import test from 'node:test'
import { figuresOf } from '#adopt/printed/figures.ts'
import { linesOf } from '#adopt/printed/lines.ts'
import { readPage } from '#formats/pdf/page.ts'
import { pdfOf } from '#test/support/pdf.ts'

type Shown = { boxes: number[][]; labels: string[]; texts: string[]; hidden: number }

/** The figures on a page with a content stream, as left, top, right and bottom, and the texts outside them. */
async function shown(...content: readonly string[]): Promise<Shown> {
  const page = readPage(await pdfOf(content.join('\n')), 1)
  const { figures, rest, hidden } = figuresOf(page, linesOf(page).lines, [], 10)
  const boxes = figures.map(({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round))
  return { boxes, labels: figures.map(({ labels }) => labels), texts: rest.map(({ text }) => text), hidden }
}

function text(left: number, bottom: number, words: string): string {
  return `0 g BT /F 10 Tf ${left} ${bottom} Td (${words}) Tj ET`
}

const WORDS = text(400, 20, 'Our sign')

function triangle(left: number, bottom: number, width: number, height: number): string {
  return `1 0 0 rg ${left} ${bottom} m ${left + width / 2} ${bottom + height} l ${left + width} ${bottom} l f`
}

test('a text in a box stays text; of the box, only what is no box is shown', async () => {
  const card = '0.9 g 50 200 200 150 re f'
  assert.deepEqual(
    await shown(card, triangle(60, 280, 40, 40), text(60, 250, 'Keep it upright.'), text(60, 230, 'Always.')),
    {
      boxes: [[56, 76, 104, 124]],
      labels: [''],
      texts: ['Keep it upright.', 'Always.'],
      hidden: 0,
    },
  )
})

test('parts below each other are one drawing, unless a text is between them', async () => {
  const sign = triangle(100, 250, 60, 60)
  assert.deepEqual((await shown(sign, triangle(100, 200, 60, 40), WORDS)).boxes, [[96, 86, 164, 204]])
  const apart = await shown(sign, text(100, 238, 'Sign'), triangle(100, 190, 60, 40))
  assert.deepEqual([apart.boxes.length, apart.texts], [2, ['Sign']])
})

test('measures beside a drawing belong to it', async () => {
  const { boxes, labels } = await shown(triangle(100, 200, 60, 60), text(162, 220, '200%'), text(300, 220, '1x'))
  assert.deepEqual([boxes.length, labels], [1, ['200%']])
})

test('a drawing is a guess, and a picture is none', async () => {
  const picture = 'q 60 0 0 60 400 200 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q'
  const page = readPage(await pdfOf([triangle(100, 200, 60, 60), picture, WORDS].join('\n')), 1)
  const { figures } = figuresOf(page, linesOf(page).lines, [], 10)
  assert.deepEqual(
    figures.map(({ left, isDrawing }) => [Math.round(left), isDrawing]),
    [
      [96, true],
      [400, false],
    ],
  )
})

test('a very low drawing is counted, not shown', async () => {
  assert.deepEqual(
    [
      (await shown(triangle(100, 200, 80, 10), WORDS)).boxes.length,
      (await shown(triangle(100, 200, 80, 8), WORDS)).hidden,
    ],
    [1, 1],
  )
})

test('a drawing behind text does not take the drawings on it', async () => {
  const ground = triangle(0, 20, 600, 360)
  const { boxes, texts } = await shown(ground, triangle(100, 250, 60, 60), text(250, 150, 'Keep it upright.'))
  assert.deepEqual([boxes, texts], [[[96, 86, 164, 154]], ['Keep it upright.']])
})

test('a page with a dark ground, a drawing and few words is one picture, and its words are text', async () => {
  const cover = '0 0 0.5 rg 0 0 600 400 re f'
  const { boxes, texts } = await shown(cover, triangle(100, 200, 60, 60), text(100, 100, 'Brand guidelines'))
  assert.deepEqual([boxes, texts], [[[0, 0, 600, 400]], ['Brand guidelines']])
})

test('a page without text is one picture', async () => {
  const { boxes, hidden } = await shown(triangle(100, 250, 60, 60), triangle(300, 100, 60, 8))
  assert.deepEqual([boxes, hidden], [[[0, 0, 600, 400]], 0])
})
