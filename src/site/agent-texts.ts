import type { Color } from '../brand/color.ts'
import { HOME_PAGE, type Page } from '../brand/page.ts'
import type { TypeStyle } from '../brand/type-style.ts'
import type { Made } from '../serving/prepared.ts'
import type { Guide } from './guide.ts'
import { guideText } from './guide-text.ts'
import { markdownOf } from './markdown-twin.ts'

/** `llms.txt`: what a guide holds and where its Markdown stands, in the form of llmstxt.org. */
export async function agentIndex(guide: Guide): Promise<Made> {
  const { publication, urls } = guide
  const pages = Array.from((await publication.content.pages()).values())
  const twin = ({ id }: Page): string => `${urls.page(publication.record, id)}.md`
  const entries = pages.map(page => {
    const about = page.description === undefined ? '' : `: ${oneLine(page.description)}`
    return `- [${linkText(page.name)}](${twin(page)})${about}\n`
  })
  const sections = [
    await heading(guide),
    entries.length > 0 ? `## Pages\n\n${entries.join('')}` : '',
    await values(guide),
    `## Optional\n\n- [The whole guide as one text](${urls.project(publication.record)}/llms-full.txt)\n`,
  ]
  return guideText(guide, sections.filter(section => section !== '').join('\n'), 'text/plain')
}

/** The most that `llms-full.txt` holds, in UTF-16 code units. */
const MOST_TEXT = 16 << 20

/** `llms-full.txt`: every page, in reading order, and every value. */
export async function agentText(guide: Guide): Promise<Made> {
  const parts = [await heading(guide), await values(guide)]
  let length = 0
  for (const page of (await guide.publication.content.pages()).values()) {
    const markdown = await markdownOf(guide, page)
    length += markdown.length
    if (length > MOST_TEXT) {
      parts.push(`The guide goes on: llms.txt lists its other pages, from "${oneLine(page.name)}" on.\n`)
      break
    }
    parts.push(markdown.endsWith('\n') ? markdown : `${markdown}\n`)
  }
  return guideText(guide, parts.filter(part => part !== '').join('\n'), 'text/plain')
}

async function heading({ publication }: Guide): Promise<string> {
  const home = (await publication.content.pages()).get(HOME_PAGE)
  const about = home?.description === undefined ? '' : `\n> ${oneLine(home.description)}\n`
  return `# ${oneLine(publication.published.name)}\n${about}`
}

async function values({ publication }: Guide): Promise<string> {
  const [colors, types] = await Promise.all([publication.content.colors(), publication.content.types()])
  const lists = [
    colors.length > 0 ? `## Colours\n\n${colors.map(colorLine).join('')}` : '',
    types.length > 0 ? `## Type styles\n\n${types.map(typeLine).join('')}` : '',
  ]
  return lists.filter(list => list !== '').join('\n')
}

function colorLine({ id: _, name, ...given }: Color): string {
  return line(name, given)
}

function typeLine({ id: _, name, features, ...given }: TypeStyle): string {
  const tags = Object.entries(features).map(([tag, value]) => `${tag} ${value}`)
  return line(name, { ...given, ...(tags.length > 0 && { features: tags.join(' ') }) })
}

function line(name: string, given: Readonly<Record<string, string | number | boolean>>): string {
  const facts = Object.entries(given).map(([key, value]) => `${key} ${value}`)
  return `- ${oneLine(name)}: ${oneLine(facts.join('; '))}\n`
}

function oneLine(words: string): string {
  return words.replace(/\s+/g, ' ').trim()
}

function linkText(name: string): string {
  return oneLine(name).replace(/[\\[\]]/g, mark => `\\${mark}`)
}
