import { inFormats } from '#platform/base/text.ts'

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
