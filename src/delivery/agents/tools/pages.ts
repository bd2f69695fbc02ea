import { filename, isPicture, pictureMetadata } from '#brand/file.ts'
import { refOf } from '#brand/ids.ts'
import type { Page } from '#brand/page.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import { contentEntryKey } from '#platform/caches/caches.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import { type Addresses, contentWithLinks, targetAddress } from '#serving/addresses.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { replyKey } from '#serving/replies/content-keys.ts'
import { markdownText, oneLine } from '../../export/agents/markdown-text.ts'
import { pageSections } from '../../search/page-sections.ts'
import { contentId } from './content-id.ts'
import { applicable, type Outcome } from './output.ts'
import { fittingEntries, textPart } from './reply-size.ts'
import { type Arguments, notFound, openProject, type PageText, type Reader, type Section } from './tool.ts'

/** The pages of a project in reading order. */
export async function listPages(reader: Reader, { project }: Arguments): Promise<Outcome<'list_pages'>> {
  const opened = openProject(reader, project)
  if (!opened.ok) return opened
  const { record, content } = opened.value
  const all = await content.pages()
  const pages = fittingEntries(
    all.values().map(({ id, name, description }) => ({
      id,
      name,
      ...withoutUndefined({ description }),
      url: reader.addresses.page(record, id),
    })),
  )
  const hint = applicable([
    pages.length < all.size,
    `Only the first ${pages.length} pages are listed. Call search for others.`,
  ])
  return ok({ ...refOf(record), total: all.size, pages, ...withoutUndefined({ hint }) })
}

/** A page's Markdown, or a part of it from an offset. */
export async function getPage(
  reader: Reader,
  { project, page: id, offset = 0 }: Arguments,
): Promise<Outcome<'get_page'>> {
  const opened = openProject(reader, project)
  if (!opened.ok) return opened
  const { record, content } = opened.value
  const page = await findPage(opened.value, id)
  if (!page) return failed(notFound('page', id, (await content.pages()).keys(), 'Call list_pages for all pages.'))
  const { text, pictures: all } = await readPage(reader, opened.value, page)
  if (offset > text.length) return failed(`The page ends at offset ${text.length}. Call get_page without an offset.`)
  const { part, nextOffset } = textPart(text, offset)
  // A picture that the text does not name, such as the cover, belongs to the first part.
  const picturesInPart = all.filter(({ url }) => (text.includes(url) ? part.includes(url) : offset === 0))
  const pictures = fittingEntries(picturesInPart, part)
  const hint = applicable(
    [
      nextOffset !== undefined,
      `This is a part of ${text.length} characters. Call get_page with offset ${nextOffset} for the next part.`,
    ],
    [
      pictures.length < picturesInPart.length,
      `Only the first ${pictures.length} of ${picturesInPart.length} pictures are listed.`,
    ],
  )
  return ok({
    ...refOf(record),
    page: page.id,
    name: page.name,
    url: reader.addresses.page(record, page.id),
    content: part,
    pictures,
    ...withoutUndefined({ nextOffset, hint }),
  })
}

/** Finds a page by its current or an earlier id. Also accepts the path of its Markdown file. */
export async function findPage({ content }: Publication, text: string): Promise<Page | undefined> {
  const pages = await content.pages()
  const id = text.replace(/^\/|\/$|(?:\/index)?\.md$/g, '')
  return pages.get(text) ?? pages.get(id) ?? pages.values().find(({ aliases }) => aliases?.includes(id))
}

/** The published projects that the reader may see, by name. */
export async function listProjects(reader: Reader): Promise<Outcome<'list_projects'>> {
  const { workspace, projects: all, addresses } = reader
  const projects = fittingEntries(
    all.values().map(record => ({ id: record.project, name: record.published.name, url: addresses.project(record) })),
  )
  const hint = applicable([projects.length < all.length, `Only the first ${projects.length} projects are listed.`])
  return ok({ workspace, total: all.length, projects, ...withoutUndefined({ hint }) })
}

/** Reads a page, from the cache if possible. */
export async function readPage(reader: Reader, publication: Publication, page: Page): Promise<PageText> {
  const key = contentEntryKey(replyKey(publication), `agents:${page.id}`)
  const make = async () => {
    const value = await makePage(reader, publication, page)
    return { value, bytes: memoryOf(value) }
  }
  return reader.pages.get(key) ?? (await reader.pages.make(key, make)) ?? (await makePage(reader, publication, page))
}

