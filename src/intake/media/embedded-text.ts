/** The first non-empty string, shortened to the length of a description. It comes from a picture or a page heading. */
export function embeddedDescription(...texts: unknown[]): string | undefined {
  return firstOf(texts, 1000)
}

/** The first non-empty string, shortened to the length of a name. It comes from a font. */
export function embeddedName(...texts: unknown[]): string | undefined {
  return firstOf(texts, 200)
}

/** Collapses control characters and white space. The limits are the same as for written values. */
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
