import { openPdf, type Pdfium, plainCopy, readingProblem } from '#formats/pdf/document.ts'
import type { Mark } from '#formats/pdf/operators/content.ts'
import { type MarkedDocument, readPages } from '#formats/pdf/operators/pages.ts'
import { type Letter, type PdfPage, readPage, readText } from '#formats/pdf/page.ts'
import { program } from '#formats/picture/decode.ts'
import { isSign, type Use } from '../use.ts'

/** Reads a PDF, for the purpose that the user names or that the file has. */
export async function readPdf(bytes: Uint8Array, purpose?: Purpose): Promise<Iterable<Use>> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const readAt = (buffer: Uint8Array, offset: number) =>
    file.copy(buffer, 0, offset, offset + buffer.length) === buffer.length
  try {
    const pdfium = await openPdf(file.length, readAt, program('@embedpdf/pdfium/pdfium.wasm'))
    const document = readPages(plainCopy(pdfium), pdfium.api.FPDF_GetPageCount(pdfium.document))
    if (document.pages.length === 0) throw new Error('is damaged: it has no pages that can be read; save it again')
    return usesOf(pdfium, document, purpose ?? (document.isForPrint ? 'print' : 'screen'))
  } catch (error) {
    const reason = readingProblem(error)
    return [{ kind: 'unreadable', message: reason.includes(': ') ? reason : `${reason}: ${SAVE_AGAIN}` }]
  }
}

const SAVE_AGAIN = 'open it in its program and save it again as PDF'

/** The uses of all pages. Once a text cannot be read, those of later pages are not tried. */
function* usesOf(pdfium: Pdfium, document: MarkedDocument, purpose: Purpose): Generator<Use> {
  const budget = { letters: MAX_LETTERS }
  let isTextRead = true
  if (document.isMetadataDamaged) yield { kind: 'unreadable', message: METADATA_DAMAGED }
  for (const [index, { marks, problem }] of document.pages.entries()) {
    const place = { page: index + 1 }
    const text = isTextRead && problem === undefined ? textOf(pdfium, place.page, budget) : NO_TEXT
    for (const use of pageUses(marks, text ?? NO_TEXT, document, purpose)) yield { ...place, ...use }
    if (problem !== undefined) yield { ...place, kind: 'unreadable', message: problem }
    if (text) continue
    isTextRead = false
    yield { ...place, kind: 'unreadable', message: TEXT_BROKEN }
  }
}

type Purpose = 'print' | 'screen'

/** The uses of a page: those of its marks, which are fonts and paints, then its words, and on screens its contrasts. */
function* pageUses(
  marks: readonly Mark[],
  text: PageText,
  { allowsRgb, language }: MarkedDocument,
  purpose: Purpose,
): Generator<Use> {
  const fonts = Map.groupBy(text.letters, ({ font }) => font)
  const texts = new Map(fonts.entries().map(([font, letters]) => [font, letters.map(each => each.text).join('')]))
  // A font without letters shows something else, or was not read.
  const isSeen = (font: string) => texts.get(font)?.trim() !== ''
  const seenMarks = marks.filter(mark => mark.kind !== 'font' || isSeen(mark.name))
  const markUses = seenMarks.flatMap(mark => [...MARK_USES[purpose](mark, allowsRgb)])
  // Each use of a page once. A font that only shows signs, such as check boxes, does not count.
  for (const use of new Map(markUses.map(each => [JSON.stringify(each), each])).values())
    if (use.kind !== 'font' || !isSign(texts.get(use.family) ?? '')) yield use
  for (const line of text.words.split(/[\r\n]+/))
    if (line.trim() !== '') yield { kind: 'words', text: line, lang: language }
  if (purpose === 'screen') yield* contrasts(text, marks)
}

const METADATA_DAMAGED = `its metadata, which may name a version of PDF/X, is damaged: ${SAVE_AGAIN}`
const TEXT_BROKEN =
  'its text and that of later pages is not read, because the file is too large or too damaged: divide it, or save it again'

/** The letters of a file that are read, where a drawing counts as ten letters. Books have 2,000 letters a page. */
const MAX_LETTERS = 1_500_000

type PageText = Pick<PdfPage, 'letters' | 'shapes'> & { words: string }

