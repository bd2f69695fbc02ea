/** The red, green and blue of a screen colour: whole numbers from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** A colour as `#` and six hex digits in lower case. */
export function hexText(rgb: Rgb): string {
  return `#${rgb.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
}
