import { readBlocks } from '#formats/markdown/page-blocks.ts'
import { inFormats } from '#platform/base/text.ts'
import { indented } from '../markup.ts'
import { destination, picture, readPicture } from './pictures.ts'
import { argumentProps, flatProps, isNamed, type Prop, propsOf, type Role, roleOf } from './props.ts'
import { onOneLine } from './tables.ts'

/** The texts of props by what readers see of them, lists, and props that say something else. */
export type Said = { [role in Exclude<Role, 'dark'>]: string[] } & { lists: string[]; rest: Prop[] }

export function readSaid(props: readonly Prop[]): Said {
  const byRole = Map.groupBy(flatProps(props), roleOf)
  const propsIn = (role?: Role) => byRole.get(role) ?? []
  const linesIn = (role: Role) => propsIn(role).map(lineOf)
  const lists = propsIn().map(listOf)
  return {
    picture: inSchemes(linesIn('picture'), linesIn('dark')),
    alt: linesIn('alt'),
    title: linesIn('title'),
    caption: linesIn('caption'),
    text: linesIn('text'),
    link: linesIn('link'),
    lists: lists.map(({ text }) => text),
    rest: lists.flatMap(({ rest }) => rest),
  }
}

/** A text on one line, in which `<` begins only elements. */
function lineOf({ value, source }: Prop): string {
  const line = onOneLine(`${value}`.trim())
  return source === '' ? line : line.replace(/<(?!\w+>|\/)/g, '\\<')
}

/** The addresses of pictures, with a mark of the colour scheme if there is one for each. */
function inSchemes(light: readonly string[], dark: readonly string[]): string[] {
  if (light.length === 0 || dark.length === 0) return [...light, ...dark]
  return [...light.map(src => `${src}#gh-light-mode-only`), ...dark.map(src => `${src}#gh-dark-mode-only`)]
}

/**
 * Adds the content of an element to its props if it is a picture, a caption or a name, without those that it says again;
 * and gives what is left of it.
 */
export function takeContent(all: readonly Prop[], content: string, isColor: boolean): { props: Prop[]; left: string } {
  const props = all.filter(prop => roleOf(prop) !== 'link' || !content.includes(`](${prop.value})`))
  const said = contentProps(new Set(props.map(roleOf)), content, isColor)
  return { props: [...props, ...said], left: said.length > 0 ? '' : content }
}

/** What a content says as props beside others with these roles: a picture, or a paragraph that is a caption or a name. */
function contentProps(roles: ReadonlySet<Role | undefined>, content: string, isColor: boolean): Prop[] {
  const found = roles.has('picture') ? undefined : readPicture(content)
  if (found?.caption === '' && !roles.isDisjointFrom(PICTURE_NAMES))
    return argumentProps([
      ['src', found.src],
      ['alt', found.alt],
    ])
  const isLabel = isColor || (roles.has('link') && !content.includes(']('))
  const isWanted = roles.has('picture') || isLabel
  if (!isWanted || !roles.isDisjointFrom(NAMES) || !isParagraph(content)) return []
  return argumentProps([[roles.has('picture') ? 'caption' : 'name', content]])
}

const PICTURE_NAMES: ReadonlySet<Role | undefined> = new Set(['caption', 'title', 'link'])
const NAMES: ReadonlySet<Role | undefined> = new Set(['caption', 'title', 'text'])

export function isParagraph(content: string): boolean {
  const blocks = readBlocks(content)
  return blocks.length === 1 && blocks.every(({ kind }) => kind === 'paragraph')
}

/**
 * The Markdown blocks that props say: pictures, each with the alternative text and caption of its place, links and texts.
 *
 * @param heading writes the title of an element with more content
 */
export function blocksOf(said: Said, heading = bold): string[] {
  const { alt, title, caption, text, link, lists } = said
  // The texts of several pictures are theirs in order: `imageStart`, `titleStart`, `imageEnd`, `titleEnd`.
  const isPaired = said.picture.length > 1 && text.length === said.picture.length
  const [pictures, names] = isPaired ? [said.picture, text] : [distinct(said.picture), title]
  const captions = (link.length > 0 ? caption : [...caption, ...names]).slice(0, pictures.length)
  const [usual = ''] = [...alt, ...title]
  const shown = pictures.map((src, at) => picture(src, alt[at] ?? usual, captions[at])).join('\n')
  const used = new Set([...captions, ...alt.slice(0, pictures.length)])
  const [name = '', ...others] = [...title, ...alt, ...text, ...caption].filter(words => !used.has(words))
  const isLinked = link.length === 1 && pictures.length === 1 && title.length + text.length === 0
  const named = title.includes(name) ? heading(name) : name
  const blocks = isLinked
    ? [...linksTo(link, shown), name]
    : [shown, ...(link.length > 0 ? linksTo(link, name) : [named])]
  return [...blocks, ...others, ...lists].filter(block => block !== '')
}

/** Each picture once, and of the formats of a film only the first. */
function distinct(pictures: readonly string[]): string[] {
  return Array.from(Map.groupBy(pictures, src => src.replace(FILM, '')).values(), ([first = '']) => first)
}

const FILM = inFormats('mp4, webm, mov')

/** Links, the first with a label. */
function linksTo(addresses: readonly string[], label: string): string[] {
  const labels = [label]
  return addresses.map((address, at) => `[${labels[at] || address}](${destination(address)})`)
}

/** A title in bold, with the text of bold parts and of escaped quotation marks. */
export function bold(title: string): string {
  return `**${title.replaceAll('**', '').replaceAll('\\"', '"')}**`
}

/** A list of texts or of named values; pictures are a grid. What it does not say is the rest. */
function listOf(list: Prop): { text: string; rest: Prop[] } {
  if (!Array.isArray(list.value)) return { text: '', rest: [list] }
  const items = list.value.map(value =>
    readSaid(isNamed(value) ? propsOf(value, list) : [{ ...list, name: '', value }]),
  )
  const rest = items.flatMap(said => said.rest)
  const full = items.map(said => blocksOf(withFile(said))).filter(blocks => blocks.length > 0)
  const isGrid = full.flat().every(block => block.startsWith('![')) && full.every(blocks => blocks.length === 1)
  const text = isGrid ? full.flat() : full.map(itemOf)
  return { text: text.join('\n'), rest }
}

/** An item of a list: its blocks on one line, or below each other if one of them has several lines. */
function itemOf(blocks: readonly string[]): string {
  const joint = blocks.join('').includes('\n') ? '\n\n' : ': '
  return `- ${indented(blocks.join(joint), '  ')}`
}

/** A picture whose title is only its format is a file: `{ title: "PNG", src: "a.png" }`. */
function withFile(said: Said): Said {
  const [src = '', format = ''] = [...said.picture, ...said.title].map(each => each.toLowerCase())
  return src.endsWith(`.${format}`) ? offered(said) : said
}

/** A picture that is a file for readers instead of one that they see, unless it is beside the link to one. */
export function offered(said: Said): Said {
  return said.link.length > 0 ? said : { ...said, picture: [], link: said.picture }
}
