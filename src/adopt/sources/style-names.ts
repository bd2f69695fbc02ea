import { anyOf, inFormats, wordsIn } from '#platform/base/text.ts'

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
  return COLORS.test(path)
}

const COLORS = new RegExp(anyOf(wordsIn('color, colour, palette, swatch, farbe, couleur, token, brand')), 'i')

/** Whether a file of YAML may have styles by its path: it is about colours, a theme or a guide, or has data of a site. */
export function namesStyles(path: string): boolean {
  return YAML.test(path) && (namesColors(path) || ABOUT_STYLES.test(path))
}

const YAML = inFormats('yml, yaml')
const ABOUT_STYLES = new RegExp(`${anyOf(wordsIn('propert, guide, theme'))}|(?:^|/)_?data/`, 'i')
