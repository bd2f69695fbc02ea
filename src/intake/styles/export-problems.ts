import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { inkKey } from '../../brand/styles/ink.ts'
import { themeNames } from '../../brand/styles/tailwind-names.ts'
import { problem } from '../folder/findings.ts'
import { inFolder } from '../project/project-folder.ts'
import type { ProjectReading } from '../reading.ts'
import type { WrittenStyles } from './styles.ts'

/** Reports what makes exports of a project incomplete, ambiguous or unlawful. */
export function checkExports(
  { project, findings }: ProjectReading,
  styles: WrittenStyles,
  files: readonly { path: string; webObstacle?: string }[],
): void {
  const inStyles = (name: string) => inFolder(project.folder, `styles/${name}`)
  const renamed = tailwindNames(styles)
  findings.add(project.id, inStyles('colors.yaml'), ...withoutCmyk(styles), ...spotNames(styles), ...renamed.colors)
  findings.add(project.id, inStyles('types.yaml'), ...renamed.types)
  for (const { path, webObstacle } of files) {
    if (webObstacle === undefined) continue
    const message = `the font may not be used on the web: ${webObstacle}; replace it, or take it out of the folder if you have no other licence`
    findings.add(project.id, inFolder(project.folder, path), problem('export-font-rights', message))
  }
}

/** The colours without CMYK, if others have it. */
function withoutCmyk({ colors, colorLines }: WrittenStyles): Problem[] {
  if (colors.every(({ cmyk }) => cmyk === undefined)) return []
  return colors.flatMap(({ name, cmyk }, at) => {
    if (cmyk !== undefined) return []
    const message = `${quote(name)} has no "cmyk", as others have: write it, or the colour is missing among swatches for print`
    return [problem('export-cmyk-missing', message, colorLines[at])]
  })
}

/** The inks that are written in another way than where they are first named: programs make a plate for each spelling. */
function spotNames({ colors, colorLines }: WrittenStyles): Problem[] {
  const first = new Map<string, string>()
  return colors.flatMap(({ pms, pms2 }, at) =>
    [pms, pms2].flatMap(ink => {
      if (ink === undefined) return []
      const known = first.get(inkKey(ink))
      if (known === undefined) first.set(inkKey(ink), ink)
      if (known === undefined || known === ink) return []
      const message = `${quote(ink)} is the ink that another colour calls ${quote(known)}: write it the same way, or it becomes a plate of its own`
      return [problem('export-ink-names', message, colorLines[at])]
    }),
  )
}

/** The ids that mean something else to Tailwind, or that it cannot use: they have another name in its theme. */
function tailwindNames({ colors, colorLines, types }: WrittenStyles): { colors: Problem[]; types: Problem[] } {
  const names = themeNames(
    colors,
    types.map(({ style }) => style),
  )
  const renamed = (id: string, name: string | undefined, line: number | undefined) => {
    if (name === undefined || name === id) return []
    const message = `the id ${quote(id)} is taken in Tailwind, or cannot be used there, and is called ${quote(name)} in its theme: give the style another "id" if that name will not do`
    return [problem('export-tailwind-name', message, line)]
  }
  return {
    colors: colors.flatMap(({ id }, at) => renamed(id, names.colors.get(id), colorLines[at])),
    types: types.flatMap(({ style: { id }, line }) => renamed(id, names.types.get(id), line)),
  }
}
