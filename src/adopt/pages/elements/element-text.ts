import type { Value } from '#formats/markdown/mdx-syntax.ts'
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

/** Adds the content of an element to its props if it is a picture, a caption or a name; gives what is left of it. */
export function takeContent(props: Prop[], content: string, isColor: boolean): string {
  const own = { start: 0, source: '' }
  const roles = new Set(props.map(roleOf))
  const found = roles.has('picture') ? undefined : readPicture(content)
  const isOpen = roles.isDisjointFrom(new Set(['title', 'caption', 'text']))
  const isParagraph = content !== '' && !/\n[ \t]*\n|^(?:[#>|<]|[-*+][ \t]|\d+[.)][ \t]|```|~~~|!\[)/m.test(content)
  const name = roles.has('picture') ? 'caption' : roles.has('link') || isColor ? 'name' : undefined
  if (found?.caption === '' && (roles.has('caption') || roles.has('title') || roles.has('link'))) {
    const alt = roles.has('alt') ? [] : [{ ...own, name: 'alt', value: found.alt }]
    props.push({ ...own, name: 'src', value: found.src }, ...alt)
  } else if (isOpen && isParagraph && name) props.push({ ...own, name, value: content })
  else return content
  return ''
}

/**
 * The Markdown blocks that props say: pictures, each with the alternative text and caption of its place, links and texts.
 *
 * @param heading writes the title of an element with more content
 */
export function blocksOf(said: Said, heading = (title: string) => `**${title}**`): string[] {
  const { alt, title, caption, text, link } = structuredClone({ ...said, rest: [] })
  const [lit, dark] = said.picture.length > 0 ? [said.picture, said.dark] : [said.dark, []]
  // The texts of several pictures are theirs in order: `imageStart`, `titleStart`, `imageEnd`, `titleEnd`.
  const isPaired = lit.length > 1 && text.length === lit.length
  const [pictures, names] = isPaired ? [lit, text] : [[...new Set(lit)], title]
  const isLinked = link.length === 1 && pictures.length === 1 && [...title, ...text].length === 0
  const captions = link.length > 0 ? caption : [...caption, ...names.splice(0, pictures.length - caption.length)]
  const shown = [
    ...pictures.map(src => {
      const shade = dark.length > 0 ? `${src}#gh-light-mode-only` : src
      return picture(shade, alt.shift() ?? title[0] ?? '', captions.shift() ?? '')
    }),
    ...dark.map(src => picture(`${src}#gh-dark-mode-only`, said.alt[0] ?? said.title[0] ?? '', '')),
  ].join('\n')
  const label = isLinked ? shown : (title.shift() ?? (link.length > 0 ? (alt.shift() ?? text.shift()) : undefined))
  const [target] = link.splice(0, 1)
  const first = target === undefined ? label && heading(label) : `[${label ?? target}](${destination(target)})`
  const others = [...title, ...text, ...alt, ...captions].filter(each => each !== label)
  const links = link.map(each => `[${each}](${destination(each)})`)
  return [isLinked ? '' : shown, first ?? '', ...others, ...links, ...said.lists].filter(block => block !== '')
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
  if (full.every(blocks => blocks.length === 1 && blocks[0]?.startsWith('![')))
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
