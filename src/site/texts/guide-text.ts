import type { BrandFile } from '../../brand/file.ts'
import type { Page } from '../../brand/page.ts'
import { withFrontMatter } from '../../export/agents/front-matter.ts'
import { withAddresses } from '../../serving/addresses.ts'
import { cachingHeaders } from '../../serving/publications/publications.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import type { Guide } from '../guide/guide.ts'

/** A file about a guide for programs: Markdown, a style sheet, a list. `type` is its media type. */
export function guideText({ publication }: Guide, text: string, type: string): Representation {
  const bytes = new TextEncoder().encode(text)
  return { bytes, type: ['Content-Type', `${type}; charset=utf-8`], about: cachingHeaders(publication) }
}

/** The text of a small file in UTF-8. */
export async function fileText({ open }: Pick<Guide, 'open'>, file: BrandFile): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await open(file)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** A page as Markdown: its fields as front matter, then its content as in the API. Undefined without such a page. */
export async function markdownSource(guide: Guide, id: string): Promise<Representation | undefined> {
  const page = (await guide.publication.content.pages()).get(id)
  if (!page) return undefined
  const text = await guide.publication.content.text(page)
  return guideText(guide, await markdownOf(guide, page, text), 'text/markdown')
}

/** The Markdown of a page with front matter, and addresses in its links. */
export async function markdownOf({ publication, urls }: Guide, page: Page, text: string): Promise<string> {
  return withFrontMatter(page, await withAddresses(publication, page, text, urls))
}
