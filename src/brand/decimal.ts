/**
 * Whether a text is a number in plain decimal notation: `16`, `-0.02`, `.5`. Whatever else programs call a number
 * (hexadecimal, exponents, separators, units, infinities) is not; nor is one of more than 100 characters.
 */
export function isDecimal(text: string): boolean {
  return text.length <= 100 && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)
}

/** A decimal number without a sign, written without needless zeros: `84.50` is `84.5`, `.5` is `0.5`, `007` is `7`. */
export function shortestDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const digits = fraction.replace(/0+$/, '')
  return (whole.replace(/^0+/, '') || '0') + (digits === '' ? '' : `.${digits}`)
}