const NO_TEXT: PageText = { letters: [], shapes: [], words: '' }

/** The text of a page; undefined if it is too much, or after a failure, which PDFium does not survive. */
function textOf(pdfium: Pdfium, number: number, budget: { letters: number }): PageText | undefined {
  try {
    // An underscore joins a word that is divided, so that neither half is read as a word.
    const words = readText(pdfium, number).replaceAll(DIVIDED, '_')
    const page = readPage(pdfium, number)
    budget.letters -= page.letters.length + 10 * page.shapes.length
    return budget.letters < 0 ? undefined : { ...page, words }
  } catch {
    return undefined
  }
}

/** The sign that PDFium gives for a hyphen at the end of a line, and the line break. */
const DIVIDED = /\ufffe\s*/g

/** The uses of a mark. Inks are never turned into colours of screens, so that they are not judged there. */
const MARK_USES: Readonly<Record<Purpose, (mark: Mark, isAllowed: boolean) => Iterable<Use>>> = {
  print: printUses,
  screen: screenUses,
}

function* printUses(mark: Mark, isAllowed: boolean): Generator<Use> {
  if (mark.kind === 'font') {
    yield* fontUses(mark.name)
    if (!mark.isEmbedded) yield { kind: 'print', about: 'font-not-embedded', name: mark.name }
  } else if (mark.kind === 'paint') {
    const { inks, cmyk, isRgb } = mark.paint
    const role = mark.role === 'text' ? 'text' : 'ground'
    for (const name of inks) yield { kind: 'ink', name, role }
    if (cmyk) yield { kind: 'build', cmyk, role }
    if (isRgb) yield { kind: 'print', about: 'rgb', isAllowed }
  } else yield { kind: 'print', about: mark.kind }
}

function* screenUses(mark: Mark): Generator<Use> {
  if (mark.kind === 'font') yield* fontUses(mark.name)
  if (mark.kind !== 'paint' || !mark.paint.hex) return
  const { hex } = mark.paint
  const role = mark.role === 'drawing' ? 'border' : mark.role
  yield { kind: 'color', color: { hex, alpha: mark.alpha }, written: hex, role }
}

function fontUses(family: string): Use[] {
  return family === '' ? [] : [{ kind: 'font', family }]
}

const PAPER = '#ffffff'

/** The contrasts of text on plain areas and on the page; both colours are opaque, and not made of print values. */
function* contrasts({ letters, shapes }: PageText, marks: readonly Mark[]): Generator<Use> {
  // Colours as `text #1d70b8` and `ground #ffffff`. One of print values has no hex, and so no key that is looked up.
  const opaque = new Set([`ground ${PAPER}`])
  for (const mark of marks) if (mark.kind === 'paint' && mark.alpha === 1) opaque.add(`${mark.role} ${mark.paint.hex}`)
  // Without frames, which are plain, but have no fill.
  const areas = shapes.filter(({ isPlain, fill }) => !isPlain || fill !== undefined)
  for (const letter of firstOfRuns(letters)) {
    const { left, right, top, bottom, color: text, size, weight } = letter
    const x = (left + right) / 2
    const y = (top + bottom) / 2
    // The area that was painted last is on top.
    const { isPlain, fill } = areas.findLast(each => isInside(x, y, each)) ?? BARE_PAPER
    const ground = fill ?? PAPER
    if (isPlain && opaque.has(`text ${text}`) && opaque.has(`ground ${ground}`))
      // The size is in points, and a weight of 0 is unknown.
      yield { kind: 'contrast', text, ground, size: (size * 4) / 3, ...(weight > 0 && { weight }) }
  }
}

const BARE_PAPER = { isPlain: true, fill: PAPER }

type Box = { left: number; right: number; top: number; bottom: number }

function isInside(x: number, y: number, { left, right, top, bottom }: Box): boolean {
  return x > left && x < right && y > top && y < bottom
}

/** The first letter of each run: letters in one colour, on one base line, with no gap as wide as a letter is high. */
function firstOfRuns(letters: readonly Letter[]): Letter[] {
  return letters.filter(({ color, base, left, size }, index) => {
    const previous = letters[index - 1]
    return previous?.color !== color || previous.base !== base || left - previous.right >= size
  })
}
