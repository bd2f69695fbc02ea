/** A key for an ink, equal for `285 C`, `285C` and `PANTONE® 285 c`, but not for `P 1-11 C` and `P 11-1 C`. */
export function inkKey(reference: string): string {
  const ink = withoutSystem(reference)
  const key = ink
    .normalize('NFKC')
    .toUpperCase()
    .replace(/(?<=\p{N})[^\p{L}\p{N}]+(?=\p{N})/gu, '-')
    .replace(/[^\p{L}\p{N}-]+|(?<!\p{N})-+|-+(?!\p{N})/gu, '')
  return key === '' ? ink : key
}

/** The spot colour name of an ink: `PANTONE 285 C` for `285 C`, `Pantone 285 C` and `PMS 285 C`. */
export function inkName(reference: string): string {
  return `PANTONE ${withoutSystem(reference)}`.trim()
}

function withoutSystem(reference: string): string {
  return reference.trim().replace(/^(?:PANTONE|PMS)(?![\p{L}\p{N}])[®™\s]*/iu, '')
}
