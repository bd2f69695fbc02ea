import { setImmediate as pause } from 'node:timers/promises'
import { quote } from '../../base/text.ts'
import { type Hash, isPageId, type PageId } from '../../brand/ids.ts'
import { slug } from '../../brand/slug.ts'
import { problem } from '../folder/findings.ts'
import type { Offset } from '../folder/spill-buffer.ts'
import type { WalkedFile } from '../folder/walk.ts'
import type { ProjectReading } from '../project/project-context.ts'
import { inFolder } from '../project/project-folder.ts'
import { readPageText } from './page-text.ts'

/** A page as it was read, before its links are followed. */
export type PageSource = {
  /** Relative to the project: `pages/logo/misuse.md`. */
  source: string
  /** Relative to the brand folder. */
  path: string
  id: PageId
  name: string
  description?: string
  order?: number
  /** The hash of the content. */
  content: Hash
  /** The line of the file that the content begins at. */
  contentLine: number
  /** Where its relative links stand in the spill buffer, packed. */
  destinations: Offset
}

/** Reads the pages of a project; one that cannot be read, or whose id is taken, is left out with a finding. */
export async function readPages(reading: ProjectReading, files: readonly WalkedFile[]): Promise<PageSource[]> {
  const pages: PageSource[] = []
  const byId = new Map<string, PageSource>()
  let paused = performance.now()
  for (const file of files) {
    if (performance.now() - paused > MAX_MS) {
      await pause()
      paused = performance.now()
    }
    reading.options.signal.throwIfAborted()
    const page = await readPage(reading, file)
    reading.advance()
    if (!page) continue
    const other = byId.get(page.id)
    if (other) reportDuplicateIds(reading, page, other)
    byId.set(page.id, page)
    pages.push(page)
  }
  return pages
}

/** How long pages are read before other work goes on: the reading of files, and a signal to stop. */
const MAX_MS = 10

async function readPage(reading: ProjectReading, file: WalkedFile): Promise<PageSource | undefined> {
  const { project, findings } = reading
  const { path } = file
  const text = await readPageText(reading, file)
  if (text === undefined) return undefined
  findings.add(project.id, path, ...text.problems)
  const source = path.slice(inFolder(project.folder, '').length)
  const { title, description, order, heading, content, contentLine, destinations } = text
  const id = text.id ?? idOf(source)
  if (!isPageId(id)) {
    findings.add(project.id, path, problem('id-invalid', noId(id)))
    return undefined
  }
  return {
    source,
    path,
    id,
    content,
    contentLine,
    destinations,
    name: title ?? heading ?? nameOf(source),
    ...(description !== undefined && { description }),
    ...(order !== undefined && { order }),
  }
}

/** `pages/Logo/Clear space.md` → `logo/clear-space`; a folder's `index.md` has the folder's id. */
function idOf(source: string): string {
  return segmentsOf(source).map(slug).join('/')
}

/** The file's name without its extension; of a folder's `index.md`, the folder's. */
function nameOf(source: string): string {
  return segmentsOf(source).at(-1)?.normalize('NFC') ?? ''
}

function segmentsOf(source: string): string[] {
  const segments = source.slice('pages/'.length, -'.md'.length).split('/')
  if (segments.length > 1 && segments.at(-1)?.toLowerCase() === 'index') segments.pop()
  return segments
}

function noId(id: string): string {
  const why = id.length > 255 ? 'is longer than 255 characters' : 'has a part without a letter or digit'
  return `the address made from its path, ${quote(id)}, ${why}: write id: in the front matter`
}

function reportDuplicateIds({ project, findings }: ProjectReading, page: PageSource, other: PageSource): void {
  const message = `${page.path} and ${other.path} are both page ${page.id}: rename one, or write another id: in its front matter`
  for (const { path } of [page, other]) findings.add(project.id, path, problem('id-taken', message))
}
