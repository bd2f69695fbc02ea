import type { Page } from '../brand/page.ts'
import { contentWithAddresses } from '../serving/addresses.ts'
import { cachingOf } from '../serving/caching.ts'
import type { Made } from '../serving/prepared.ts'
import type { Guide } from './guide.ts'

/** A page as Markdown: front matter with what is known of it, and its content as the API gives it. */
export async function markdownTwin(guide: Guide, id: string): Promise<Made | undefined> {
  const page = (await guide.publication.content.pages()).get(id)
  return page && text(guide, await markdownOf(guide, page), 'text/markdown')
}

/** The Markdown of a page with front matter. */
export async function markdownOf({ publication, urls }: Guide, page: Page): Promise<string> {
  const { name: title, id, description } = page
  const fields = Object.entries({ title, id, description }).filter(([, value]) => value !== undefined)
  // A JSON string is a YAML scalar as well (YAML 1.2.2 §1.3).
  const lines = fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
  return `---\n${lines.join('')}---\n${await contentWithAddresses(publication, page, urls)}`
}

/** Text about a guide, for programs. */
export function text(guide: Guide, content: string, type: string): Made {
  const bytes = new TextEncoder().encode(content)
  return { bytes, type: ['Content-Type', `${type}; charset=utf-8`], about: cachingOf(guide.publication) }
}
