import type { Page } from '../../brand/page.ts'
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
  const { name: title, id, description } = page
  const fields = Object.entries({ title, id, description }).filter(([, value]) => value !== undefined)
  // A JSON string is a YAML scalar as well (YAML 1.2.2 §1.3).
  const lines = fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
  return `---\n${lines.join('')}---\n${await contentWithAddresses(publication, page, urls)}`
}
