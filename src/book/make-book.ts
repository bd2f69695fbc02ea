import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BookFront, bookPage, type Chapter } from './book-page.ts'
import { type BookFormat, textSize } from './book-style.ts'
import { openPrinter, type PrinterOptions } from './printer.ts'

/**
 * Prints a guide as one book: a title, contents with page numbers, then each chapter. Prints twice, since only a
 * printed book shows on which page a chapter begins. `writeCopy` writes the copy of the guide to a folder, and returns
 * the place of each address in it.
 */
export async function makeBook(
  front: BookFront,
  chapters: readonly (Omit<Chapter, 'place'> & { address: string })[],
  writeCopy: (folder: string) => Promise<ReadonlyMap<string, string>>,
  { isLandscape, ...options }: Omit<PrinterOptions, 'profile'> & BookFormat,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-book-'))
  try {
    const copy = join(folder, 'copy')
    const places = await writeCopy(copy)
    const placed = chapters.map(({ address, ...chapter }) => {
      const place = places.get(address)
      if (place === undefined) throw new Error(`the copy has no page at ${address}`)
      return { place, ...chapter }
    })
    const html = await bookPage(front, placed, place => readFile(join(copy, place), 'utf8'), { isLandscape })
    const path = join(copy, 'book.html')
    const text = textSize({ isLandscape })
    const printer = openPrinter({ ...options, profile: join(folder, 'profile') })
    try {
      await writeFile(path, html(new Map()))
      const first = await printer.print(pathToFileURL(path).href, text)
      await writeFile(path, html(destinationPages(first)))
      return await printer.print(pathToFileURL(path).href, text)
    } finally {
      await printer.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * The page numbers, from 1, of the named destinations in a PDF. Supports PDFs from Chromium: objects as plain text,
 * outside of streams (ISO 32000-2 §7.3, §12.3.2.4).
 */
function destinationPages(pdf: Uint8Array): Map<string, number> {
  const text = Buffer.from(pdf).toString('latin1')
  const objects = new Map<string, string>()
  for (const [, number = '', body = ''] of text.matchAll(/(?:^|\n)(\d+) 0 obj\s([\s\S]*?)(?:\nstream|\nendobj)/g))
    objects.set(number, body)
  const pages = new Map<string, number>()
  const root = [...objects.values()].find(body => /\/Type\s*\/Catalog/.test(body)) ?? ''
  const walk = (number: string): void => {
    const body = objects.get(number) ?? ''
    const kids = /\/Kids\s*\[([^\]]*)\]/.exec(body)?.[1]
    if (kids === undefined) pages.set(number, pages.size + 1)
    else for (const [, kid = ''] of kids.matchAll(/(\d+) 0 R/g)) walk(kid)
  }
  walk(/\/Pages\s+(\d+) 0 R/.exec(root)?.[1] ?? '')
  const pageNumbers = new Map<string, number>()
  const dests = objects.get(/\/Dests\s+(\d+) 0 R/.exec(root)?.[1] ?? '') ?? ''
  for (const [, name = '', page = ''] of dests.matchAll(/\/([^\s/[\]<>()]+)\s*\[(\d+) 0 R/g)) {
    const number = pages.get(page)
    if (number !== undefined) pageNumbers.set(name, number)
  }
  return pageNumbers
}
