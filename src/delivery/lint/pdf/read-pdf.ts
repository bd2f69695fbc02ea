import { openPdf, type Pdfium, plainCopy } from '#brand/pdf/document.ts'
import { type Letter, type PdfPage, readPage, readText } from '#brand/pdf/page.ts'
import { program } from '#brand/pictures/decode.ts'
import { errorMessage } from '#platform/base/error.ts'
import { isSign, type Use } from '../use.ts'
import type { Mark } from './content.ts'
import { type MarkedDocument, readPages } from './pages.ts'

/** Reads a PDF, for the purpose that the user names or that the file has. */
export async function readPdf(bytes: Uint8Array, purpose?: 'print' | 'screen'): Promise<Iterable<Use>> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const readAt = (buffer: Uint8Array, offset: number) =>
    file.copy(buffer, 0, offset, offset + buffer.length) === buffer.length
  try {
    const pdfium = await openPdf(file.length, readAt, program('@embedpdf/pdfium/pdfium.wasm'))
    const document = readPages(plainCopy(pdfium))
    if (document.pages.length === 0) throw new Error('is damaged: it has no pages that can be read; save it again')
    return usesOf(pdfium, document, purpose ?? (isForPrint(document) ? 'print' : 'screen'))
  } catch (error) {
    const isAborted = error instanceof Error && error.name === 'RuntimeError'
    const reason = isAborted ? 'is too large or too damaged to read' : errorMessage(error)
    return [{ kind: 'unreadable', message: reason.includes(': ') ? reason : `${reason}: ${SAVE_AGAIN}` }]
  }
}

const SAVE_AGAIN = 'open it in its program and save it again as PDF'

/** A file for print has an output intent that says so, or spot colours. One CMYK picture does not make a deck one. */
function isForPrint({ isForPrint, pages }: MarkedDocument): boolean {
  return (
    isForPrint || pages.some(({ marks }) => marks.some(mark => mark.kind === 'paint' && mark.paint.inks.length > 0))
  )
}

function* usesOf(pdfium: Pdfium, document: MarkedDocument, purpose: 'print' | 'screen'): Generator<Use> {
  const { allowsRgb, language: lang } = document
  const untilMs = performance.now() + MAX_TEXT_MS
  let isTextRead = true
  for (const [index, { marks, problem }] of document.pages.entries()) {
    const place = { page: index + 1 }
    const text: PageText = isTextRead && problem === undefined ? textOf(pdfium, place.page, untilMs) : NO_TEXT
    isTextRead &&= !text.isBroken
    const ofMarks = [...(purpose === 'print' ? printUses : screenUses)(marks, allowsRgb)]
    const isOfSigns = (use: Use) => use.kind === 'font' && isSign(text.fonts.get(use.family) ?? '')
    for (const use of new Map(ofMarks.map(each => [JSON.stringify(each), each])).values())
      if (!isOfSigns(use)) yield { ...place, ...use }
    for (const line of text.lines) if (line.trim() !== '') yield { ...place, kind: 'words', text: line, lang }
    if (purpose === 'screen') for (const use of contrasts(text, marks)) yield { ...place, ...use }
    for (const message of [problem ?? [], text.isBroken ? TEXT_BROKEN : []].flat())
      yield { ...place, kind: 'unreadable', message }
  }
}

const TEXT_BROKEN =
  'its text and that of later pages is not read, because the file is too large or too damaged: divide it, or save it again'

/** Half of the time of a file: PDFium reads about 50 pages in a second. */
const MAX_TEXT_MS = 8000

type PageText = Pick<PdfPage, 'letters' | 'shapes'> & {
  lines: readonly string[]
  fonts: ReadonlyMap<string, string>
  isBroken?: boolean
}

const NO_TEXT: PageText = { letters: [], shapes: [], lines: [], fonts: new Map() }

/** The text of a page in lines, and by font, if there is time left. PDFium does not survive a failure. */
function textOf(pdfium: Pdfium, number: number, untilMs: number): PageText {
  if (performance.now() > untilMs) return { ...NO_TEXT, isBroken: true }
  try {
    // An underscore joins a word that is divided, so that neither half is read as a word.
    const lines = readText(pdfium, number)
      .replaceAll(DIVIDED, '_')
      .split(/[\r\n]+/)
    const { letters, shapes } = readPage(pdfium, number)
    const textIn = (own: readonly Letter[]) => own.map(({ text }) => text).join('')
    const fonts = Array.from(
      Map.groupBy(letters, ({ font }) => font),
      ([font, own]) => [font, textIn(own)] as const,
    )
    return { letters, shapes, lines, fonts: new Map(fonts) }
  } catch {
    return { ...NO_TEXT, isBroken: true }
  }
}

const DIVIDED = /\ufffe\s*/g

function* printUses(marks: readonly Mark[], isAllowed: boolean): Generator<Use> {
  for (const mark of marks) {
    if (mark.kind === 'font') {
      if (mark.name !== '') yield { kind: 'font', family: mark.name }
      if (!mark.isEmbedded) yield { kind: 'print', about: 'font-not-embedded', name: mark.name }
    } else if (mark.kind === 'paint') {
      const { inks, cmyk, isRgb } = mark.paint
      const role = mark.role === 'text' ? 'text' : 'ground'
      for (const name of inks) yield { kind: 'ink', name, role }
      if (cmyk) yield { kind: 'build', cmyk, role }
      if (isRgb) yield { kind: 'print', about: 'rgb', isAllowed }
    } else yield { kind: 'print', about: mark.kind }
  }
}

/** CMYK is never turned into a colour of screens, so that it is not judged there. */
function* screenUses(marks: readonly Mark[]): Generator<Use> {
  for (const mark of marks) {
    if (mark.kind === 'font' && mark.name !== '') yield { kind: 'font', family: mark.name }
    if (mark.kind !== 'paint') continue
    const { inks, hex } = mark.paint
    for (const name of inks) yield { kind: 'ink', name, role: mark.role === 'text' ? 'text' : 'ground' }
    const role = mark.role === 'drawing' ? 'border' : mark.role
    if (hex !== undefined) yield { kind: 'color', color: { hex, alpha: mark.alpha }, written: hex, role }
  }
}

const PAPER = '#ffffff'

/** The contrasts of text on plain areas and on the page; both colours are opaque, and not made of print values. */
function* contrasts({ letters, shapes }: PageText, marks: readonly Mark[]): Generator<Use> {
  const hexesOf = (role: string) =>
    new Set(
      marks.flatMap(mark =>
        mark.kind === 'paint' && mark.role === role && mark.alpha === 1 ? (mark.paint.hex ?? []) : [],
      ),
    )
  const [texts, grounds] = [hexesOf('text'), hexesOf('ground').add(PAPER)]
  // Frames are plain, too, but without a fill.
  const areas = shapes.filter(({ isPlain, fill }) => !isPlain || fill !== undefined)
  let last: Letter | undefined
  for (const letter of letters) {
    const { left, right, top, bottom, color: text, size, weight } = letter
    const isNext = last?.color === text && last.base === letter.base && left - last.right < size
    last = letter
    if (isNext) continue
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    const area = areas.findLast(each => x > each.left && x < each.right && y > each.top && y < each.bottom)
    const ground = area?.isPlain === false ? undefined : (area?.fill ?? PAPER)
    if (!texts.has(text) || ground === undefined || !grounds.has(ground)) continue
    yield { kind: 'contrast', text, ground, size: (size * 4) / 3, ...(weight > 0 && { weight }) }
  }
}
