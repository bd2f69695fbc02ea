import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { inkKey } from '../../brand/styles/ink.ts'
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
  findings.add(project.id, inStyles('colors.yaml'), ...withoutCmyk(styles), ...spotNames(styles))
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
