import { openPdf } from '#formats/pdf/document.ts'
import { drawPage, pageSize } from '#formats/pdf/page.ts'
import type { Pixels } from '#formats/picture/shrink.ts'

/**
 * Draws the first page of a PDF on white, `width` pixels wide.
 *
 * @throws {Error} if the file is damaged or encrypted, or if its page is too tall
 */
export async function pdfPage(bytes: Uint8Array, width: number, program: Uint8Array): Promise<Pixels> {
  const readAt = (buffer: Uint8Array, offset: number) => {
    buffer.set(bytes.subarray(offset, offset + buffer.length))
    return offset + buffer.length <= bytes.length
  }
  const pdf = await openPdf(bytes.length, readAt, program)
  const size = pageSize(pdf, 1)
  const height = Math.round((width * size.height) / size.width)
  if (!(height > 0 && height <= width * MAX_RATIO)) throw new Error('the PDF has no page that can be drawn')
  return drawPage(pdf, 1, { left: 0, top: 0, right: size.width, bottom: size.height }, width / size.width)
}

/** The height of a page, relative to its width. */
const MAX_RATIO = 8
