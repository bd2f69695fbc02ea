import type { Value } from '#formats/markdown/mdx-syntax.ts'
import { readBlocks } from '#formats/markdown/page-blocks.ts'
import { destination, picture, readPicture } from './pictures.ts'
import { flatProps, isNamed, type Prop, propsOf, type Role, roleOf } from './props.ts'
import { onOneLine } from './tables.ts'
import { verdictOf } from './verdict.ts'

/** The texts of props by what readers see of them, lists, and props that say something else. */
export type Said = { [role in Role]: string[] } & { lists: string[]; rest: Prop[] }

export function readSaid(props: readonly Prop[]): Said {
  const said: Said = { picture: [], dark: [], alt: [], title: [], caption: [], text: [], link: [], lists: [], rest: [] }
  for (const prop of flatProps(props)) {
    const { value, source } = prop
    const role = roleOf(prop)
    const line = onOneLine(`${value}`.trim())
    const { text, rest } = Array.isArray(value) ? listOf(value, prop) : { text: '', rest: [prop] }
    if (role) said[role].push(source === '' ? line : line.replace(/<(?!\w+>|\/)/g, '\\<'))
    else {
      said.lists.push(text)
      said.rest.push(...rest)
    }
  }
  return said
}

/**
 * Adds the content of an element to its props if it is a picture, a caption or a name, without those that it says again;
 * and gives what is left of it.
 */
export function takeContent(all: readonly Prop[], content: string, isColor: boolean): { props: Prop[]; left: string } {
  const own = { start: 0, source: '' }
  const props = all.filter(prop => roleOf(prop) !== 'link' || !content.includes(`](${prop.value})`))
  const roles = new Set(props.map(roleOf))
  const found = roles.has('picture') ? undefined : readPicture(content)
  if (found?.caption === '' && !roles.isDisjointFrom(NAMES_PICTURE)) {
    const alt = roles.has('alt') ? [] : [{ ...own, name: 'alt', value: found.alt }]
    return { props: [...props, { ...own, name: 'src', value: found.src }, ...alt], left: '' }
  }
  const isName = (roles.has('link') && !content.includes('](')) || isColor
  const name = roles.has('picture') ? 'caption' : 'name'
  const isWanted = (roles.has('picture') || isName) && roles.isDisjointFrom(NAMES)
  if (!isWanted || !isParagraph(content)) return { props, left: content }
  return { props: [...props, { ...own, name, value: content }], left: '' }
}

const NAMES_PICTURE: ReadonlySet<Role | undefined> = new Set(['caption', 'title', 'link'])
const NAMES: ReadonlySet<Role | undefined> = new Set(['caption', 'title', 'text'])

function isParagraph(content: string): boolean {
  const [first, ...others] = readBlocks(content)
  return first?.kind === 'paragraph' && others.length === 0
}

/**
 * The Markdown blocks that props say: pictures, each with the alternative text and caption of its place, links and texts.
 *
 * @param heading writes the title of an element with more content
 */
export function blocksOf(said: Said, heading = bold): string[] {
  const { alt, title, caption, text, link } = structuredClone({ ...said, rest: [] })
  const [lit, dark] = said.picture.length > 0 ? [said.picture, said.dark] : [said.dark, []]
  // The texts of several pictures are theirs in order: `imageStart`, `titleStart`, `imageEnd`, `titleEnd`.
  const isPaired = lit.length > 1 && text.length === lit.length
  const [pictures, names] = isPaired ? [lit, text] : [[...new Set(lit)], title]
  const isLinked = link.length === 1 && pictures.length === 1 && [...title, ...text].length === 0
  const alts = alt.splice(0, pictures.length)
  const captions = link.length > 0 ? caption : [...caption, ...names.splice(0, pictures.length - caption.length)]
  const light = dark.length > 0 ? '#gh-light-mode-only' : ''
  const shown = [
    ...pictures.map((src, at) => picture(src + light, alts[at] ?? title[0] ?? '', captions.shift() ?? '')),
    ...dark.map(src => picture(`${src}#gh-dark-mode-only`, alts[0] ?? title[0] ?? '', '')),
  ].join('\n')
  const [label] = isLinked ? [shown] : [...title, ...(link.length > 0 ? [...alt, ...text] : [])]
  const [target] = link.splice(0, 1)
  const first = target === undefined ? label && heading(label) : `[${label ?? target}](${destination(target)})`
  const others = [...title, ...text, ...alt, ...captions].filter(each => each !== label)
  const links = link.map(each => `[${each}](${destination(each)})`)
  return [isLinked ? '' : shown, first ?? '', ...others, ...links, ...said.lists].filter(block => block !== '')
}

/** A title in bold, with the text of bold parts and of escaped quotation marks. */
export function bold(title: string): string {
  return `**${title.replaceAll('**', '').replaceAll('\\"', '"')}**`
}

/** A list of texts or of named values; pictures are a grid. What it does not say is the rest. */
function listOf(values: readonly Value[], list: Prop): { text: string; rest: Prop[] } {
  const rest: Prop[] = []
  const items = values.map(value => {
    const props = isNamed(value) ? propsOf(value, list) : [{ ...list, name: '', value }]
    const verdicts = props.flatMap(prop => verdictOf(prop) ?? [])
    const said = readSaid(props)
    // A word that may be one of many is not known to be code.
    rest.push(...said.rest.map(prop => ({ ...prop, value: prop.name === '' ? undefined : prop.value })))
    return [...verdicts.map(verdict => `**${verdict}**`), ...blocksOf(withFile(said))]
  })
  const full = items.filter(blocks => blocks.length > 0)
  if (full.every(([first = '', ...others]) => first.startsWith('![') && others.length === 0))
    return { text: full.flat().join('\n'), rest }
  const isShort = full.every(blocks => blocks.length < 3 && !blocks.join('').includes('\n'))
  const texts = full.map(blocks => (isShort ? blocks.join(': ') : blocks.join('\n\n').replace(/\n(?=.)/g, '\n  ')))
  return { text: texts.map(text => `- ${text}`).join('\n'), rest }
}

/** A picture whose title is only its format is a file: `{ title: "PNG", src: "a.png" }`. */
function withFile(said: Said): Said {
  const [src = '', format = ''] = [...said.picture, ...said.title].map(each => each.toLowerCase())
  return src.endsWith(`.${format}`) ? { ...said, picture: [], link: said.picture } : said
}
