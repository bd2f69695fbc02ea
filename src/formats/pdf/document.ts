import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import { errorMessage } from '#platform/base/error.ts'
import { field } from '#platform/base/object.ts'
import { countWords, singleSpaced } from '#platform/base/text.ts'

/** A rectangle on a page, in points (1/72 inch) from its top left corner as readers see it. */
export type Box = { left: number; top: number; right: number; bottom: number }

/** An entry of the outline, as viewers show it beside the pages; `page` is counted from 1, 0 if it leads elsewhere. */
export type OutlineEntry = { title: string; level: number; page: number }

/** An open document, with PDFium and the memory that its calls use. */
export type Pdfium = {
  api: WrappedPdfiumModule
  /** The handle of the document. */
  document: number
  /** Opens the document again; returns 0 if it cannot. */
  load: () => number
  /** How many bytes of the document were read since it was opened. */
  readBytes: number
  /** The page in use, counted from 1, and its handle. */
  page: { number: number; handle: number }
  /** 4 KiB for the results of one call. */
  scratch: number
  /** The bytes of memory at an address: a view, which the next call may make invalid. */
  bytes: (at: number, length: number) => Uint8Array
}

/** Reads this many bytes at an offset of a file into a buffer; false if it cannot. */
export type ReadAt = (buffer: Uint8Array, offset: number) => boolean

/**
 * Opens a PDF, of which only the parts in use are in memory. PDFium is written in C++: call this only in a confined process.
 *
 * @throws {Error} if it is damaged or encrypted; the message is a reason
 */
export async function openPdf(size: number, readAt: ReadAt, program: Uint8Array): Promise<Pdfium> {
  const api = await init({ wasmBinary: new Uint8Array(program).buffer })
  api.PDFiumExt_Init()
  const { wasmExports, addFunction, setValue } = api.pdfium
  Object.assign(api, Object.fromEntries(CALLED_OFTEN.map(name => [name, field(wasmExports, name)])))
  const bytes = (at: number, length: number) => memoryOf(api.pdfium).subarray(at, at + length)
  const read = (_: number, offset: number, to: number, length: number) => {
    pdfium.readBytes += length
    return readAt(bytes(to, length), offset >>> 0) ? 1 : 0
  }
  // FPDF_FILEACCESS: the size of the file, the function that reads it, and a value for this function.
  const access = wasmExports.malloc(12)
  setValue(access, size, 'i32')
  setValue(access + 4, addFunction(read, 'iiiii'), 'i32')
  setValue(access + 8, 0, 'i32')
  const load = () => api.FPDF_LoadCustomDocument(access, '')
  const page = { number: 0, handle: 0 }
  const scratch = wasmExports.malloc(SCRATCH_BYTES)
  const pdfium: Pdfium = { api, document: 0, load, readBytes: 0, page, scratch, bytes }
  // Loading reads the file, which counts the bytes in `pdfium`.
  pdfium.document = load()
  if (pdfium.document === 0)
    throw new Error(PROBLEMS[api.FPDF_GetLastError()] ?? 'is damaged: it has no pages that can be read')
  return pdfium
}

/** Functions that are called for each letter and line: the checks in the package's versions take longer than they do. */
const CALLED_OFTEN = [
  'FPDFText_GetUnicode',
  'FPDFText_GetTextObject',
  'FPDFText_GetLooseCharBox',
  'FPDFText_GetCharOrigin',
  'FPDFText_IsGenerated',
  'FPDFText_IsHyphen',
  'FPDFPath_GetDrawMode',
  'FPDFPath_GetPathSegment',
  'FPDFPathSegment_GetPoint',
  'FPDFPathSegment_GetType',
  'FPDFPageObj_GetType',
  'FPDFPageObj_GetBounds',
  'FPDFPageObj_GetClipPath',
  'FPDFPageObj_GetFillColor',
]

/** Why a document cannot be read, as a reason. PDFium does not survive some. */
export function readingProblem(error: unknown): string {
  const isAborted = error instanceof Error && error.name === 'RuntimeError'
  return isAborted ? 'is too large or too damaged to read: divide it, or save it again' : errorMessage(error)
}

