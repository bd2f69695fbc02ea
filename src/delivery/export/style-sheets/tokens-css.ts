import { type Color, PRINT_KEYS } from '#brand/color.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { ok } from '#platform/base/result.ts'
import { headLines, type MakeExport, textFile } from '../format.ts'
import { cssComment, fluidSize, printValue, schemeRules, type TypeValue, typeValuesInCss } from './css-text.ts'

/**
 * A custom property for each value, and a class for each type style. Names begin with the kind, `color-` or `type-`, and with
 * the `--prefix` if there is one; so no id has to be escaped, as one with a digit first would be (CSSOM).
 */
export const tokensCss: MakeExport = async source => {
  const { content } = source.publication
  const colors = await content.colors()
  const types = await content.types()
  const start = source.options.prefix === undefined ? '' : `${source.options.prefix}-`
  const properties = colors.map(color => colorProperties(color, start))
  const styles = types.map(style => typeTexts(style, `${start}type-${style.id}`))
  const parts = [
    cssComment(headLines(source, [])),
    '\n:root {\n',
    ...properties,
    ...styles.map(style => style.properties),
    '}\n',
    ...schemeRules(colors, ':root', id => colorName(start, id)),
    ...styles.map(style => style.rule),
  ]
  return ok({ files: [textFile('tokens.css', parts)], leftOut: [] })
}

/** The hex value of a colour, and its print values. The kind comes before the id, so that no two names can be equal. */
function colorProperties(color: Color, start: string): string {
  const print = PRINT_KEYS.map(field => {
    const value = printValue(color, field)
    return value === undefined ? '' : `  --${start}${field}-${color.id}: ${value};\n`
  })
  return `  ${colorName(start, color.id)}: ${color.hex};\n${print.join('')}`
}

function colorName(start: string, id: Color['id']): string {
  return `--${start}color-${id}`
}

/** The custom properties of a type style, and the class that sets its values to them. */
function typeTexts(style: TypeStyle, name: string): { properties: string; rule: string } {
  const values = typeValuesInCss(style)
  const declarations = values.map(
    value => `  ${value.property}: ${usedValue(style, value, `--${name}-${value.name}`)};\n`,
  )
  return {
    properties: values.map(value => `  --${name}-${value.name}: ${value.value};\n`).join(''),
    rule: `\n.${name} {\n${declarations.join('')}}\n`,
  }
}

/** The value that a class sets a property to: its variable, or for a fluid size, a formula up to its variable. */
function usedValue({ size, responsive }: TypeStyle, { property }: TypeValue, variable: string): string {
  const value = `var(${variable})`
  return property === 'font-size' && size !== undefined && responsive ? fluidSize(size, value) : value
}
