import type { Page } from '../../brand/page.ts'
import { withFrontMatter } from '../../export/agents/front-matter.ts'
import { withAddresses } from '../../serving/addresses.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import type { Guide } from '../guide/guide.ts'
import { guideText } from './guide-text.ts'

/** A page as Markdown: its fields as front matter, then its content as in the API. Undefined without such a page. */
export async function markdownSource(guide: Guide, id: string): Promise<Representation | undefined> {
  const page = (await guide.publication.content.pages()).get(id)
  if (!page) return undefined
  const text = await guide.publication.content.text(page)
  return guideText(guide, [await markdownOf(guide, page, text)], 'text/markdown')
}

/** The Markdown of a page with front matter, and addresses in its links. */
export async function markdownOf({ publication, urls }: Guide, page: Page, text: string): Promise<string> {
  return withFrontMatter(page, await withAddresses(publication, page, text, urls))
}
