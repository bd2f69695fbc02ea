import { init } from '@embedpdf/pdfium'
import type { Pixels } from '#brand/pictures/shrink.ts'
import { field } from '#platform/base/object.ts'

/**
 * Draws the first page of a PDF on white, `width` pixels wide. PDFium is written in C++, so each file gets new memory.
 * Throws if the file is damaged or encrypted, or if its page is too tall.
 */
export async function pdfPage(bytes: Uint8Array, width: number, program: Uint8Array): Promise<Pixels> {
  const pdfium = await init({ wasmBinary: new Uint8Array(program).buffer })
  pdfium.PDFiumExt_Init()
  const { wasmExports } = pdfium.pdfium
  const at = wasmExports.malloc(bytes.length)
  memoryOf(pdfium.pdfium).set(bytes, at)
  const page = pdfium.FPDF_LoadPage(pdfium.FPDF_LoadMemDocument(at, bytes.length, ''), 0)
  const height = Math.round((width * pdfium.FPDF_GetPageHeightF(page)) / pdfium.FPDF_GetPageWidthF(page))
  if (page === 0 || !(height > 0 && height <= width * MAX_RATIO))
    throw new Error('the PDF has no page that can be drawn')
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0)
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, AS_RGBA | WITH_ANNOTATIONS)
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
  // Without padding: each pixel has four bytes.
  const data = new Uint8ClampedArray(memoryOf(pdfium.pdfium).slice(start, start + width * height * 4))
  return { data, width, height }
}

/** The current memory of PDFium, which is replaced when it grows. The types of the package lack it. */
function memoryOf(module: object): Uint8Array {
  const memory = field(module, 'HEAPU8')
  if (!(memory instanceof Uint8Array)) throw new Error('PDFium has no memory')
  return memory
}

/** The height of a page, relative to its width. */
const MAX_RATIO = 8
const WHITE = 0xffffffff
/** Flags of FPDF_RenderPageBitmap. */
const AS_RGBA = 0x10
const WITH_ANNOTATIONS = 0x01
