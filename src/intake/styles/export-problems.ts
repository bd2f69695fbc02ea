import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { spotNames } from '../../brand/styles/ink.ts'
import { styleOmissions } from '../../brand/styles/style-omissions.ts'
import { themeNames } from '../../brand/styles/tailwind-names.ts'
import { problem } from '../folder/findings.ts'
import type { ProjectReading } from '../reading.ts'
import type { WrittenStyles } from './styles.ts'

/** Reports problems that make exports incomplete, ambiguous or unlawful. */
export function checkExports(
  { report }: ProjectReading,
  styles: WrittenStyles,
  files: readonly { path: string; contentType: string; webObstacle?: string }[],
): void {
  const renamed = tailwindNames(styles)
  report('styles/colors.yaml', ...withoutCmyk(styles), ...spelledInks(styles), ...renamed.colors)
  report('styles/types.yaml', ...renamed.types)
  reportOmissions(report, styles)
  for (const { path, contentType, webObstacle } of files) {
    if (contentType === 'font/collection')
      report(
        path,
        problem('export-left-out', 'in fonts: browsers do not load font collections; export each font as its own file'),
      )
    if (webObstacle === undefined) continue
    const message = `the font must not be used on the web: ${webObstacle}; replace it, or remove it from the folder unless you have another licence`
    report(path, problem('export-font-rights', message))
  }
}

/** Reports colours without CMYK if other colours have it. */
function withoutCmyk({ colors, colorLines }: WrittenStyles): Problem[] {
  if (colors.every(({ cmyk }) => cmyk === undefined)) return []
  return colors.flatMap(({ name, cmyk }, at) => {
    if (cmyk !== undefined) return []
    const message = `${quote(name)} has no "cmyk", although other colours do: write it, or the colour will be missing from print swatches`
    return [problem('export-cmyk-missing', message, colorLines[at])]
  })
}

/** Reports inks whose spelling differs from the first one: programs make a separate plate for each spelling. */
function spelledInks({ colors, colorLines }: WrittenStyles): Problem[] {
  const first = new Map<string, string>()
  return colors.flatMap((color, at) =>
    spotNames(color).flatMap(({ key, ink }) => {
      const spelling = first.get(key)
      if (spelling === undefined) first.set(key, ink)
      if (spelling === undefined || spelling === ink) return []
      const message = `${quote(ink)} is the ink that another colour spells ${quote(spelling)}: spell it the same way, or print programs make a separate plate for it`
      return [problem('export-ink-names', message, colorLines[at])]
    }),
  )
}

/** Reports what formats omit of single styles, in the words of the export. */
function reportOmissions(report: ProjectReading['report'], { colors, colorLines, types }: WrittenStyles): void {
  const styles = types.map(({ style }) => style)
  const lines = new Map<string, number | undefined>([
    ...colors.map(({ id }, at) => [`colors ${id}`, colorLines[at]] as const),
    ...types.map(({ style, line }) => [`types ${style.id}`, line] as const),
  ])
  for (const { formats, list, ids, reason } of styleOmissions(colors, styles))
    for (const id of ids) {
      const message = `${quote(id)} in ${formats.join(' and ')}: ${reason}`
      report(`styles/${list}.yaml`, problem('export-left-out', message, lines.get(`${list} ${id}`)))
    }
}

/** Reports ids that are reserved or invalid in Tailwind, and so have another name in its theme. */
function tailwindNames({ colors, colorLines, types }: WrittenStyles): { colors: Problem[]; types: Problem[] } {
  const names = themeNames(
    colors,
    types.map(({ style }) => style),
  )
  const renamed = (id: string, name: string | undefined, line: number | undefined) => {
    if (name === undefined || name === id) return []
    const message = `the id ${quote(id)} is reserved or invalid in Tailwind, or a colour's, so it is called ${quote(name)} in its theme: give the style another "id" for a different name`
    return [problem('export-tailwind-name', message, line)]
  }
  return {
    colors: colors.flatMap(({ id }, at) => renamed(id, names.colors.get(id), colorLines[at])),
    types: types.flatMap(({ style: { id }, line }) => renamed(id, names.types.get(id), line)),
  }
}
