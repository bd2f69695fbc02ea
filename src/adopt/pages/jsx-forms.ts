import { SAFE_ELEMENTS } from '#brand/markdown/dropped-html.ts'
import type { Value } from '#formats/markdown/mdx-syntax.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import { alertKind } from './alert-kind.ts'
import { COLOR, colorsOf, type Row, type Rows } from './color-rows.ts'
import { kindOf } from './components.ts'
import { image } from './markup.ts'
import { isLayout, isNamed, type Prop, propsOf } from './props.ts'

/** What props say, by their names in lower case. */
const ROLES = {
  picture: wordSet('src source file media'),
  dark: wordSet('dark darksrc srcdark imagedark darkimage'),
  alt: wordSet('alt imgalt imagealt alttext'),
  title: wordSet('title heading header headline name label summary term'),
  caption: wordSet('caption'),
  text: wordSet(`description desc text body content children subtitle subheading tagline lead intro copy message note details
    explanation quote author credit status value`),
  link: wordSet('href to url link'),
}
type Role = keyof typeof ROLES

/** What a prop says: by its name, the last word of its name, as in `ctaText`, and its value. */
function roleOf({ name, value }: Prop): Role | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const key = name.toLowerCase()
  const last = isLayout(name) ? '' : (groupsOf(LAST_WORD, key)[0] ?? '')
  const role = ROLE_NAMES.find(each => ROLES[each].has(key)) ?? ROLE_NAMES.find(each => ROLES[each].has(last))
  if ((role === undefined || role === 'text') && isPicture(value)) return 'picture'
  if (role !== 'picture' && role !== 'dark') return role
  return isPicture(value) ? role : role === 'picture' && isAddress(value) ? 'link' : undefined
}

const ROLE_NAMES = ['picture', 'dark', 'alt', 'title', 'caption', 'text', 'link'] as const
const LAST_WORD = /(?<!^|^sub)(?:text|title|label|heading|description|desc|caption|link|href|image|alt)$/

/** The texts of props by what they say, lists, and props that say something else. */
export type Said = { [role in Role]: string[] } & { lists: string[]; rest: Prop[] }

export function readSaid(props: readonly Prop[]): Said {
  const said: Said = { picture: [], dark: [], alt: [], title: [], caption: [], text: [], link: [], lists: [], rest: [] }
  const flat = (prop: Prop): Prop[] =>
    isNamed(prop.value) && !isLayout(prop.name) ? propsOf(prop.value, prop).flatMap(flat) : [prop]
  for (const prop of props.flatMap(flat)) {
    const { name, value, source } = prop
    const role = roleOf(prop)
    const line = `${value}`.trim().replace(/(?<!\s)[^\S\n]*\n\s*/g, ' ')
    const list = Array.isArray(value) && !isLayout(name) ? listOf(prop) : ''
    if (role) said[role].push(source === '' ? line : line.replace(/<(?!\w+>|\/)/g, '\\<'))
    else if (/\p{L}/u.test(list)) said.lists.push(list)
    else said.rest.push(prop)
  }
  return said
}

/** The props of each part of an element, such as `titleStart` and `imageStart` beside `titleEnd` and `imageEnd`. */
export function propGroupsOf(props: readonly Prop[]): Prop[][] {
  const parts = Map.groupBy(props, ({ name }) => groupsOf(PART, name)[2] ?? '')
  const isPart = ([part, own]: [string, Prop[]]) =>
    part !== '' && own.length > 1 && own.some(each => isPicture(each.value))
  const apart = [...parts].filter(isPart)
  const others = props.filter(prop => !apart.some(([, own]) => own.includes(prop)))
  const named = apart.map(([, own]) => own.map(prop => ({ ...prop, name: groupsOf(PART, prop.name)[1] ?? prop.name })))
  return [others, ...named]
}

const PART = /^(\w+?)(Start|End|Left|Right|Top|Bottom|Before|After|First|Second|One|Two|(?<!\w\d)\d+)$/

