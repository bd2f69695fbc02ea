import { withoutUndefined } from '../../base/object.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import type { Page } from '../../brand/page.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import { readPage } from './page-text.ts'
import { notFound, openProject, type Reader } from './reader.ts'
import { fittingEntries, textPart } from './reply-size.ts'
import type { Arguments } from './tool.ts'

/** The pages of a project in reading order. */
export async function listPages(reader: Reader, { project }: Arguments): Promise<Result<object, string>> {
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
  return ok({
    workspace: record.workspace,
    project: record.project,
    total: all.size,
    pages,
    ...(pages.length < all.size && {
      hint: `Only the first ${pages.length} pages are listed. Call search for others.`,
    }),
  })
}

/** A page's Markdown, or a part of it from an offset. */
export async function getPage(
  reader: Reader,
  { project, page: id, offset = 0 }: Arguments,
): Promise<Result<object, string>> {
  const opened = openProject(reader, project)
  if (!opened.ok) return opened
  const { record, content } = opened.value
  const page = await findPage(opened.value, id)
  if (!page) return failed(notFound('page', id, (await content.pages()).keys(), 'Call list_pages for all pages.'))
  const { text } = await readPage(reader, opened.value, page)
  if (offset > text.length) return failed(`The page ends at offset ${text.length}. Call get_page without an offset.`)
  const { part, nextOffset } = textPart(text, offset)
  return ok({
    workspace: record.workspace,
    project: record.project,
    page: page.id,
    name: page.name,
    url: reader.addresses.page(record, page.id),
    content: part,
    ...(nextOffset !== undefined && {
      nextOffset,
      hint: `This is a part of ${text.length} characters. Call get_page with offset ${nextOffset} for the next part.`,
    }),
  })
}

/** Finds a page by its current or an earlier id. Also accepts the path of its Markdown file. */
export async function findPage({ content }: Publication, text: string): Promise<Page | undefined> {
  const pages = await content.pages()
  const id = text.replace(/^\/|\/$|(?:\/index)?\.md$/g, '')
  return pages.get(text) ?? pages.get(id) ?? pages.values().find(({ aliases }) => aliases?.includes(id))
}
