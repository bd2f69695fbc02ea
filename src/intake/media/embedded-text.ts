/**
 * The first text that is not empty, shortened to the length of a description: from a picture or the heading of a page.
 */
export function embeddedDescription(...texts: unknown[]): string | undefined {
  return firstOf(texts, 1000)
}

/** The first text that is not empty, shortened to the length of a name: from a font. */
export function embeddedName(...texts: unknown[]): string | undefined {
  return firstOf(texts, 200)
}

/** Runs of control characters and white space become one space. The lengths are those that written texts may have. */
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