/** Whether a text is the address of a picture or film. */
function isPicture(text: Value | undefined): text is string {
  return typeof text === 'string' && /^[^\n]*\.(?:svg|png|jpe?g|gif|webp|avif|mp4|webm|mov)(?:[?#]\S*)?$/i.test(text)
}

function isAddress(text: string): boolean {
  return /^(?:\.{0,2}\/|https?:)[^\n]+$|^[^\n]+\.\w{2,5}$/.test(text)
}

/** A picture with a caption, which is a title if it is plain and the picture the guide's own: others are links there. */
function picture(src: string, alt: string, caption: string): string {
  const isPlain = !/[<>*`[\]]/.test(caption)
  const isOwn = isPlain && !/^(?:https?:)?\/\//.test(src)
  const titled = caption === '' || !isOwn ? '' : ` "${caption.replaceAll('"', '\\"')}"`
  const shown = alt || (isPlain ? caption : '')
  const after = isOwn || caption === '' || caption === shown ? '' : `<br>${caption}`
  return `![${shown.replace(/[[\]]/g, '\\$&')}](${destination(src)}${titled})${after}`
}

function destination(address: string): string {
  return /[\s()<>]/.test(address) ? `<${address.replace(/[<>\n]/g, encodeURIComponent)}>` : address
}

const PICTURE =
  /!\[(?<!!\[(?:[^\]\\]|\\.)*?!\[)((?:[^\]\\]|\\.)*)\]\((?:<([^<>]*)>|([^\s)]+))(?: "((?:[^"\\]|\\.)*)")?\)/
const ONE_PICTURE = new RegExp(`^${PICTURE.source}(?:\\s+([^\\n*_\`[\\]<>]+))?$`)

/** Reads a text that is one picture, with its caption, which may be a line after it. */
function readPicture(text: string): { src: string; alt: string; caption: string } | undefined {
  const [found, alt = '', long, short = '', title = '', after = ''] = groupsOf(ONE_PICTURE, text)
  if (found === undefined) return undefined
  const caption = [title.replaceAll('\\"', '"'), after].filter(part => part !== '').join(' ')
  return { src: long ?? short, alt: alt.replace(/\\([[\]])/g, '$1'), caption }
}

/** Adds the content of an element to its props if it is a picture, a caption or a name; gives what is left of it. */
export function takeContent(name: string, props: Prop[], content: string): string {
  const own = { start: 0, source: '' }
  const roles = new Set(props.map(roleOf))
  const found = roles.has('picture') ? undefined : readPicture(content)
  const isOpen = !roles.has('title') && !roles.has('caption') && !roles.has('text')
  const isParagraph = content !== '' && !/\n[ \t]*\n|^(?:[#>|<]|[-*+][ \t]|\d+[.)][ \t]|```|~~~|!\[)/m.test(content)
  const role = roles.has('picture') ? 'caption' : roles.has('link') || COLOR.test(name) ? 'name' : undefined
  if (found?.caption === '' && roles.size > 0) {
    props.push({ ...own, name: 'src', value: found.src })
    if (!roles.has('alt')) props.push({ ...own, name: 'alt', value: found.alt })
  } else if (isOpen && isParagraph && role) props.push({ ...own, name: role, value: content })
  else return content
  return ''
}

/** The Markdown blocks that props say. */
export function blocksOf(said: Said): string[] {
  const [[src, ...pictures], [link, ...links]] = [[...new Set(said.picture)], said.link]
  const [[alt], [dark], [title, ...titles], [caption]] = [said.alt, said.dark, said.title, said.caption]
  const texts = [...titles, ...said.text]
  const shown = caption ?? (link === undefined ? title : undefined) ?? ''
  const shades = [src && dark ? `${src}#gh-light-mode-only` : src, dark && `${dark}#gh-dark-mode-only`]
  const all = [
    ...shades.flatMap(each => (each ? [picture(each, alt ?? title ?? '', shown)] : [])),
    ...pictures.map(each => picture(each, '', '')),
  ]
  const isLinked = link !== undefined && all.length === 1 && title === undefined && texts.length === 0
  const blocks = all.length === 0 ? [] : [isLinked ? `[${all[0]}](${destination(link)})` : all.join('\n')]
  const others = all.length === 0 ? [...said.alt, ...said.caption] : [...said.alt.slice(1), ...said.caption.slice(1)]
  texts.push(...others.filter(each => each !== title))
  if (link !== undefined && !isLinked) blocks.push(`[${title ?? texts.shift() ?? link}](${destination(link)})`)
  else if (title !== undefined && (src === undefined || caption !== undefined)) blocks.push(`**${title}**`)
  return [...blocks, ...texts, ...links.map(each => `[${each}](${destination(each)})`), ...said.lists]
}

/** A list of texts or of named values; pictures are a grid, except in a list of downloads. */
function listOf(list: Prop): string {
  const isFiles = /download|file|asset|format/i.test(list.name)
  const values = Array.isArray(list.value) ? list.value : []
  const items = values.map(value => {
    if (Array.isArray(value)) return [listOf({ ...list, value })]
    if (!isNamed(value)) return [isPicture(value) ? picture(value, '', '') : `${value}`.trim()]
    const props = propsOf(value, list)
    const said = readSaid(props.map(prop => (isFiles && isPicture(prop.value) ? { ...prop, name: 'href' } : prop)))
    const rest = said.rest.filter(
      prop => typeof prop.value === 'string' && (!isLayout(prop.name, prop.value) || verdictOf(prop)),
    )
    return [...blocksOf(said), ...rest.map(prop => `${prop.name}: ${prop.value}`)]
  })
  const full = items.filter(blocks => blocks.some(block => block !== ''))
  if (full.every(blocks => blocks.length === 1 && blocks[0]?.startsWith('!['))) return full.flat().join('\n')
  const isShort = full.every(blocks => blocks.length < 3 && !blocks.join('').includes('\n'))
  const texts = full.map(blocks => (isShort ? blocks.join(': ') : blocks.join('\n\n').replace(/\n(?=.)/g, '\n  ')))
  return texts.map(text => `- ${text}`).join('\n')
}

type Verdict = 'Do' | "Don't"

/** What an element becomes with the text of its other props and in it. */
export type Form = { became: string; rest: Prop[]; shape: (text: string) => { text: string; rows?: Row[] } }

/** The form of an element by its name and its props, on a page of other elements. */
export function formOf(name: string, props: Prop[], page: { text: string; level: number }): Form | undefined {
  const found = pairsOf(props) ?? colorsOf(name, props)
  if (found) return { became: found.became, rest: found.rest, shape: text => ({ text, rows: found.rows }) }
  const flag = MAY_BE_VERDICT.test(name) ? props.find(verdictOf) : undefined
  const verdict = verdictIn(name) ?? (flag && verdictOf(flag)) ?? contrast(name, page.text)
  if (verdict) {
    const others = props.filter(
      prop => prop !== flag && !(/^\S+$/.test(`${prop.value}`) && verdictIn(`${prop.value}`) === verdict),
    )
    return { became: verdict, rest: others, shape: text => ({ text: '', rows: [new Map([[verdict, text]])] }) }
  }
  const kind = kindOf(name)
  const title = props.find(prop => roleOf(prop) === 'title') ?? props.find(prop => prop.name === 'value')
  const rest = props.filter(prop => prop !== title && prop.name !== 'value')
  if (kind === 'alert') {
    const type = props.find(prop => ALERT_TYPE.has(prop.name) && typeof prop.value === 'string')
    const start = `[!${alertKind(`${type?.value ?? name}`)}]`
    const shape = (text: string) => ({ text: `${start}\n${text}`.replace(/^/gm, '> ').replace(/(?<! ) +$/gm, '') })
    return { became: 'an alert', rest: props.filter(prop => prop !== type), shape }
  }
  if (title === undefined) return undefined
  if (kind === 'details')
    return { became: 'details', rest, shape: text => ({ text: detailsOf(`${title.value}`, text) }) }
  const heading = `${'#'.repeat(Math.min(page.level + 1, 6))} ${title.value}`
  return kind === 'tab'
    ? { became: 'a heading', rest, shape: text => ({ text: `${heading}\n\n${text}`.trim() }) }
    : undefined
}

function detailsOf(summary: string, text: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`
}

const ALERT_TYPE = wordSet('type variant kind intent severity status theme tone level')

const DO = wordSet('do dos good correct use recommended positive')
const DONT = wordSet('dont donts bad incorrect wrong misuse avoid negative')
/** Words beside these in the names of elements. */
const PARTS = wordSet(
  'is example examples item card box image img panel column text list usage guideline rule practice',
)

/** What words such as `UsageDontUse` say; undefined for both or neither, and if they say something else. */
function verdictIn(name: string): Verdict | undefined {
  const spaced = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  const plain = spaced.replace(/\bdo[\s_-]?not\b|\bdo[\s_-]?n['’]?t/g, 'dont')
  const said = plain.match(/[a-z]+/g)?.filter(word => !PARTS.has(word)) ?? []
  if (said.length === 0) return undefined
  if (said.every(word => DO.has(word))) return 'Do'
  return said.every(word => DONT.has(word) || word === 'use') ? "Don't" : undefined
}

/** What a prop such as `correct` or `type="dont"` says. */
function verdictOf({ name, value }: Prop): Verdict | undefined {
  if (typeof value !== 'boolean') return VERDICT_PROP.has(name.toLowerCase()) ? verdictIn(`${value}`) : undefined
  const said = verdictIn(name)
  return said === undefined || value ? said : said === 'Do' ? "Don't" : 'Do'
}

const MAY_BE_VERDICT = /do(?:nt|s)|usage|guid|example|practi[cs]e|rule|card|image|figure|img|comparison/i
const VERDICT_PROP = wordSet('type variant kind status verdict mode rating intent tone')

/** The verdict of an element for both without a prop for it: the one that others of its name do not have. */
function contrast(name: string, page: string): Verdict | undefined {
  const isSaid = (prop: string) => new RegExp(`<${name}\\s+(?:[^>"]|"[^"]*")*?\\b${prop}`).test(page)
  if (!/^dos?(?:and|or)?don'?ts?/i.test(name)) return undefined
  return isSaid('type="don') ? 'Do' : isSaid('(?:type="do"|correct\\b)') ? "Don't" : undefined
}

/** What one element says to do and not to do, such as `doText` and `dontImage`. */
function pairsOf(props: readonly Prop[]): Rows | undefined {
  const signOf = ({ name, value }: Prop) => verdictIn((typeof value !== 'boolean' && groupsOf(PAIR, name)[1]) || '')
  const rest = props.filter(prop => signOf(prop) === undefined)
  const rows = Map.groupBy(props, signOf)
    .entries()
    .flatMap(([verdict, own]) => {
      if (verdict === undefined) return []
      const said = readSaid(own.map(prop => ({ ...prop, name: groupsOf(PAIR, prop.name)[2] || 'text' })))
      rest.push(...said.rest)
      return [new Map([[verdict, blocksOf(said).join('\n\n')]])]
    })
    .toArray()
  return rows.length === 0 ? undefined : { rows, rest, became: 'what to do and not to do' }
}

const PAIR = /^(dos?|do_?n'?ts?|good|bad|(?:in)?correct)(|[A-Z]\w*)$/

/** What a block becomes at offsets of a text: other text, then rows. */
export type Part = { start: number; end: number; text: string; rows: Row[]; caption?: string }

/** Joins a part to the one before it, if it is the caption of a picture, or one more row. Returns whether it did. */
export function joinPart(before: Part, { text, rows, caption, end }: Part): boolean {
  const found = caption === undefined ? undefined : readPicture(partText(before))
  const isRow =
    text === '' && rows.length === 1 && before.rows.length > 0 && isVerdict(rows[0]) === isVerdict(before.rows[0])
  if (found?.caption !== '' && !isRow) return false
  if (found && caption) before.text = picture(found.src, found.alt, caption)
  before.rows.push(...rows)
  before.end = end
  return true
}

export function partText({ text, rows }: Part): string {
  return [text, rows.length > 0 ? rowsText(rows) : ''].filter(block => block !== '').join('\n\n')
}

function isVerdict(row: Row | undefined): boolean {
  return row?.has('Do') || row?.has("Don't") || false
}

/** Rows as a table; what to do and not to do as pictures with titles, if each has one, or below each other. */
function rowsText(rows: readonly Row[]): string {
  if (!rows.every(isVerdict)) return tableOf([...new Set(['Name', ...rows.flatMap(row => [...row.keys()])])], rows)
  const parts = rows.flatMap(row => [...row])
  const pictures = parts.map(([verdict, content]) => {
    const found = readPicture(content)
    const isOwn = found && !/^(?:https?:)?\/\//.test(found.src)
    return isOwn && picture(found.src, found.alt || found.caption, [verdict, found.caption].filter(Boolean).join(': '))
  })
  if (pictures.every(each => each)) return pictures.join('\n')
  if (parts.some(([, content]) => /^(?:#|```|~~~|\|)/m.test(content)))
    return parts.map(([verdict, content]) => `**${verdict}**\n\n${content}`).join('\n\n')
  const [dos = [], donts = []] = ['Do', "Don't"].map(wanted => parts.filter(([verdict]) => verdict === wanted))
  const longer = dos.length > donts.length ? dos : donts
  return tableOf(
    ['Do', "Don't"],
    longer.map((_, at) => new Map([dos[at] ?? ['', ''], donts[at] ?? ['', '']])),
  )
}

function tableOf(columns: readonly string[], rows: readonly Row[]): string {
  return writeTable([columns, ...rows.map(row => columns.map(column => row.get(column) ?? ''))])
}

/** Rows of cells as a table; the first one is its header. */
export function writeTable([header = [], ...others]: readonly (readonly string[])[]): string {
  const cells = others.map(row => header.map((_, at) => cellOf(row[at] ?? '')))
  return [header.map(cellOf), header.map(() => '---'), ...cells].map(row => `| ${row.join(' | ')} |`).join('\n')
}

/** Blocks as the text of a cell. */
function cellOf(content: string): string {
  const line = (text: string) => text.trim().replace(/(?<!\s)[^\S\n]*\n\s*/g, ' ')
  const text = content.replace(/(?:^[-*+][ \t].*(?:\n[ \t]+.*)*\n*)+/gm, list => {
    const [, ...items] = `\n${list}`.split(/\n[-*+][ \t]+/)
    return `<ul>${items.map(item => `<li>${line(item)}</li>`).join('')}</ul>`
  })
  return line(text.trim().replace(/\n\s*\n/g, '<br>')).replaceAll('|', '\\|')
}

/** HTML elements that are words in a sentence, also if they are alone in a paragraph. */
export const INLINE =
  wordSet(`a abbr b bdi bdo br cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u
  var wbr Link Code InlineCode`)
const MARKDOWN = wordSet('h1 h2 h3 h4 h5 h6 p div span section img figure figcaption')
const HTML = new Set(SAFE_ELEMENTS.filter(name => !MARKDOWN.has(name)))
const HTML_PROPS = wordSet(`id title lang dir href src alt colspan rowspan span start datetime name scope align controls
  open cite label kind srclang srcset media`)

const SIMPLE = wordSet('string boolean')
const EMPTY = wordSet('br hr wbr source track col input')

/** An element as HTML, if the website shows it, and those of its props that HTML does not have. */
export function htmlOf(element: string, props: Prop[], text: string): { html: string; rest: Prop[] } | undefined {
  const name = /^(?:Inline)?Code$/.test(element) ? 'code' : element
  const isLink = name === 'a' && props.some(prop => prop.name === 'href') && !props.some(prop => prop.name === 'title')
  if (!HTML.has(name) || isLink) return undefined
  const own = props.filter(prop => HTML_PROPS.has(prop.name.toLowerCase()) && SIMPLE.has(typeof prop.value))
  const given = own.map(
    prop => `${prop.name.toLowerCase()}="${prop.value === true ? '' : `${prop.value}`.replaceAll('"', '&quot;')}"`,
  )
  const [tag, rest] = [[name, ...given].join(' '), props.filter(prop => !own.includes(prop))]
  if (EMPTY.has(name)) return { html: `<${tag}>`, rest }
  // Markdown in <picture> has no effect.
  const content =
    name === 'picture' ? text.replace(PICTURE, (_, alt, long, short) => image(long ?? short, alt, {})) : text
  const around = INLINE.has(name) || /^[^*_`[\]\n]*$/.test(content) ? '' : '\n\n'
  return { html: `<${tag}>${around}${content}${around}</${name}>`, rest }
}
