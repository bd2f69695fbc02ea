import { inFormats, wordsIn } from '#platform/base/text.ts'

/** Whether a file is a palette or has design tokens, by its name, also one in a format that is not read. */
export function isPalette(path: string): boolean {
  return PALETTES.test(path)
}

const PALETTES = inFormats('tokens, ase, aco, gpl, pal, hex, acb, acbl, act, clr, cxf, soc, sketchpalette, afpalette')

/** Whether a file may have styles by the format in its name, which need not be YAML. */
export function isStyleFile(path: string): boolean {
  return isPalette(path) || STYLES.test(path)
}

const STYLES = inFormats('json, json5, jsonc, csv, css, scss, sass')

/** Whether a path, or names of data around a value, say that there are colours. */
export function namesColors(path: string): boolean {
  return hasAny(path, COLORS)
}

const COLORS = wordsIn('color, colour, palette, swatch, farbe, couleur, token, brand')

/** Whether a file of YAML may have styles by its path: it is about colours, a theme or a guide, or has data of a site. */
export function namesStyles(path: string): boolean {
  return YAML.test(path) && hasAny(`/${path}`, [...COLORS, ...STYLE_WORDS])
}

const YAML = inFormats('yml, yaml')
const STYLE_WORDS = wordsIn('propert, guide, theme, /data/, /_data/')

function hasAny(path: string, parts: readonly string[]): boolean {
  return parts.some(part => path.toLowerCase().includes(part))
}
