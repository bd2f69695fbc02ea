import assert from 'node:assert/strict'
import test from 'node:test'
import { linesOf } from '#adopt/printed/lines.ts'
import { type Swatch, swatchesOf, withoutUnnamed } from '#adopt/printed/swatches.ts'
import { readPage } from '#formats/pdf/page.ts'
import { golden } from '#test/support/golden.ts'
import { pdfOf } from '#test/support/pdf.ts'

/** The colours on a page with a content stream: fills that are guessed, values, and lines without a column. */
async function colors(...content: readonly string[]): Promise<unknown[]> {
  const page = readPage(await pdfOf(content.join('\n')), 1)
  const { tables, swatches } = swatchesOf(page, linesOf(page).lines)
  const inTables = tables.map(({ rows }) => rows.map(row => row.map(({ text }) => text).join(' | ')))
  return [...inTables, ...swatches.map(({ fill, values, others }) => [fill, Object.fromEntries(values), ...others])]
}

golden('adopt/printed/swatches', ({ content }: { content: string }) => colors(content))

test('boxes that share a label are colours only in a document that states no values', () => {
  const box = { left: 0, right: 9, top: 0, bottom: 9, others: [] }
  const stated = (name: string): Swatch => ({ ...box, fill: undefined, values: new Map([['Name', name]]) })
  const unnamed: Swatch = { ...box, fill: '#123456', values: new Map([['Name', 'Shapes 1']]), isUnnamed: true }
  const kept = (...swatches: Swatch[]) => withoutUnnamed([{ tables: [], swatches, rest: [] }])[0]?.swatches.length
  assert.deepEqual([kept(stated('Red'), unnamed), kept(stated('Red'), stated('Blue'), unnamed)], [2, 2])
})
