/**
 * A number in plain decimal notation, as the styles of a guide take it: JavaScript writes numbers close to 0 with an
 * exponent. At most 100 characters, which are as many as are read.
 */
export function plainNumber(number: number): string {
  const text = String(number)
  return text.includes('e-') ? number.toFixed(98).replace(/0+$/, '') : text
}
