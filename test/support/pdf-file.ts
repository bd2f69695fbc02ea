import { deflateSync } from 'node:zlib'

type PdfParts = {
  /** The content of each page. */
  pages: readonly string[]
  /** Entries of the resources that all pages share, such as `/ColorSpace<<…>>`. */
  resources?: string
  /** Entries of the catalogue and of the trailer. */
  catalog?: string
  trailer?: string
  /** Further objects; the first one is `10 0 R`. */
  objects?: readonly string[]
}

/** A PDF of 600 by 400 points. Its objects before the further ones are the catalogue, the pages and two pages' content. */
export function pdfFile({ pages, resources = '', catalog = '', trailer = '', objects = [] }: PdfParts): Buffer {
  const kids = pages.map((_, at) => `${3 + at} 0 R`).join(' ')
  const all = new Map<number, string>([
    [1, `<</Type/Catalog/Pages 2 0 R${catalog}>>`],
    [2, `<</Type/Pages/Count ${pages.length}/Kids[${kids}]/MediaBox[0 0 600 400]/Resources<<${resources}>>>>`],
    ...pages.map((_, at) => [3 + at, `<</Type/Page/Parent 2 0 R/Contents ${6 + at} 0 R>>`] as const),
    ...pages.map((content, at) => [6 + at, pdfStream(content)] as const),
    ...objects.map((object, at) => [10 + at, object] as const),
  ])
  let text = '%PDF-1.7\n'
  const rows = ['0 1\n0000000000 65535 f \n']
  for (const [number, object] of all) {
    rows.push(`${number} 1\n${String(text.length).padStart(10, '0')} 00000 n \n`)
    text += `${number} 0 obj\n${object}\nendobj\n`
  }
  const end = `xref\n${rows.join('')}trailer<</Size 100/Root 1 0 R${trailer}>>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text + end, 'latin1')
}

export function pdfStream(data: string, entries = ''): string {
  return `<<${entries}/Length ${data.length}>>stream\n${data}\nendstream`
}

/** A stream with deflated data. */
export function deflatedStream(data: Uint8Array, times: 1 | 2 = 1, entries = ''): string {
  const [filter, bytes] =
    times === 1 ? ['/FlateDecode', deflateSync(data)] : ['[/FlateDecode/FlateDecode]', deflateSync(deflateSync(data))]
  return pdfStream(bytes.toString('latin1'), `/Filter${filter}${entries}`)
}
