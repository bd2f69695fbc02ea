import { inSteps, pacing } from '../../base/steps.ts'
import { HOME_PAGE, type Page } from '../../brand/page.ts'
import { markdownText, oneLine } from '../../export/agents/markdown-text.ts'
import { colorLine, typeLine } from '../../export/agents/style-lines.ts'
import type { Representation } from '../../serving/response-cache.ts'
import type { Guide } from '../guide/guide.ts'
import { guideText } from './guide-text.ts'
import { markdownOf } from './markdown-source.ts'

/** `llms.txt`: the content of a guide with links to its Markdown, in the form of llmstxt.org. */
export async function agentIndex(guide: Guide): Promise<Representation> {
  const whole = `${guide.urls.project(guide.publication.record)}/llms-full.txt`
  const sections = [
    await heading(guide),
    await pageIndex(guide),
    ...(await values(guide)),
    [`## Optional\n\n- [The whole guide as one text](${whole})\n`],
  ]
  return guideText(guide, withBlankLines(sections), 'text/plain')
}

/** The maximum length of the pages in `llms-full.txt`, in UTF-16 code units. */
const MAX_TEXT = 16 << 20

/**
 * `llms-full.txt`: every value, and every page in reading order. Made in steps, so that other requests are answered.
 */
export async function agentText(guide: Guide): Promise<Representation> {
  const sections = [await heading(guide), ...(await values(guide))]
  const pace = pacing(CHARACTERS_AT_ONCE)
  let length = 0
  for (const page of (await guide.publication.content.pages()).values()) {
    const markdown = await markdownOf(guide, page)
    length += markdown.length
    if (length > MAX_TEXT) {
      sections.push([`The guide goes on: llms.txt lists its other pages, from "${oneLine(page.name)}" on.\n`])
      break
    }
    sections.push([markdown.endsWith('\n') ? markdown : `${markdown}\n`])
    await pace(LINE_WORK + markdown.length)
  }
  return guideText(guide, withBlankLines(sections), 'text/plain')
}

/** A section of a text, in pieces. Without any, the section is left out. */
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
  const lines = await inSteps(entries, CHARACTERS_AT_ONCE, lineOf, text => LINE_WORK + text.length)
  return lines.length === 0 ? [] : [`## ${title}\n\n`, ...lines]
}

/** A few milliseconds' work. */
const CHARACTERS_AT_ONCE = 64 << 10
/** The work for a line or a page besides its characters, as a number of characters. */
const LINE_WORK = 300