const SCRATCH_BYTES = 4096

/** The codes of `FPDF_GetLastError`. */
const PROBLEMS: Readonly<Record<number, string>> = {
  3: 'is damaged, or no PDF',
  4: 'needs a password: save it without one',
  5: 'is encrypted in a way that is not supported: save it without encryption',
}

/**
 * Writes a copy that is easy to read: each object is in it once, outside of other streams, and nothing is encrypted.
 * Streams of pictures and fonts that are longer than 8 MiB end early: their rest up to `endstream` is left out.
 */
export function plainCopy({ api, document, bytes }: Pdfium): Buffer {
  const { wasmExports, addFunction, setValue } = api.pdfium
  const chunks: Buffer[] = []
  /**
   * The end of the last chunk, and the same of one that was left out: `endstream` may be divided between two chunks.
   */
  let chunkEnd = Buffer.alloc(0)
  let leftOutEnd = Buffer.alloc(0)
  /** The bytes since the last `endstream`. */
  let streamBytes = 0
  const write = (_: number, from: number, length: number) => {
    const chunk = Buffer.from(bytes(from, length))
    streamBytes = Buffer.concat([chunkEnd, chunk]).includes('endstream') ? 0 : streamBytes + length
    chunkEnd = chunk.subarray(-END_LENGTH)
    const isKept = streamBytes <= MAX_STREAM
    if (isKept) chunks.push(leftOutEnd, chunk)
    leftOutEnd = isKept ? Buffer.alloc(0) : chunkEnd
    return 1
  }
  // FPDF_FILEWRITE: its version, and the function that writes.
  const writer = wasmExports.malloc(8)
  setValue(writer, 1, 'i32')
  setValue(writer + 4, addFunction(write, 'iiii'), 'i32')
  if (!api.FPDF_SaveAsCopy(document, writer, REMOVE_SECURITY)) throw new Error('is damaged')
  return Buffer.concat(chunks)
}

/** The part of `endstream` that a chunk may begin or end with is shorter. */
const END_LENGTH = 9
const MAX_STREAM = 8 << 20
/** A flag of FPDF_SaveAsCopy. */
const REMOVE_SECURITY = 3

/** The current memory of PDFium, which is replaced when it grows. The types of the package lack it. */
function memoryOf(module: object): Uint8Array {
  const memory = 'HEAPU8' in module ? module.HEAPU8 : undefined
  if (!(memory instanceof Uint8Array)) throw new Error('PDFium has no memory')
  return memory
}

/**
 * The title in the metadata, such as `Brand book 2025`; empty if it is one word, or the name of a file: `Book
 * final.indd`.
 */
export function titleOf({ api, document, scratch }: Pdfium): string {
  const length = api.FPDF_GetMetaText(document, 'Title', scratch, SCRATCH_BYTES)
  const title = length > SCRATCH_BYTES ? '' : singleSpaced(api.pdfium.UTF16ToString(scratch, length))
  const words = title.split(' ').filter(countWords)
  return words.length > 1 && !/\.\w{2,5}$/.test(title) ? title : ''
}

/** The entries of the outline, in order; a damaged one ends it. */
export function outlineOf({ api, document, scratch }: Pdfium): OutlineEntry[] {
  const entries: OutlineEntry[] = []
  const seen = new Set<number>()
  const visit = (first: number, level: number) => {
    for (let at = first; at !== 0 && !seen.has(at) && entries.length < MAX_ENTRIES; ) {
      seen.add(at)
      api.FPDFBookmark_GetTitle(at, scratch, SCRATCH_BYTES)
      const title = singleSpaced(api.pdfium.UTF16ToString(scratch))
      const target = api.FPDFBookmark_GetDest(document, at)
      entries.push({ title, level, page: target === 0 ? 0 : api.FPDFDest_GetDestPageIndex(document, target) + 1 })
      visit(api.FPDFBookmark_GetFirstChild(document, at), level + 1)
      at = api.FPDFBookmark_GetNextSibling(document, at)
    }
  }
  visit(api.FPDFBookmark_GetFirstChild(document, 0), 0)
  return entries
}

const MAX_ENTRIES = 5000
