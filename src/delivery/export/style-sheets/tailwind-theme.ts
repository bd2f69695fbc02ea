import { type ThemeNames, themeNames } from '#brand/styles/tailwind-names.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { failed, ok } from '#platform/base/result.ts'
import { wordSet } from '#platform/base/text.ts'
import { describeOmission, describeStyleOmissions, headLines, type MakeExport, textFile } from '../format.ts'
import { cssComment, fluidSize, schemeRules, typeValuesInCss } from './css-text.ts'

/** A theme for Tailwind 4. A utility sets the values of a type style that theme variables cannot contain. */
export const tailwindTheme: MakeExport = async source => {
  const { prefix } = source.options
  if (prefix !== undefined && !/^[a-z]+$/.test(prefix))
    return failed('a Tailwind prefix has only the letters a to z: write --prefix without digits')
  // The prefix in `@theme static prefix(acme)`, and in the variables outside of it: `--acme-color-ink`.
  const marks = prefix === undefined ? { theme: '', id: '' } : { theme: ` prefix(${prefix})`, id: `${prefix}-` }
  const { content } = source.publication
  const colors = await content.colors()
  const types = await content.types()
  const names = themeNames(colors, types)
  const variables = colors.map(({ id, hex }) => `  --color-${names.colors.get(id)}: ${hex};\n`)
  const styles = types.map(style => typeTexts(style, names.types.get(style.id) ?? style.id))
  const leftOut = [...describeRenamedIds(colors, types, names), ...describeStyleOmissions('tailwind', colors, types)]
  const parts = [
    cssComment(headLines(source, leftOut)),
    `\n@theme static${marks.theme} {\n`,
    ...variables,
    ...familyVariables(types, names),
    ...styles.map(style => style.variables),
    '}\n',
    // Rules outside of layers apply before those of Tailwind, which does not add its prefix to them.
    ...schemeRules(colors, ':root, :host', id => `--${marks.id}color-${names.colors.get(id)}`),
    ...styles.map(style => style.utility),
  ]
  return ok({ files: [textFile('theme.css', parts)], leftOut })
}

/** The variable of each family, with the fallbacks of the first style that names it. */
function familyVariables(types: readonly TypeStyle[], { families }: ThemeNames): string[] {
  const listed = new Set<string>()
  return types.flatMap(style => {
    const { family } = style
    if (family === undefined || listed.has(family)) return []
    listed.add(family)
    const list = typeValuesInCss(style).find(({ property }) => property === 'font-family')?.value
    return [`  --font-${families.get(family)}: ${list};\n`]
  })
}

/** The theme variables of a type style, and the utility for its other values. */
function typeTexts(style: TypeStyle, name: string): { variables: string; utility: string } {
  const { size, responsive, leading } = style
  const values = typeValuesInCss(style)
  // Tailwind has a style in its theme only with a size, `--text-body`, to which it adds the others.
  const inTheme = size === undefined ? [] : values.filter(({ property }) => property in THEME_KEYS)
  const variables = inTheme.map(({ property, value }) => {
    const isFluid = property === 'font-size' && size !== undefined && responsive
    return `  --text-${name}${THEME_KEYS[property] ?? ''}: ${isFluid ? fluidSize(size) : value};\n`
  })
  // Tailwind has line heights for its own sizes; a style with such a name but no leading has none.
  if (size !== undefined && leading === undefined && OWN_SIZES.has(name))
    variables.push(`  --text-${name}--line-height: initial;\n`)
  const rest = values.filter(value => !inTheme.includes(value))
  const declarations = rest.map(({ property, value }) => `  ${property}: ${value};\n`).join('')
  return {
    variables: variables.join(''),
    utility: declarations === '' ? '' : `\n@utility text-${name} {\n${declarations}}\n`,
  }
}

/** The suffix of `--text-name` for each property that Tailwind reads from the theme. */
const THEME_KEYS: Readonly<Record<string, string>> = {
  'font-size': '',
  'line-height': '--line-height',
  'letter-spacing': '--letter-spacing',
  'font-weight': '--font-weight',
}

/** The names of the sizes that Tailwind has itself. */
const OWN_SIZES = wordSet('xs sm base lg xl 2xl 3xl 4xl 5xl 6xl 7xl 8xl 9xl')

type Named = { id: string }

/** Sentences about the styles with another name in the theme than their id. */
function describeRenamedIds(colors: readonly Named[], types: readonly Named[], names: ThemeNames): string[] {
  const colorIds = new Set(colors.map(({ id }) => id))
  const typesWithColorId = types.filter(({ id }) => colorIds.has(id))
  const otherTypes = types.filter(({ id }) => !colorIds.has(id))
  const renamed = (styles: readonly Named[], nameById: ReadonlyMap<string, string>) =>
    styles.filter(({ id }) => nameById.get(id) !== id).map(({ id }) => `${id} as ${nameById.get(id)}`)
  const reason = 'Tailwind cannot use the id, or uses it for something else'
  return [
    ...describeOmission('colour id', renamed(colors, names.colors), reason),
    ...describeOmission('type style id', renamed(typesWithColorId, names.types), 'a colour has the same id'),
    ...describeOmission('type style id', renamed(otherTypes, names.types), reason),
  ]
}
