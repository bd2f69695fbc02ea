import { hash } from 'node:crypto'
import { fstatSync, readSync } from 'node:fs'
import process from 'node:process'
import { openPdf, outlineOf, type Pdfium, readingProblem, titleOf } from '#formats/pdf/document.ts'
import { drawPage, readPage, storedPicture } from '#formats/pdf/page.ts'
import { encodePng, program } from '#formats/picture/decode.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { countWords, escapeHtml, fieldText, spacedName } from '#platform/base/text.ts'
import { boxAround, longSide, moved } from './boxes.ts'
import { bodySize, type Chapter, chaptersOf, isHeading } from './chapters.ts'
import { contentsOf } from './contents.ts'
import { type Figure, figuresOf } from './figures.ts'
import { blocksOf, isSame, weighLines } from './layout.ts'
import { heaviest, isRightToLeft, type Line, linesOf } from './lines.ts'
import {
  altOf,
  headingsIn,
  type Part,
  type Picture,
  partsHtml,
  type Read,
  withCaptions,
  withoutBreaks,
} from './page-html.ts'
import { withoutRunning } from './running.ts'
import { type Sheet, sheetsOf } from './sheets.ts'
import { type Colors, palettesOf, swatchesOf, withoutUnnamed } from './swatches.ts'

/** A chapter as HTML, and the numbers of its pages; one with `depth` 1 is below the last one with 0. */
export type PdfChapter = { title: string; depth: number; pages: number[]; html: string; cover?: string | undefined }
export type PdfPicture = { name: string; bytes: Uint8Array }
/** What became of a document: its chapters, and what is to report on its pages. */
export type PdfAnswer = {
  chapters: PdfChapter[]
  textPages: number
  /** The pages that are tables of contents. */
  contents: number[]
  lost: { page: number; what: string; text: string; isOffPage?: true }[]
  guessed: { page: number; key: string; value: string; why: string; detail?: string }[]
}

// This program runs in a child process, which reads the document through a descriptor. It sends the pictures, then the answer.
const DESCRIPTOR = 4
process.on('message', () => {
  void read().then(answer => process.send?.(answer, () => process.disconnect()))
})

async function read(): Promise<Result<PdfAnswer, string>> {
  try {
    const readAt = (buffer: Uint8Array, offset: number) =>
      readSync(DESCRIPTOR, buffer, 0, buffer.length, offset) === buffer.length
    const pdf = await openPdf(fstatSync(DESCRIPTOR).size, readAt, program('@embedpdf/pdfium/pdfium.wasm'))
    return ok(await readDocument(pdf))
  } catch (error) {
    return failed(readingProblem(error))
  }
}

async function readDocument(pdf: Pdfium): Promise<PdfAnswer> {
  const answer: PdfAnswer = { chapters: [], textPages: 0, contents: [], lost: [], guessed: [] }
  const count = pdf.api.FPDF_GetPageCount(pdf.document)
  const left = `only the first ${MAX_PAGES} of ${count} are read: divide the document`
  if (count > MAX_PAGES) answer.lost.push({ page: MAX_PAGES, what: 'pages', text: left })
  const sheets = Array.from({ length: Math.min(count, MAX_PAGES) }, (_, at) =>
    sheetsOf(readPage(pdf, at + 1)).map(sheet => ({ ...sheet, letters: [], ...linesOf(sheet) })),
  )
  const raw = sheets.flat()
  answer.textPages = raw.filter(({ lines }) => lines.length > 0).length
  const lines = raw.flatMap(page => page.lines)
  const body = bodySize(lines)
  weighLines(lines) // Before headings are found by weight.
  const { pages, removed } = withoutRunning(raw)
  answer.lost.push(...removed.map(text => ({ page: 1, what: 'running head or foot', text })))
  noteFamilies(lines, answer)
  const colored = withoutUnnamed(pages.map(page => ({ ...page, ...swatchesOf(page, page.lines) })))
  const reads = colored.map(page => readParts(page, body, answer))
  const outline = outlineOf(pdf)
  const contents = contentsOf(reads, outline)
  answer.contents.push(...contents.map(({ page }) => page.number))
  const what = 'title without a page'
  answer.lost.push(...contents.flatMap(({ page, others }) => others.map(text => ({ page: page.number, what, text }))))
  const turning = lines.filter(({ text }) => isRightToLeft(text))
  const isTurning = 2 * turning.length > lines.length
  const chapters = chaptersOf(reads, { outline, contents, title: titleOf(pdf), body, isRightToLeft: isTurning })
  const [first] = chapters
  // A cover of drawings has no title: it gets the running heads, which name the document.
  if (first) first.title ||= removed.filter(text => countWords(text) > 0 && text.length < 40).join(' ')
  for (const chapter of chapters) answer.chapters.push(await writeChapter(pdf, chapter, answer))
  return { ...answer, lost: limitRows(answer.lost) }
}

