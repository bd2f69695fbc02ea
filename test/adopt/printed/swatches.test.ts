import { linesOf } from '#adopt/printed/lines.ts'
import { swatchesOf } from '#adopt/printed/swatches.ts'
import { readPage } from '#formats/pdf/page.ts'
import { golden } from '#test/support/golden.ts'
import { pdfOf } from '#test/support/pdf.ts'

/** The colours on a page with a content stream: fills that are guessed, values, and lines without a column. */
async function colors(...content: readonly string[]): Promise<[fill: unknown, values: object, ...others: string[]][]> {
  const page = readPage(await pdfOf(content.join('\n')), 1)
  const { swatches } = swatchesOf(page, linesOf(page).lines)
  return swatches.map(({ fill, values, others }) => [fill, Object.fromEntries(values), ...others])
}

golden('adopt/printed/swatches', ({ content }: { content: string }) => colors(content))
