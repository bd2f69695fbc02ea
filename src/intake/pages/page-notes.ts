import { withoutUndefined } from '../../base/object.ts'
import { quote } from '../../base/text.ts'
import type { Color } from '../../brand/color.ts'
import { type BrandFile, isPicture } from '../../brand/file.ts'
import type { PageId, StyleId } from '../../brand/ids.ts'
import type { Page } from '../../brand/page.ts'
import { problem } from '../folder/findings.ts'
import { pictureFormatProblem } from '../media/picture-format.ts'
import type { ProjectReading } from '../reading.ts'
import type { Reference } from '../yaml/references.ts'
import { indexPaths, resolvePath } from './link-target.ts'
import type { PageSource } from './pages.ts'

/** What the website knows of pages besides, by their ids. What leads nowhere is reported, and is left out. */
export function resolvePageNotes(
  { project, findings }: ProjectReading,
  sources: readonly PageSource[],
  files: readonly BrandFile[],
  colors: readonly Color[],
): ReadonlyMap<PageId, Pick<Page, 'cover' | 'ground' | 'wide' | 'nav' | 'aliases'>> {
  const colorIds = new Map<string, StyleId>(colors.map(({ id }) => [id, id]))
  const pictures = indexPaths(files.filter(isPicture).map(({ path }) => path))
  const contentTypes = new Map(files.map(({ path, contentType }) => [path, contentType]))
  const groundOf = ({ path, notes: { ground } }: PageSource): StyleId | undefined => {
    const color = ground && colorIds.get(ground.text)
    if (!ground || color !== undefined) return color
    const message = `ground: is ${quote(ground.text)}, which is the id of no colour, and is left out: write one of styles/colors.yaml`
    const unknown = problem('front-matter-value-unknown', message, ground.line)
    findings.add(project.id, path, { ...unknown, missing: { path: 'styles/colors.yaml', id: ground.text } })
    return undefined
  }
  const coverOf = ({ path, source, notes: { cover } }: PageSource): Page['cover'] => {
    if (!cover) return undefined
    const color = colorIds.get(cover.text)
    if (color !== undefined) return { color }
    const file = pictureAt(cover, source, pictures)
    if (file !== undefined) {
      const unshown = pictureFormatProblem(`cover: ${quote(cover.text)}`, contentTypes.get(file), cover.line)
      if (unshown) findings.add(project.id, path, unshown)
      return { file }
    }
    const message = `cover: is ${quote(cover.text)}, which is neither a picture of the project nor the id of a colour, and is left out: write the path of a picture from this page, or an id`
    const unknown = problem('cover-unknown', message, cover.line)
    findings.add(project.id, path, { ...unknown, missing: { path: 'styles/colors.yaml', id: cover.text } })
    return undefined
  }
  return new Map(
    sources.map(source => {
      const { wide, nav } = source.notes
      const aliases = source.notes.aliases?.map(({ id }) => id)
      return [source.id, withoutUndefined({ cover: coverOf(source), ground: groundOf(source), wide, nav, aliases })]
    }),
  )
}

/** The picture at a path from a page, or from `pages/` if it begins with a slash. */
function pictureAt({ text }: Reference, source: string, pictures: ReadonlyMap<string, string>): string | undefined {
  const folder = text.startsWith('/') ? 'pages' : source.slice(0, source.lastIndexOf('/'))
  const path = resolvePath(folder, text)
  return path === undefined ? undefined : (pictures.get(path) ?? pictures.get(path.normalize('NFC')))
}
