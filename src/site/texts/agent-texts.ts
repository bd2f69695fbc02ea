import { joinBytes } from '../../base/bytes.ts'
import { inSteps, pacing } from '../../base/steps.ts'
import type { Color } from '../../brand/color.ts'
import { HOME_PAGE, type Page } from '../../brand/page.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { Representation } from '../../serving/response-cache.ts'
import type { Guide } from '../guide/guide.ts'
import { guideText } from './guide-text.ts'
import { markdownOf } from './markdown-source.ts'

/** `llms.txt`: what a guide holds and where its Markdown stands, in the form of llmstxt.org. */
export async function agentIndex(guide: Guide): Promise<Representation> {
  const { publication, urls } = guide
  const twin = ({ id }: Page): string => `${urls.page(publication.record, id)}.md`
  const entries = await inSteps((await publication.content.pages()).values(), LINES_AT_ONCE, page => {
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
const MAX_TEXT = 16 << 20

/** `llms-full.txt`: every page, in reading order, and every value; made in steps between which others are answered. */
export async function agentText(guide: Guide): Promise<Representation> {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  const pace = pacing(TEXT_AT_ONCE)
  const add = (text: string) => {
    if (text !== '') parts.push(encoder.encode(parts.length === 0 ? text : `\n${text}`))
    return pace(text.length + 1000)
  }
  await add(await heading(guide))
  await add(await values(guide))
  let length = 0
  for (const page of (await guide.publication.content.pages()).values()) {
    const markdown = await markdownOf(guide, page)
    length += markdown.length
    if (length > MAX_TEXT) {
      await add(`The guide goes on: llms.txt lists its other pages, from "${oneLine(page.name)}" on.\n`)
      break
    }
    await add(markdown.endsWith('\n') ? markdown : `${markdown}\n`)
  }
  return guideText(guide, joinBytes(parts), 'text/plain')
}

/** Characters, and lines of a list: a few milliseconds' work. */
const TEXT_AT_ONCE = 64 << 10
const LINES_AT_ONCE = 250

async function heading({ publication }: Guide): Promise<string> {
  const home = (await publication.content.pages()).get(HOME_PAGE)
  const about = home?.description === undefined ? '' : `\n> ${oneLine(home.description)}\n`
  return `# ${oneLine(publication.published.name)}\n${about}`
}

async function values({ publication }: Guide): Promise<string> {
  const [colors, types] = await Promise.all([publication.content.colors(), publication.content.types()])
  const lists = [
    colors.length > 0 ? `## Colours\n\n${(await inSteps(colors, LINES_AT_ONCE, colorLine)).join('')}` : '',
    types.length > 0 ? `## Type styles\n\n${(await inSteps(types, LINES_AT_ONCE, typeLine)).join('')}` : '',
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