/** The first rows of each kind, and the number of the others. */
function limitRows(lost: PdfAnswer['lost']): PdfAnswer['lost'] {
  return [...Map.groupBy(lost, ({ what }) => what).values()].flatMap(rows =>
    rows
      .map((row, at) => (at < MAX_ROWS ? row : { ...row, text: `${rows.length - MAX_ROWS} more` }))
      .slice(0, MAX_ROWS + 1),
  )
}

/** The most rows of one kind in the report. */
const MAX_ROWS = 20

const MAX_PAGES = 2000

/** Tells the families of most of the text. */
function noteFamilies(lines: readonly Line[], { guessed }: PdfAnswer): void {
  const familyOf = ({ font }: Line) => spacedName(font.split(/[-,]/, 1).join(''))
  const all = lines.reduce((sum, { text }) => sum + text.length, 0)
  const named = lines.map(line => [familyOf(line), line.text.length] as const).filter(([family]) => family !== '')
  const rows = heaviest(named).map(([value, letters]) => {
    const detail = `${Math.round((100 * letters) / all)} %`
    return { page: 1, key: 'family', value, why: 'its share of the text', detail }
  })
  guessed.push(...rows)
}

/** Why a colour has a hex that no text says; the detail is its name. */
const FILL = 'the fill beside the name'

type PageLines = Sheet & { lines: Line[]; turned: string }

function readParts(page: PageLines & Colors, body: number, answer: PdfAnswer): Read {
  const { number, left, top, tables, swatches, rest: plain } = page
  if (page.turned !== '') answer.lost.push({ page: number, what: 'turned text', text: page.turned })
  else if (page.lines.length === 0 && page.shapes.length > 0)
    answer.lost.push({ page: number, what: 'page without text', text: 'no text in the document' })
  const { figures, rest, hidden } = figuresOf(page, plain, [...tables, ...swatches], body)
  const drawings = `${hidden}, small or behind text`
  if (hidden > 0) answer.lost.push({ page: number, what: 'drawings', text: drawings, isOffPage: true })
  for (const { values, fill, others } of swatches) {
    const [what, detail] = ['text of a colour without a column', fieldText(values, 'Name')]
    answer.lost.push(...others.map(line => ({ page: number, what, text: `${detail}: ${line}` })))
    if (fill === undefined) continue
    values.set('Hex', fill)
    answer.guessed.push({ page: number, key: 'hex', value: fill, why: FILL, detail })
  }
  const fills = tables.flatMap(table => [...table.fills])
  answer.guessed.push(...fills.map(([detail, value]) => ({ page: number, key: 'hex', value, why: FILL, detail })))
  const parts: Part[] = [
    ...tables.map(each => ({ ...each, kind: 'table' as const })),
    ...palettesOf(swatches).map(each => ({ ...each, kind: 'palette' as const })),
    ...figures.map(figure => ({ ...boxAround([figure]), kind: 'figure' as const, figure: moved(figure, left, top) })),
    ...blocksOf(rest).map(each => ({ ...each, kind: 'text' as const, isHeading: isHeading(each, body) })),
  ]
  return { number, parts: withCaptions(parts) }
}

