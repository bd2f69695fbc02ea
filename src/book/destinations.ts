/**
 * The page numbers, from 1, of the named destinations in a PDF. Supports PDFs from Chromium: objects as plain text,
 * outside of streams (ISO 32000-2 §7.3, §12.3.2.4).
 */
export function destinationPages(pdf: Uint8Array): Map<string, number> {
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
  const found = new Map<string, number>()
  const dests = objects.get(/\/Dests\s+(\d+) 0 R/.exec(root)?.[1] ?? '') ?? ''
  for (const [, name = '', page = ''] of dests.matchAll(/\/([^\s/[\]<>()]+)\s*\[(\d+) 0 R/g)) {
    const number = pages.get(page)
    if (number !== undefined) found.set(name, number)
  }
  return found
}
