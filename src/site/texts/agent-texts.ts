import { yieldIfDue } from '../../base/steps.ts'
import { HOME_PAGE, type Page } from '../../brand/page.ts'
import { markdownText, oneLine } from '../../export/agents/markdown-text.ts'
import { colorLine, typeLine } from '../../export/agents/style-lines.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import type { Guide } from '../guide/guide.ts'
import { guideText, markdownOf } from './guide-text.ts'

/** `llms.txt`: the content of a guide with links to its Markdown, as defined by llmstxt.org. */
export async function agentIndex(guide: Guide): Promise<Representation> {
  const whole = `${guide.urls.project(guide.publication.record)}/llms-full.txt`
  const sections = [
    await heading(guide),
    await pageIndex(guide),
    ...(await values(guide)),
    [`## Optional\n\n- [The whole guide in one file](${whole})\n`],
  ]
  return guideText(guide, withBlankLines(sections), 'text/plain')
}

/** The maximum bytes of pages in `llms-full.txt`, which with all lists stays below 32 MiB. */
const MAX_TEXT = 16 << 20

/**
 * `llms-full.txt`: every value, and every page in reading order. Made in steps, so that other requests are answered in between.
 */
export async function agentText(guide: Guide): Promise<Representation> {
  const sections = [await heading(guide), ...(await values(guide))]
  let bytes = 0
  const { content } = guide.publication
  const pages = [...(await content.pages()).values()]
  const texts = content.texts(pages)
  for (const page of pages) {
    const { value: text = '' } = await texts.next()
    const markdown = await markdownOf(guide, page, text)
    bytes += Buffer.byteLength(markdown)
    if (bytes > MAX_TEXT) {
      sections.push([`This file ends here. llms.txt lists the other pages, starting with "${oneLine(page.name)}".\n`])
      break
    }
    sections.push([markdown.endsWith('\n') ? markdown : `${markdown}\n`])
    await yieldIfDue()
  }
  return guideText(guide, withBlankLines(sections), 'text/plain')
}

/** A section in pieces. Empty sections are left out. */
type TextSection = readonly string[]

function withBlankLines(sections: readonly TextSection[]): string[] {
  const filled = sections.filter(({ length }) => length > 0)
  return filled.flatMap((section, at) => (at === 0 ? section : ['\n', ...section]))
}

async function heading({ publication }: Guide): Promise<TextSection> {
  const home = (await publication.content.pages()).get(HOME_PAGE)
  const about = home?.description === undefined ? '' : `\n> ${oneLine(home.description)}\n`
  return [`# ${oneLine(publication.published.name)}\n${about}`]
}

async function pageIndex({ publication, urls }: Guide): Promise<TextSection> {
  const pageLine = ({ id, name, description }: Page) => {
    const about = description === undefined ? '' : `: ${oneLine(description)}`
    return `- [${markdownText(name)}](${urls.page(publication.record, id)}.md)${about}\n`
  }
  return list('Pages', (await publication.content.pages()).values(), pageLine)
}

async function values({ publication }: Guide): Promise<readonly TextSection[]> {
  const [colors, types] = await Promise.all([publication.content.colors(), publication.content.types()])
  return [await list('Colours', colors, colorLine), await list('Type styles', types, typeLine)]
}

async function list<Entry>(
  title: string,
  entries: Iterable<Entry>,
  lineOf: (entry: Entry) => string,
): Promise<TextSection> {
  const pieces: string[] = []
  let open = `## ${title}\n\n`
  let [bytes, count, leftOut] = [0, 0, 0]
  for (const entry of entries) {
    const line = bytes > MAX_LIST ? '' : lineOf(entry)
    bytes += Buffer.byteLength(line)
    count++
    if (bytes > MAX_LIST) leftOut++
    else open += line
    if (open.length > PIECE) {
      pieces.push(open)
      open = ''
    }
    const turn = yieldIfDue()
    if (turn) await turn
  }
  if (leftOut > 0) open += `\nThis list omits ${leftOut} more. The API and the website have all of them.\n`
  return count === 0 ? [] : [...pieces, open]
}

/** Characters in a piece of a list: encoding single lines would take longer than writing them. */
const PIECE = 1 << 16

/** The maximum bytes of a list. Long names and descriptions reach it with 10,000 entries. */
const MAX_LIST = 6 << 20
