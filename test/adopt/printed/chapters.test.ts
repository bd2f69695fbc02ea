import assert from 'node:assert/strict'
import test from 'node:test'
import { chaptersOf, isHeading } from '#adopt/printed/chapters.ts'
import { contentsOf } from '#adopt/printed/contents.ts'
import { blocksOf, isBold, weighLines } from '#adopt/printed/layout.ts'
import { type Line, linesOf } from '#adopt/printed/lines.ts'
import { type Part, partsHtml, withCaptions, withoutBreaks } from '#adopt/printed/page-html.ts'
import { withoutRunning } from '#adopt/printed/running.ts'
import { type Letter, readPage } from '#formats/pdf/page.ts'
import { golden } from '#test/support/golden.ts'
import { pdfOf } from '#test/support/pdf.ts'

const BODY = 10

/** Text from a left edge on a baseline; letters are half as wide as high. */
function line(text: string, left: number, base: number, size = BODY): Line {
  const style = { font: 'Helvetica', weight: 400, size, color: '#000000' }
  return {
    ...style,
    text,
    left,
    right: left + (text.length * size) / 2,
    top: base - size,
    bottom: base + size / 4,
    base,
  }
}

function textsOf(...lines: readonly Line[]): Part[] {
  return blocksOf(lines).map(block => ({ ...block, kind: 'text' as const, isHeading: isHeading(block, BODY) }))
}

function picture(left: number, top: number, right: number, bottom: number, address: string): Part {
  const box = { left, top, right, bottom }
  return {
    ...box,
    kind: 'figure',
    address,
    figure: { ...box, labels: '', jpeg: undefined, scale: 2, isDrawing: false },
  }
}

type Shown = { text: string; left: number; base: number; size?: number; font?: string }
type Picture = Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>> & { address: string }

/** The parts of a page: pictures, and lines of text. */
function partsOf(parts: readonly (Picture | { lines: readonly Shown[] })[]): Part[] {
  return parts.flatMap(part => {
    if (!('lines' in part)) return [picture(part.left, part.top, part.right, part.bottom, part.address)]
    return textsOf(
      ...part.lines.map(({ text, left, base, size, ...rest }) => ({ ...line(text, left, base, size), ...rest })),
    )
  })
}

golden('adopt/printed/chapters', ({ pages }: { pages: Parameters<typeof partsOf>[0][] }) => {
  const reads = pages.map((parts, at) => ({ number: at + 1, parts: withCaptions(partsOf(parts)) }))
  const contents = contentsOf(reads, [])
  const facts = { outline: [], contents, title: '', body: BODY, isRightToLeft: false }
  const chapters = chaptersOf(reads, facts).map(({ title, pages: own }) => ({
    title,
    pages: own.map(({ number }) => number).join(' '),
    html: partsHtml(withoutBreaks(own.flatMap(({ parts }) => parts)), [20, 18]),
  }))
  return { chapters, ...(contents.length > 0 && { unplaced: contents.flatMap(({ others }) => others) }) }
})

test('a large sentence is text, and a large line without one is a heading', () => {
  const [sentence] = blocksOf([line('A mark in its section, and the breath that makes it alive.', 50, 100, 14)])
  const [heading] = blocksOf([line('Our mark', 50, 100, 14)])
  const seen = [sentence, heading].map(block => block && isHeading(block, BODY))
  assert.deepEqual(seen, [false, true])
})

test('text is bold against most of the text: by the name of its font, or by its weight if most text has a usual one', () => {
  const boldOf = (...styles: readonly [font: string, weight: number][]) => {
    const lines = styles.map(([font, weight], at) => ({ ...line('x'.repeat(9 - at), 50, 100), font, weight }))
    weighLines(lines)
    return lines.filter(isBold).map(({ font }) => font)
  }
  assert.deepEqual(boldOf(['Noto-Regular', 625], ['Noto-Bold', 828], ['Serif', 1816]), ['Noto-Bold'])
  assert.deepEqual(boldOf(['Gotham-Light', 240], ['Gotham-Medium', 620], ['Menlo-Regular', 640]), ['Gotham-Medium'])
  assert.deepEqual(boldOf(['Helvetica-Bold', 0], ['Helvetica', 0]), [])
})

test('a space counts between numbers and single letters, not in a word whose letters stand apart', async () => {
  const texts = ['0 5 95 0', 'A B C D', 'B R A N D']
  const shown = texts.map((text, at) => `1 0 0 1 50 ${300 - 40 * at} Tm (${text}) Tj`)
  const { lines } = linesOf(readPage(await pdfOf(`BT /F 20 Tf ${shown.join(' ')} ET`), 1))
  const seen = lines.map(({ text }) => text)
  assert.deepEqual(seen, ['0 5 95 0', 'A B C D', 'BRAND'])
})

test('a small line alone at one place of most pages is a running head, also if its words differ', () => {
  const pages = ['01 · THE BRAND', '02 · THE MARK', '03 · COLOUR', '04 · VOICE'].map((head, at) => ({
    width: 600,
    height: 800,
    shapes: [],
    lines: [line(head, 50, 40, 8), line(`Title ${'of it '.repeat(at)}`, 50, 80, 30), line(`Text ${at}`, 50, 120)],
  }))
  const { pages: kept, removed } = withoutRunning(pages)
  assert.deepEqual(removed, ['01 · THE BRAND', '02 · THE MARK', '03 · COLOUR', '04 · VOICE'])
  const seen = kept.map(({ lines }) => lines.length)
  assert.deepEqual(seen, [2, 2, 2, 2])
})

test('text that is turned upright is read, and slanted text is returned separately', async () => {
  const content = 'BT /F 20 Tf 0 1 -1 0 100 100 Tm (COLOURS) Tj 0.7 0.7 -0.7 0.7 300 100 Tm (slanted) Tj ET'
  const { lines, turned } = linesOf(readPage(await pdfOf(content), 1))
  const seen = lines.map(({ text, size }) => [text, size])
  assert.deepEqual(seen, [['COLOURS', 20]])
  assert.equal(turned, 'slanted')
})

test('the letters of a ligature, and words in the other direction of writing, belong to one line', () => {
  const letter = (text: string, left: number, right: number): Letter => ({
    ...line(text, left, 100),
    text,
    right,
    angle: 0,
  })
  const page = (letters: Letter[]) => ({ number: 1, width: 600, height: 400, letters, shapes: [] })
  const ligature = [letter('T', 50, 62), letter('h', 50, 62), letter('e', 62, 67)]
  const mixed = [
    letter('ל', 95, 100),
    letter('ו', 90, 95),
    letter('O', 70, 78),
    letter('S', 78, 86),
    letter('ג', 62, 67),
  ]
  // PDFium lists the words of a phrase from its last one on.
  const phrase = [
    letter('ל', 95, 100),
    letter(' ', 92, 95),
    letter('7', 84, 88),
    letter('C', 88, 92),
    letter(' ', 81, 84),
    letter('P', 71, 76),
    letter('M', 76, 81),
  ]
  const seen = [ligature, mixed, phrase].map(letters => linesOf(page(letters)).lines.map(({ text }) => text))
  assert.deepEqual(seen, [['The'], ['לו OS ג'], ['ל PM 7C']])
})
