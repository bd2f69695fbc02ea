import type { Color } from '#brand/color.ts'
import type { RuleId } from '#brand/finding.ts'
import type { StyleId } from '#brand/ids.ts'
import { spotNames } from '#brand/styles/ink.ts'
import { styleOmissions } from '#brand/styles/style-omissions.ts'
import { themeNames } from '#brand/styles/tailwind-names.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { quote } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import type { ProjectReading } from '../reading.ts'
import type { WrittenStyles } from './styles.ts'

/** Reports problems that make exports incomplete, ambiguous or unlawful. */
export function checkExports(
  { report }: ProjectReading,
  { colors, colorLines, types }: WrittenStyles,
  files: readonly { path: string; contentType: string; webObstacle?: string }[],
): void {
  const styles = { colors, types: types.map(({ style }) => style) }
  const lines = {
    colors: new Map(colors.map(({ id }, at) => [id, colorLines[at]])),
    types: new Map(types.map(({ style, line }) => [style.id, line])),
  }
  const found = [...withoutCmyk(styles), ...spelledInks(styles), ...tailwindNames(styles), ...omissions(styles)]
  for (const { list, id, rule, message } of found)
    report(`styles/${list}.yaml`, problem(rule, message, lines[list].get(id)))
  for (const { path, contentType, webObstacle } of files) {
    if (contentType === 'font/collection') report(path, problem('export-left-out', COLLECTION))
    if (webObstacle === undefined) continue
    const message = `the font must not be used on the web: ${webObstacle}; replace it, or remove it from the folder unless you have another licence`
    report(path, problem('export-font-rights', message))
  }
}

const COLLECTION = 'in fonts: browsers do not load font collections; export each font as its own file'

type Styles = { colors: readonly Color[]; types: readonly TypeStyle[] }

type StyleProblem = { list: keyof Styles; id: StyleId; rule: RuleId; message: string }

/** Reports colours without CMYK if other colours have it. */
function withoutCmyk({ colors }: Styles): StyleProblem[] {
  const lacking = colors.filter(({ cmyk }) => cmyk === undefined)
  if (lacking.length === colors.length) return []
  return lacking.map(({ id, name }) => {
    const message = `${quote(name)} has no "cmyk", although other colours do: write it, or the colour will be missing from print swatches`
    return { list: 'colors', id, rule: 'export-cmyk-missing', message }
  })
}

/** Reports inks whose spelling differs from the first one: programs make a separate plate for each spelling. */
function spelledInks({ colors }: Styles): StyleProblem[] {
  const first = new Map<string, string>()
  return colors.flatMap(color =>
    spotNames(color).flatMap(({ key, ink }): StyleProblem[] => {
      const spelling = first.get(key) ?? ink
      first.set(key, spelling)
      const message = `${quote(ink)} is the ink that another colour spells ${quote(spelling)}: spell it the same way, or print programs make a separate plate for it`
      return spelling === ink ? [] : [{ list: 'colors', id: color.id, rule: 'export-ink-names', message }]
    }),
  )
}

/** Reports what formats omit of single styles, in the words of the export. */
function omissions({ colors, types }: Styles): StyleProblem[] {
  return styleOmissions(colors, types).flatMap(({ formats, list, ids, reason }) =>
    ids.map(id => {
      return { list, id, rule: 'export-left-out', message: `${quote(id)} in ${formats.join(' and ')}: ${reason}` }
    }),
  )
}

/** Reports ids that are reserved or invalid in Tailwind, and so have another name in its theme. */
function tailwindNames(styles: Styles): StyleProblem[] {
  const names = themeNames(styles.colors, styles.types)
  return (['colors', 'types'] as const).flatMap(list =>
    styles[list].flatMap(({ id }): StyleProblem[] => {
      const name = names[list].get(id) ?? id
      const message = `the id ${quote(id)} is reserved or invalid in Tailwind, or a colour's, so it is called ${quote(name)} in its theme: give the style another "id" for a different name`
      return name === id ? [] : [{ list, id, rule: 'export-tailwind-name', message }]
    }),
  )
}
