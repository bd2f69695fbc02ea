import type { Color } from '../../brand/color.ts'
import { type BrandFile, filename } from '../../brand/file.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import { contentId, type Kind } from './content-id.ts'
import { colorText, fileText, typeText } from './item-text.ts'
import type { Reader } from './reader.ts'

/** A colour, type style or file as a search result; `page` is a page that shows it, or empty. */
export type Item = { kind: Kind; id: string; title: string; url: string; text: string; page: string }

/** A colour, type style or file. */
export type ItemTarget =
  | { kind: 'color'; of: Color }
  | { kind: 'type'; of: TypeStyle }
  | { kind: 'file'; of: BrandFile }

/** Describes an item with all its values. */
export async function itemOf({ addresses }: Reader, publication: Publication, target: ItemTarget): Promise<Item> {
  const { record, content } = publication
  const { kind } = target
  const pages = await pagesShowing(content)
  if (kind === 'file') {
    const { path, title = filename(path) } = target.of
    const id = contentId(kind, record.project, path)
    const text = fileText(target.of, await content.colors(), content.today())
    return { kind, id, title, url: addresses.file(record, target.of), text, page: pages.get(path) ?? '' }
  }
  const list = kind === 'color' ? 'colors' : 'types'
  const { id, name } = target.of
  return {
    kind,
    id: contentId(kind, record.project, id),
    title: name,
    url: addresses.style(record, { list, id }),
    text: kind === 'color' ? colorText(target.of, await content.colors()) : typeText(target.of),
    page: pages.get(`${list} ${id}`) ?? '',
  }
}

/** The first page that shows or links to each file, by path, and each style, by list and id. Computed once for content. */
async function pagesShowing(content: Publication['content']): Promise<ReadonlyMap<string, string>> {
  const cached = PAGES.get(content)
  if (cached) return cached
  const pages = new Map<string, string>()
  for (const { id: page, links } of (await content.pages()).values())
    for (const { to } of links) {
      const key = to.file ?? (to.list !== undefined && to.id !== undefined ? `${to.list} ${to.id}` : undefined)
      if (key !== undefined && !pages.has(key)) pages.set(key, page)
    }
  PAGES.set(content, pages)
  content.grow(pages.size * ENTRY_BYTES)
  return pages
}

const PAGES = new WeakMap<Publication['content'], ReadonlyMap<string, string>>()
const ENTRY_BYTES = 100
