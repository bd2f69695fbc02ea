import { openPdf, type Pdfium } from '#formats/pdf/document.ts'
import { program } from '#formats/picture/decode.ts'

/** Opens a PDF with one page of 600 by 400 points for each content stream; its fonts are `/F`, Helvetica, and `/B`, bold. */
export async function pdfOf(...contents: readonly string[]): Promise<Pdfium> {
  const file = Buffer.from(pdfText(contents), 'latin1')
  const readAt = (buffer: Uint8Array, offset: number) =>
    file.copy(buffer, 0, offset, offset + buffer.length) === buffer.length
  return await openPdf(file.length, readAt, program('@embedpdf/pdfium/pdfium.wasm'))
}

function pdfText(contents: readonly string[]): string {
  const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`
  const red = '<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>'
  const resources = `<</Font<</F ${font('Helvetica')}/B ${font('Helvetica-Bold')}>>/Shading<</S<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 600 0]/Function ${red}>>>>>>`
  const kids = contents.map((_, at) => `${2 * at + 3} 0 R`).join(' ')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${contents.length}/Kids[${kids}]/MediaBox[0 0 600 400]/Resources${resources}>>`,
    ...contents.flatMap((content, at) => [
      `<</Type/Page/Parent 2 0 R/Contents ${2 * at + 4} 0 R>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ]),
  ]
  return `%PDF-1.7\n${objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer<</Root 1 0 R>>\n`
}
