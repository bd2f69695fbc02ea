/** What tells an ink from others, however its Pantone reference is written: the same for `285 C`, `285C` and `PANTONE® 285 c`. */
export function inkKey(reference: string): string {
  const ink = withoutSystem(reference)
  const key = ink
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  return key === '' ? ink : key
}

/** The name of an ink among spot colours: `PANTONE 285 C` for `285 C`, `Pantone 285 C` and `PMS 285 C`. */
export function inkName(reference: string): string {
  return `PANTONE ${withoutSystem(reference)}`.trim()
}

function withoutSystem(reference: string): string {
  return reference.trim().replace(/^(?:PANTONE|PMS)(?![\p{L}\p{N}])[®™\s]*/iu, '')
}
