import { withoutUndefined } from '../../base/object.ts'
import { quote } from '../../base/text.ts'
import type { Color } from '../../brand/color.ts'
import type { BrandFile } from '../../brand/file.ts'
import type { PageId, StyleId } from '../../brand/ids.ts'
import type { Page } from '../../brand/page.ts'
import { problem } from '../folder/findings.ts'
import type { ProjectReading } from '../reading.ts'
import { advice, nearest } from '../yaml/nearest.ts'
import { coverFinder } from './covers.ts'
import type { PageSource } from './pages.ts'

/** Website-only details of pages, keyed by page id. Broken references are reported and omitted. */
export function resolvePageNotes(
  { project, findings }: ProjectReading,
  sources: readonly PageSource[],
  files: readonly BrandFile[],
  colors: readonly Color[],
): ReadonlyMap<PageId, Pick<Page, 'cover' | 'ground' | 'bands' | 'wide' | 'nav' | 'aliases'>> {
  const colorIds = new Map<string, StyleId>(colors.map(({ id }) => [id, id]))
  const groundOf = ({ path, notes: { ground } }: PageSource): StyleId | undefined => {
    const color = ground && colorIds.get(ground.text)
    if (!ground || color !== undefined) return color
    const message = `"ground" is ${quote(ground.text)}, which is not the id of a colour, so it is ignored: write an id from styles/colors.yaml`
    const unknown = problem('front-matter-value-unknown', message, ground.line)
    findings.add(project.id, path, { ...unknown, missing: { path: 'styles/colors.yaml', id: ground.text } })
    return undefined
  }
  const coverOf = coverFinder({ project, findings }, files, colors)
  const bandsOf = ({ path, bands }: PageSource): StyleId[] | undefined => {
    const found = bands.flatMap(({ text, line }) => {
      const color = colorIds.get(text)
      if (color !== undefined) return color
      const help = advice(nearest(text, [...colorIds.keys()]), 'write an id from styles/colors.yaml')
      const message = `<!-- ground: ${text} --> has no effect, because ${quote(text)} is not the id of a colour: ${help}`
      const unknown = problem('layout-comment', message, line)
      findings.add(project.id, path, { ...unknown, missing: { path: 'styles/colors.yaml', id: text } })
      return []
    })
    return found.length === 0 ? undefined : [...new Set(found)]
  }
  return new Map(
    sources.map(source => {
      const { wide, nav } = source.notes
      const aliases = source.notes.aliases?.map(({ id }) => id)
      const [ground, bands] = [groundOf(source), bandsOf(source)]
      return [source.id, withoutUndefined({ cover: coverOf(source, ground), ground, bands, wide, nav, aliases })]
    }),
  )
}
