import { yieldIfDue } from '../../base/steps.ts'
import type { Color } from '../../brand/color.ts'
import { type BrandFile, filename } from '../../brand/file.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import { contentId, type Kind } from './content-id.ts'
import { colorText, fileText, typeText } from './item-text.ts'
import type { Reader } from './reader.ts'

/** A colour, type style or file as a search result; `page` is a page that shows it, or empty. */
export type Item = { kind: Kind; id: string; title: string; url: string; text: string; page: string }

export async function colorItem(reader: Reader, publication: Publication, color: Color): Promise<Item> {
  return styleItem(reader, publication, 'color', color, colorText(color, await publication.content.colors()))
}

export async function typeItem(reader: Reader, publication: Publication, style: TypeStyle): Promise<Item> {
  return styleItem(reader, publication, 'type', style, typeText(style))
}

export async function fileItem(reader: Reader, publication: Publication, file: BrandFile): Promise<Item> {
  const { record, content } = publication
  return {
    kind: 'file',
    id: contentId('file', record.project, file.path),
    title: file.title ?? filename(file.path),
    url: reader.addresses.file(record, file),
    text: fileText(file, await content.colors(), content.today()),
    page: (await pagesShowing(content)).get(file.path) ?? '',
  }
}

async function styleItem(
  { addresses }: Reader,
  { record, content }: Publication,
  kind: 'color' | 'type',
  { id, name }: Color | TypeStyle,
  text: string,
): Promise<Item> {
  const list = kind === 'color' ? 'colors' : 'types'
  return {
    kind,
    id: contentId(kind, record.project, id),
    title: name,
    url: addresses.style(record, { list, id }),
    text,
    page: (await pagesShowing(content)).get(`${list} ${id}`) ?? '',
  }
}

/** The first page that shows or links to each file, by path, and each style, by list and id. Computed once for content. */
async function pagesShowing(content: Publication['content']): Promise<ReadonlyMap<string, string>> {
  const known = shown.get(content)
  if (known) return known
  const found = new Map<string, string>()
  for (const { id: page, links } of (await content.pages()).values())
    for (const { to } of links) {
      const key = to.file ?? (to.list !== undefined && to.id !== undefined ? `${to.list} ${to.id}` : undefined)
      if (key !== undefined && !found.has(key)) found.set(key, page)
      const turn = yieldIfDue()
      if (turn) await turn
    }
  shown.set(content, found)
  content.grow(found.size * ENTRY_BYTES)
  return found
}

const shown = new WeakMap<Publication['content'], ReadonlyMap<string, string>>()
const ENTRY_BYTES = 100
