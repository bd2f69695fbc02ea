import { quote } from '../../base/text.ts'
import type { Link, Page } from '../../brand/page.ts'
import { problem } from '../folder/findings.ts'
import type { WalkedFile } from '../folder/walk.ts'
import type { Destination } from '../markdown/markdown.ts'
import { embeddedDescription } from '../media/embedded-text.ts'
import type { ProjectReading } from '../project/project-context.ts'
import { inFolder } from '../project/project-folder.ts'
import { linkTarget, type SiteMap, siteMap } from './link-target.ts'
import { linkPacker, unpackDestinations } from './packed-links.ts'
import type { PageSource } from './page-sources.ts'

/** Pages with their links followed, and the alt texts that they give pictures, by path. */
export type LinkedPages = { pages: LinkedPage[]; altTexts: ReadonlyMap<string, string> }

/** A page whose links stay in the spill buffer until they are asked for. */
export type LinkedPage = Omit<Page, 'links'> & { order?: number; links: () => Link[] }

/**
 * Follows the relative links of all pages. One that leads nowhere is reported, and left as it is.
 *
 * @param files all files of the project, read or not: a link to a file that cannot be read is not broken
 */
export function followLinks(
  reading: ProjectReading,
  sources: readonly PageSource[],
  files: readonly WalkedFile[],
): LinkedPages {
  const { length } = inFolder(reading.project.folder, '')
  const paths = files.map(({ path }) => path.slice(length))
  const map = siteMap(sources, paths)
  const altTexts = new Map<string, string>()
  const { spill } = reading.options
  const { pack, unpack } = linkPacker()
  const pages = sources.map(source => {
    const { id, name, description, order, content } = source
    const destinations = unpackDestinations(new TextDecoder().decode(spill.get(source.destinations)))
    const links = destinations.flatMap(destination => followLink(reading, source, destination, map, altTexts))
    const place = spill.put(pack(links))
    return {
      id,
      name,
      content,
      links: () => unpack(spill.get(place)),
      ...(description !== undefined && { description }),
      ...(order !== undefined && { order }),
    }
  })
  return { pages, altTexts }
}

function followLink(
  { project, findings }: ProjectReading,
  source: PageSource,
  { start, end, path, kind, alt, line }: Destination,
  map: SiteMap,
  altTexts: Map<string, string>,
): Link[] {
  const to = linkTarget(path, source.source, map)
  if (!to) {
    const fileLine = source.contentLine + line - 1
    const message = `the ${kind} ${quote(path)} leads to nothing in the project: correct its path, or add the file`
    if (!path.startsWith('/')) findings.add(project.id, source.path, problem('link-broken', message, fileLine))
    return []
  }
  const description = 'file' in to && !altTexts.has(to.file) ? embeddedDescription(alt) : undefined
  if ('file' in to && description !== undefined) altTexts.set(to.file, description)
  return [{ start, end, to }]
}
