import assert from 'node:assert/strict'
import test from 'node:test'
import { figuresOf } from '#adopt/printed/figures.ts'
import { linesOf } from '#adopt/printed/lines.ts'
import { readPage } from '#formats/pdf/page.ts'
import { golden } from '#test/support/golden.ts'
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

golden('adopt/printed/figures', ({ content }: { content: string }) => shown(content))
