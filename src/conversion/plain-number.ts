/**
 * A number in plain decimal notation, as style files require: JavaScript writes numbers close to 0 with an exponent. At
 * most 100 characters, the limit for reading.
 */
export function plainNumber(number: number): string {
  const text = String(number)
  return text.includes('e-') ? number.toFixed(98).replace(/0+$/, '') : text
}