async function writeChapter(pdf: Pdfium, { title, depth, pages }: Chapter, answer: PdfAnswer): Promise<PdfChapter> {
  const cover = coverOf(pages)
  const [what, isOffPage] = ['picture without alternative text', true] as const
  for (const { number, parts } of pages)
    for (const part of parts.filter(part => part.kind === 'figure')) {
      const name = await sendPicture(pdf, number, part.figure, answer)
      if (name === undefined) continue
      part.address = '../'.repeat(depth) + name
      if (part !== cover && altOf(part) === '') answer.lost.push({ page: number, what, text: name, isOffPage })
    }
  // The chapter has its title already.
  const isTitle = (part: Part) =>
    part.kind === 'text' && (part.text === title || (part.isHeading && isSame(part.text, title)))
  const parts = pages.flatMap(page => page.parts).filter(part => part !== cover && !isTitle(part))
  const sizes = [...new Set(headingsIn(parts).map(({ size }) => Math.round(size)))].sort((a, b) => b - a)
  const html = `<h1>${escapeHtml(title)}</h1>\n${partsHtml(withoutBreaks(parts), sizes)}`
  return { title, depth, pages: [...new Set(pages.map(({ number }) => number))], html, cover: cover?.address }
}

/** The picture that is all of the first page of a document. */
function coverOf([first]: Chapter['pages']): Picture | undefined {
  const [picture, ...others] = first.number === 1 ? first.parts : []
  return picture?.kind === 'figure' && others.length === 0 ? picture : undefined
}

/** The names of the pictures that were sent, by the hash of their bytes. */
const sent = new Map<string, string>()

/** Sends a picture once: as it is stored if that is a JPEG, else drawn, while there is time. Returns its name. */
async function sendPicture(
  pdf: Pdfium,
  page: number,
  figure: Figure,
  { guessed, lost }: PdfAnswer,
): Promise<string | undefined> {
  const { jpeg } = figure
  if (jpeg === undefined && performance.now() > MAX_DRAWING_MS) {
    lost.push({ page, what: 'picture', text: 'no time was left to draw it: split the document' })
    return undefined
  }
  const stored = jpeg === undefined ? undefined : storedPicture(pdf, page, jpeg)
  const bytes = stored ?? (await drawn(pdf, page, figure))
  if (bytes === undefined) {
    lost.push({ page, what: 'drawings', text: '1, of one colour', isOffPage: true })
    return undefined
  }
  const key = hash('sha256', bytes)
  const known = sent.get(key)
  if (known !== undefined) return known
  const name = `p${page}-${sent.size + 1}.${stored ? 'jpg' : 'png'}`
  sent.set(key, name)
  // One after the other: they may be many and large.
  await new Promise(taken => process.send?.({ name, bytes } satisfies PdfPicture, taken))
  if (figure.isDrawing) guessed.push({ page, key: 'picture', value: name, why: 'drawn from its region of the page' })
  return name
}

/** The region of a figure as a PNG; undefined if it shows nothing, such as a strip of the ground of its page. */
async function drawn(pdf: Pdfium, page: number, figure: Figure): Promise<Uint8Array | undefined> {
  const pixels = drawPage(pdf, page, figure, Math.min(figure.scale, MAX_SIDE / longSide(figure)))
  const isBlank = new Uint32Array(pixels.data.buffer).every((pixel, _, all) => pixel === all[0])
  return isBlank ? undefined : encodePng(pixels)
}

/** Of a drawing, in pixels. */
const MAX_SIDE = 2560
/** Since the start of this process, which has 60 s for a document. */
const MAX_DRAWING_MS = 45_000