/** The text of a page with absolute addresses. A picture without an alt text gets the description of its file. */
async function makePage({ addresses }: Reader, publication: Publication, page: Page): Promise<PageText> {
  const { record, content } = publication
  const files = await content.files()
  const descriptions = new Map<string, string>()
  const textWithAddresses = await contentWithLinks(publication, page, to => {
    const address = targetAddress(record, to, files, addresses)
    const file = to.file === undefined ? undefined : files.get(to.file)
    const { description } = file ? pictureMetadata(file) : {}
    if (address !== undefined && description !== undefined) descriptions.set(address, description)
    return address
  })
  // `![](address` or `![](<address`.
  const text = textWithAddresses.replace(/!\[\]\((<?)([^\s()<>]+)/g, (whole, open: string, address: string) => {
    const description = descriptions.get(address)
    return description === undefined ? whole : `![${markdownText(description)}](${open}${address}`
  })
  return { text, sections: sectionsOf(text), pictures: await picturesOf(publication, page, addresses) }
}

/**
 * The pictures that a page shows, each once: its cover, then those in its text, but not mere links to some. `page.links` has
 * the offset of every address in the text; the characters before it say what it is the address of.
 */
async function picturesOf({ record, content }: Publication, page: Page, addresses: Addresses) {
  const files = await content.files()
  const text = await content.text(page)
  const pictures = new Map<string, PageText['pictures'][number]>()
  const add = (path: string | undefined, alt = '') => {
    const file = files.get(path ?? '')
    if (!file || !isPicture(file) || pictures.has(file.path)) return
    const description = oneLine(alt) || file.metadata?.description || file.title || filename(file.path)
    const id = contentId('file', record.project, file.path)
    pictures.set(file.path, { id, description, url: addresses.file(record, file) })
  }
  add(page.cover?.file)
  const altByLabel = new Map(
    Array.from(text.matchAll(REFERENCE), ([, alt = '', label]) => [(label || alt).toLowerCase(), alt]),
  )
  for (const { start, to } of page.links) {
    const before = text.slice(Math.max(0, start - MAX_ALT), start)
    const [, label] = groupsOf(DEFINITION_START, before)
    // Neither a definition nor a link of Markdown is an address in HTML, which shows a picture except in `href`.
    const [, mark = '!', alt] = groupsOf(LINK_START, before)
    const words = label === undefined ? alt : altByLabel.get(label.toLowerCase())
    const isShown = label === undefined ? mark === '!' : words !== undefined
    // The alt text without the backslashes of escapes.
    if (isShown && !HTML_LINK_START.test(before)) add(to.file, words?.replace(/\\(?=[!-/:-@[-`{-~])/g, ''))
  }
  return [...pictures.values()]
}

/** `![alt][label]` or `![label]`, a picture whose address is in a definition, `[label]: logo.svg`, which others may share. */
const REFERENCE = /(?<!\\)!\[([^[\]]{0,1000})\](?:\[([^[\]]{0,1000})\])?/g
/** `[label]: ` at the start of a line, before an address. */
const DEFINITION_START = /(?:^|\n) {0,3}\[([^[\]]+)\]:\s*<?$/
/** `![alt](` of a picture, or `[text](` of a link, also around a picture: the mark `!` or nothing, and the text. */
const LINK_START = /((?<!\\)!|)(?<!\\)\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*<?$/s
/** ` href="`. */
const HTML_LINK_START = /\shref\s*=\s*["']?$/i
const MAX_ALT = 2000

/** The sections in order. The first one has no anchor: it is the start of the page, also if that has a title. */
function sectionsOf(text: string): Section[] {
  const lineStarts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1)
  const parts = pageSections(text).map(part => ({ ...part, start: lineStarts[part.line] ?? text.length }))
  const sections = parts.map(({ level, heading, id, start }, at) => {
    const isTop = at === 0 && level < 2
    const later = parts.slice(at + 1)
    // `ownEnd` is the next heading of any level, `end` the next one of the same level or a higher one.
    return {
      heading: isTop ? '' : heading,
      anchor: isTop ? '' : id,
      start: isTop ? 0 : start,
      ownEnd: later[0]?.start ?? text.length,
      end: isTop ? text.length : (later.find(part => part.level <= level)?.start ?? text.length),
    }
  })
  if (sections[0]?.anchor === '') return sections
  const top = { heading: '', anchor: '', start: 0, ownEnd: sections[0]?.start ?? text.length, end: text.length }
  return [top, ...sections]
}
