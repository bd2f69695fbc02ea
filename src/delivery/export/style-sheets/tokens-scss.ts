import { type Color, PRINT_KEYS } from '#brand/color.ts'
import { darkColors } from '#brand/styles/dark-values.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { ok } from '#platform/base/result.ts'
import { headLines, type MakeExport, textFile } from '../format.ts'
import { fluidSize, inkPairs, printValue, typeValuesInCss } from './css-text.ts'

/**
 * Maps of colours, print values and type styles for `@use`. Their keys have quotes, because Sass parses a bare `red` as a
 * colour.
 */
export const tokensScss: MakeExport = async source => {
  const { content } = source.publication
  const colors = await content.colors()
  const types = await content.types()
  const printEntry = (color: Color, field: (typeof PRINT_KEYS)[number]) => {
    const inks = field === 'inks' && color.inks && inkPairs(color.inks).map(pair => pair.map(sassValue).join(': '))
    const value = inks ? `(${inks.join(', ')})` : sassValue(printValue(color, field) ?? '')
    return value === '' ? '' : `  "${color.id}": ${value},\n`
  }
  const colorEntry = ({ id, hex }: Color) => `  "${id}": ${hex},\n`
  const dark = darkColors(colors)
  const parts = [
    ...headLines(source, []).map(line => `// ${line}\n`),
    '\n$colors: (\n',
    ...colors.map(colorEntry),
    ');\n',
    ...(dark.length > 0 ? ['\n$colors-dark: (\n', ...dark.map(colorEntry), ');\n'] : []),
    ...PRINT_KEYS.flatMap(key => [`\n$${key}: (\n`, ...colors.map(color => printEntry(color, key)), ');\n']),
    '\n$types: (\n',
    ...types.map(typeEntry),
    ');\n',
  ]
  return ok({ files: [textFile('_tokens.scss', parts)], leftOut: [] })
}

/** A type style as an entry of `$types`: itself a map. */
function typeEntry(style: TypeStyle): string {
  const { id, size, responsive } = style
  const hasFluidSize = size !== undefined && responsive
  const fluid = hasFluidSize ? [{ name: 'fluid-size', value: fluidSize(size) }] : []
  const values = [...typeValuesInCss(style), ...fluid]
  const entries = values.map(({ name, value }) => `    "${name}": ${sassValue(value)},\n`)
  return `  "${id}": (\n${entries.join('')}  ),\n`
}

/** A value of CSS in a map: in brackets if it has a comma, which Sass parses as the end of the entry. */
function sassValue(css: string): string {
  return css.includes(',') ? `(${css})` : css
}
