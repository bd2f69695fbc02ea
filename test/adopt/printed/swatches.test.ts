import { linesOf } from '#adopt/printed/lines.ts'
import { swatchesOf } from '#adopt/printed/swatches.ts'
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
