import { type Hash, isPageId, type PageId } from '../brand/ids.ts'
import { quote } from '../brand/quote.ts'
import { slug } from '../brand/slug.ts'
import { embeddedDescription } from './embedded-text.ts'
import { remark } from './findings.ts'
import { readFrontMatter, splitFrontMatter } from './front-matter.ts'
import { type Destination, readMarkdown } from './markdown.ts'
import { inFolder } from './project-folder.ts'
import type { ProjectReading } from './project-reading.ts'
import { LARGEST_PAGE, readTextFile } from './text-file.ts'
import type { WalkedFile } from './walk.ts'

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
  /** What the content is kept under. */
  content: Hash
  /** The line of the file that the content begins at. */
  contentLine: number
  destinations: readonly Destination[]
}

/** The most relative links that a page may have. */
const MOST_LINKS = 10_000

/** Reads the pages of a project; one that cannot be read, or whose id is taken, is left out with a finding. */
export async function readPages(reading: ProjectReading, files: readonly WalkedFile[]): Promise<PageSource[]> {
  const pages: PageSource[] = []
  const byId = new Map<string, PageSource>()
  for (const file of files) {
    reading.options.signal.throwIfAborted()
    const page = await readPage(reading, file.path)
    reading.advance()
    if (!page) continue
    const other = byId.get(page.id)
    if (other) tellTaken(reading, page, other)
    byId.set(page.id, page)
    pages.push(page)
  }
  return pages
}

async function readPage(reading: ProjectReading, path: string): Promise<PageSource | undefined> {
  const { root, project, findings, options } = reading
  const text = await readTextFile(root, path, project.id, findings, LARGEST_PAGE)
  if (text === undefined) return undefined
  const { yaml, content, contentLine } = splitFrontMatter(text)
  const { frontMatter, remarks } = readFrontMatter(yaml ?? '')
  findings.add(project.id, path, ...remarks)
  const source = path.slice(inFolder(project.folder, '').length)
  const id = frontMatter.id ?? idOf(source)
  if (!isPageId(id)) {
    findings.add(project.id, path, remark('id-invalid', noId(id)))
    return undefined
  }
  const { heading, destinations } = readMarkdown(content)
  if (destinations.length > MOST_LINKS)
    findings.add(
      project.id,
      path,
      remark('too-many', `the page has ${destinations.length} relative links, and may have ${MOST_LINKS}: split it`),
    )
  const { title, description, order } = frontMatter
  return {
    ...{ source, path, id, contentLine, destinations },
    name: title ?? embeddedDescription(heading) ?? nameOf(source),
    ...(description !== undefined && { description }),
    ...(order !== undefined && { order }),
    content: await options.sink.text(new TextEncoder().encode(content)),
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

function tellTaken({ project, findings }: ProjectReading, page: PageSource, other: PageSource): void {
  const message = `${page.path} and ${other.path} are both page ${page.id}: rename one, or write another id: in its front matter`
  for (const { path } of [page, other]) findings.add(project.id, path, remark('id-taken', message))
}
