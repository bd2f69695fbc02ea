import { HOME_PAGE, type Page } from '#brand/page.ts'
import { colorLine, markdownText, oneLine, typeLine, withFrontMatter } from '#delivery/export/agents/markdown-text.ts'
import type { HeaderList } from '#platform/exchange/message.ts'
import { withAddresses } from '#serving/addresses.ts'
import { cachingHeaders } from '#serving/publications/publications.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import type { Guide } from '../guide/guide.ts'

/** `llms.txt`: the content of a guide with links to its Markdown, as defined by llmstxt.org. */
export async function agentIndex(guide: Guide): Promise<Representation> {
  const whole = guide.site.urls.below(guide.publication.record, '/llms-full.txt')
  const sections = [
    await heading(guide),
    await pageIndex(guide),
    ...(await values(guide)),
    `## Optional\n\n- [The whole guide in one file](${whole})\n`,
  ]
  return guideText(guide, withBlankLines(sections), 'text/plain')
}

/** The maximum bytes of pages in `llms-full.txt`. */
const MAX_TEXT = 16 << 20

/** `llms-full.txt`: every value, and every page in reading order. */
export async function agentText(guide: Guide): Promise<Representation> {
  const sections = [await heading(guide), ...(await values(guide))]
  let bytes = 0
  const { content } = guide.publication
  const pages = [...(await content.pages()).values()]
  // Iterates over the Markdown of these pages, in the same order.
  const texts = content.texts(pages)
  for (const page of pages) {
    const { value: text = '' } = await texts.next()
    const markdown = await markdownOf(guide, page, text)
    bytes += Buffer.byteLength(markdown)
    if (bytes > MAX_TEXT) {
      sections.push(`This file ends here. llms.txt lists the other pages, starting with "${oneLine(page.name)}".\n`)
      break
    }
    sections.push(markdown.endsWith('\n') ? markdown : `${markdown}\n`)
  }
  return guideText(guide, withBlankLines(sections), 'text/plain')
}

function withBlankLines(sections: readonly string[]): string {
  return sections.filter(section => section !== '').join('\n')
}

async function heading({ publication }: Guide): Promise<string> {
  const home = (await publication.content.pages()).get(HOME_PAGE)
  const about = home?.description === undefined ? '' : `\n> ${oneLine(home.description)}\n`
  return `# ${oneLine(publication.published.name)}\n${about}`
}

async function pageIndex({ site, publication }: Guide): Promise<string> {
  const pageLine = ({ id, name, description }: Page) => {
    const about = description === undefined ? '' : `: ${oneLine(description)}`
    return `- [${markdownText(name)}](${site.urls.markdown(publication.record, id)})${about}\n`
  }
  return list('Pages', [...(await publication.content.pages()).values()], pageLine)
}

async function values({ publication }: Guide): Promise<readonly string[]> {
  const [colors, types] = await Promise.all([publication.content.colors(), publication.content.types()])
  return [list('Colours', colors, colorLine), list('Type styles', types, typeLine)]
}

function list<Entry>(title: string, entries: readonly Entry[], lineOf: (entry: Entry) => string): string {
  if (entries.length === 0) return ''
  return `## ${title}\n\n${entries.map(lineOf).join('')}`
}

/** A file about a guide for programs: Markdown, a style sheet, a list. `type` is its media type. */
export function guideText({ publication }: Guide, text: string, type: string): Representation {
  return textFile(text, type, cachingHeaders(publication))
}

/** A file for programs, which caches may keep as `about` says. */
export function textFile(text: string, type: string, about: HeaderList): Representation {
  return { bytes: new TextEncoder().encode(text), type: ['Content-Type', `${type}; charset=utf-8`], about }
}

/** A page as Markdown: its fields as front matter, then its content as in the API. Undefined without such a page. */
export async function markdownSource(guide: Guide, id: string): Promise<Representation | undefined> {
  const page = (await guide.publication.content.pages()).get(id)
  if (!page) return undefined
  const text = await guide.publication.content.text(page)
  return guideText(guide, await markdownOf(guide, page, text), 'text/markdown')
}

/** The Markdown of a page with front matter, and addresses in its links. */
async function markdownOf({ site, publication }: Guide, page: Page, text: string): Promise<string> {
  return withFrontMatter(page, await withAddresses(publication, page, text, site.urls))
}
