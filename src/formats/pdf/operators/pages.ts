import { errorMessage } from '#platform/base/error.ts'
import { attempt } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import { type Mark, readContent } from './content.ts'
import { type PdfObjects, readObjects } from './objects.ts'
import { type PdfDictionary, type PdfValue, textOf } from './syntax.ts'

/** A page: what its content puts on it, each once, and why a part of it is not read. */
type MarkedPage = { marks: readonly Mark[]; problem?: string }

/** A document: its pages, and what it says of itself. */
export type MarkedDocument = ReturnType<typeof readPages>

/** Reads what is on the pages of a PDF with `count` pages. Throws if it cannot; the message ends a sentence. */
export function readPages(file: Buffer, count: number) {
  const budget = { bytes: MAX_BYTES, steps: MAX_STEPS }
  const objects = readObjects(file, budget)
  const { dictionary, list, get, trailer } = objects
  const root = dictionary(trailer.get('Root'))
  const pages = readNodes(objects, pageNodes(objects, root.get('Pages')), count, budget)
  /** A string without the byte order mark and the zero bytes that Western letters have in UTF-16. */
  const plainText = (value: PdfValue) => textOf(get(value)).replaceAll(/\0|^\xfe\xff/g, '')
  const metadata = objects.stream(root.get('Metadata'))
  const packet = metadata && attempt(() => objects.decode(metadata).toString('latin1'))
  const writtenVersion = plainText(dictionary(trailer.get('Info')).get('GTS_PDFXVersion'))
  const version = groupsOf(VERSION, packet ?? '')[1] ?? writtenVersion
  const isPrintIntent = (intent: PdfDictionary) =>
    get(intent.get('S')) === 'GTS_PDFX' || get(dictionary(intent.get('DestOutputProfile')).get('N')) === INKS
  const hasSpotColor = ({ marks }: MarkedPage) =>
    marks.some(mark => mark.kind === 'paint' && mark.paint.inks.length > 0)
  return {
    pages,
    /** Whether its metadata is damaged, which may have the version of PDF/X. */
    isMetadataDamaged: metadata !== undefined && packet === undefined,
    /** Whether an output intent is for print, or there are spot colours. One CMYK picture does not make a deck one. */
    isForPrint: list(root.get('OutputIntents')).map(dictionary).some(isPrintIntent) || pages.some(hasSpotColor),
    /** Whether a version of PDF/X says what may be in it, and RGB may. */
    allowsRgb: /PDF\/X-[3-6]/.test(version),
    language: plainText(root.get('Lang')),
  }
}

/**
 * The version of PDF/X in the metadata: an element, `<pdfxid:GTS_PDFXVersion>PDF/X-4`, or an attribute (ISO 15930-7
 * §6.2).
 */
const VERSION = /GTS_PDFXVersion\s*(?:>|=\s*["'])\s*([^<"']{1,40})/
/** The components of a profile for CMYK. */
const INKS = 4

/** In bytes that streams have when they are unpacked, in operators, and in pages. */
const MAX_BYTES = 256 << 20
const MAX_STEPS = 4_000_000
const MAX_PAGES = 5000

type PageNode = { contents: PdfValue; resources: PdfValue }

/** Reads the pages that the budget is enough for; the first one that is not read says so. */
function readNodes(objects: PdfObjects, nodes: readonly PageNode[], count: number, budget: Budget): MarkedPage[] {
  const pages: MarkedPage[] = []
  for (const node of nodes) {
    if (budget.steps <= 0 || budget.bytes <= 0 || pages.length === MAX_PAGES) break
    pages.push(readPage(objects, node, budget))
  }
  const problem = `the file is too large or too damaged: its pages from ${pages.length + 1} on are not read; divide it`
  if (pages.length < Math.max(nodes.length, count)) pages.push({ marks: [], problem })
  return pages
}

type Budget = { bytes: number; steps: number }

/** The pages of a tree in order (ISO 32000-2 §7.7.3). Each node with kids is read once, so that no loop is endless. */
function pageNodes({ dictionary, list }: PdfObjects, root: PdfValue): PageNode[] {
  const nodes: PageNode[] = []
  const parents = new Set<PdfDictionary>()
  const open: { value: PdfValue; inherited?: PdfValue }[] = [{ value: root }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, inherited } = next
    const node = dictionary(value)
    const resources = node.get('Resources') ?? inherited
    const kids = parents.has(node) ? [] : list(node.get('Kids'))
    for (const kid of kids.toReversed()) open.push({ value: kid, inherited: resources })
    if (node.has('Kids')) parents.add(node)
    // The content of a missing page is missing, too.
    else if (value !== undefined) nodes.push({ contents: node.size > 0 ? node.get('Contents') : value, resources })
  }
  return nodes
}

/** Reads a page; a part that is missing or cannot be read is its problem, and the marks before it are kept. */
function readPage(objects: PdfObjects, { contents, resources }: PageNode, budget: { steps: number }): MarkedPage {
  const marks = new Map<string, Mark>()
  // From here on, it collects the missing objects of this page.
  objects.missing.clear()
  const spend = (steps = 1) => {
    budget.steps -= steps
    if (budget.steps <= 0) throw new Error(TOO_MUCH)
  }
  const mark = (each: Mark) => {
    const key = JSON.stringify(each)
    if (!marks.has(key)) spend(MARK_STEPS)
    marks.set(key, each)
  }
  try {
    const value = objects.get(contents)
    const streams = (Array.isArray(value) ? value : [contents]).flatMap(each => objects.stream(each) ?? [])
    let text = ''
    for (const stream of streams) {
      text += `${objects.decode(stream).toString('latin1')}\n`
      if (text.length > MAX_CONTENT) throw new Error(TOO_MUCH)
    }
    readContent({ objects, mark, spend }, text, objects.dictionary(resources))
    const problem = objects.missing.size > 0 ? { problem: MISSING } : {}
    return { marks: [...marks.values()], ...problem }
  } catch (error) {
    return { marks: [...marks.values()], problem: `its content ${errorMessage(error)}` }
  }
}

const MISSING = 'a part of it is missing, because the file is cut off or damaged: save it again'
const MAX_CONTENT = 32 << 20
const TOO_MUCH = 'has too much on it to read: divide the file'
/** A mark is kept, so that it costs more than an operator. */
const MARK_STEPS = 100
