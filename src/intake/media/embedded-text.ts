/** The first of some texts that a picture or page carries which says something, fit to be its description or name. */
export function embeddedDescription(...texts: unknown[]): string | undefined {
  return firstOf(texts, 1000)
}

/** The first of some texts that a font carries which says something, fit to be a name. */
export function embeddedName(...texts: unknown[]): string | undefined {
  return firstOf(texts, 200)
}

/** Control characters and runs of white space become one space; cut to the caps that written texts are held to. */
function firstOf(texts: unknown[], maxLength: number): string | undefined {
  for (const value of texts) {
    if (typeof value !== 'string') continue
    const text = value
      .slice(0, 10 * maxLength)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
    const cut = text
      .slice(0, maxLength)
      .replace(/[\ud800-\udbff]$/, '')
      .toWellFormed()
      .trim()
    if (cut !== '') return cut
  }
  return undefined
}
