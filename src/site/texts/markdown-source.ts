import type { Page } from '../../brand/page.ts'
import { withFrontMatter } from '../../export/agents/front-matter.ts'
import { contentWithAddresses } from '../../serving/addresses.ts'
import type { Representation } from '../../serving/response-cache.ts'
import type { Guide } from '../guide/guide.ts'
import { guideText } from './guide-text.ts'

/** A page as Markdown: its fields as front matter, then its content as in the API. Undefined without such a page. */
export async function markdownSource(guide: Guide, id: string): Promise<Representation | undefined> {
  const page = (await guide.publication.content.pages()).get(id)
  return page && guideText(guide, [await markdownOf(guide, page)], 'text/markdown')
}

/** The Markdown of a page with front matter. */
export async function markdownOf({ publication, urls }: Guide, page: Page): Promise<string> {
  return withFrontMatter(page, await contentWithAddresses(publication, page, urls))
}
