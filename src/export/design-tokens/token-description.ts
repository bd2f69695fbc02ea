/**
 * A text as `$description` of a design token, which tools copy into comments of many languages: on one line, without
 * anything that begins or ends a comment, and without braces, which are references.
 */
export function tokenDescription(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\*(?=\/)/g, '* ')
    .replace(/\/(?=\*)/g, '/ ')
    .replace(/-(?=-)/g, '- ')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
}
