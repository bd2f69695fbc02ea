import { SAFE_ELEMENTS } from '#brand/markdown/dropped-html.ts'
import { alertKind } from '#intake/markdown/foreign-syntax.ts'
import type { Value } from './mdx-syntax.ts'

/** A prop of an element: its name, what it says (undefined if unknown), and how it is written. */
export type Prop = { name: string; value: Value | undefined; start: number; source: string }

const words = (text: string) => new Set(text.trim().split(/\s+/))

/** What a prop says, by its name. */
const ROLES = {
  file: words('src source file media'),
  dark: words('dark darksrc srcdark imagedark darkimage'),
  alt: words('alt imgalt imagealt alttext'),
  title: words('title heading header headline name label summary term'),
  caption: words('caption'),
  text: words(`description text body content children subtitle subheading tagline lead intro copy message note details
    explanation quote author credit status value`),
  link: words('href to url link'),
} as const

/** Props that say only how an element looks or works. */
const LAYOUT = words(`
  id key type kind ref as is classname class style css sx role tabindex target rel width height size display position top right
  bottom left inset overflow zindex opacity order float m p margin padding gap gutter space spacing flex grid wrap
  align justify direction color bg background fill stroke border rounded radius shadow elevation font weight xs sm md
  lg xl cols columns rows span mode layout variant theme appearance tone loading decoding sizes srcset aspectratio
  onlyif disabled checked hidden open download controls autoplay muted loop frameborder allow allowfullscreen viewbox
  xmlns above abovesmall`)
const LAYOUTS =
  /^(?:[mp][trblxy]?|on[A-Z]\w*|(?:is|has|show|hide|with|include|force|full)[A-Z]\w*|data-.*|aria-(?!label)\w+|(?:above|below|heading|min|max|background|shadow|flex|grid|align|justify|border|margin|padding|font|line|text|place|object|overflow|row|column|col)[A-Z]\w*)$/

/** Whether a prop says nothing that readers miss. */
export function isLayout(name: string): boolean {
  return LAYOUT.has(name.toLowerCase()) || LAYOUTS.test(name)
}

/** The role that a name has, or its last word: `ctaText` is a text. */
function hasRole(role: keyof typeof ROLES, name: string): boolean {
  const key = name.toLowerCase()
  const last = /(?<!^|^sub)(?:text|title|label|heading|description|caption|link|href)$/.exec(key)?.[0]
  return ROLES[role].has(key) || (last !== undefined && !isLayout(name) && ROLES[role].has(last))
}

/** What the content of an element is, if it is one line: the caption of a picture, or the words of a link. */
export function contentRole(props: readonly Prop[]): 'caption' | 'title' | undefined {
  const isOf = (role: keyof typeof ROLES) => props.some(({ name, value }) => hasRole(role, name) && value)
  if (isOf('title') || isOf('caption')) return undefined
  return props.some(isShown) ? 'caption' : isOf('link') ? 'title' : undefined
}

/** Whether a prop shows a picture, by its address. */
function isShown({ name, value }: Prop): boolean {
  return typeof value === 'string' && isPicture(value) && !hasRole('link', name) && !hasRole('dark', name)
}

/** Takes the first prop with a text of a role from the list. */
export function takeText(props: Prop[], role: keyof typeof ROLES, fits = (_: string) => true): string | undefined {
  return takeFrom(
    props,
    ({ name, value }) => hasRole(role, name) && typeof value === 'string' && value.trim() !== '' && fits(value),
  )
}

function takeFrom(props: Prop[], test: (prop: Prop) => boolean): string | undefined {
  const at = props.findIndex(test)
  const value = at === -1 ? undefined : props.splice(at, 1)[0]?.value
  if (typeof value !== 'string') return undefined
  const line = value.trim().replace(/\s*\n\s*/g, ' ')
  return line.replace(/<(?!\w+>|\/)/g, '\\<')
}

function takeAll(props: Prop[], test: (prop: Prop) => boolean): string[] {
  const text = takeFrom(props, test)
  return text === undefined ? [] : [text, ...takeAll(props, test)]
}

/** Whether a text is the address of a picture or film. */
function isPicture(text: string): boolean {
  return /^[^\n]*\.(?:svg|png|jpe?g|gif|webp|avif|mp4|webm|mov)(?:[?#]\S*)?$/i.test(text)
}

function isAddress(text: string): boolean {
  return /^(?:\.{0,2}\/|https?:)[^\n]+$|^[^\n]+\.\w{2,5}$/.test(text)
}

/** A picture with a caption, which is a title if it is plain and the picture the guide's own: others are links there. */
function picture(src: string, alt: string, caption: string): string {
  const isOwn = !/^(?:https?:)?\/\//.test(src) && !/[<>*`[\]]/.test(caption)
  const titled = caption === '' || !isOwn ? '' : ` "${caption.replaceAll('"', '\\"')}"`
  const after = isOwn || caption === '' || caption === alt ? '' : `<br>${caption}`
  return `![${alt.replace(/[[\]]/g, '\\$&')}](${destination(src)}${titled})${after}`
}

export function destination(address: string): string {
  return /[\s()<>]/.test(address) ? `<${address.replace(/[<>\n]/g, encodeURIComponent)}>` : address
}

/** The Markdown blocks that props say; those that it leaves in the list have no role. */
export function blocksOf(props: Prop[], isDownload = false): string[] {
  for (const prop of props.filter(({ name }) => name === 'sources' || name === 'source')) {
    if (isNamed(prop.value)) props.splice(props.indexOf(prop), 1, ...propsOf(prop.value, prop))
  }
  const [src, ...others] = isDownload ? [] : takeAll(props, isShown)
  const dark = takeText(props, 'dark', isPicture)
  const link = takeText(props, 'link') ?? takeText(props, 'file', isAddress)
  const [title, caption, alt] = [takeText(props, 'title'), takeText(props, 'caption'), takeText(props, 'alt')]
  const texts = takeAll(props, ({ name, value }) => hasRole('text', name) && typeof value === 'string' && value !== '')
  const shown = caption ?? (link === undefined ? title : undefined) ?? ''
  const pictures = [src && dark ? `${src}#gh-light-mode-only` : src, dark && `${dark}#gh-dark-mode-only`].flatMap(
    each => (each ? [picture(each, alt ?? (shown || title || ''), shown)] : []),
  )
  pictures.push(...others.filter(each => each !== src).map(each => picture(each, '', '')))
  const blocks = pictures.length > 0 ? [pictures.join('\n')] : []
  if (blocks.length === 0 && alt !== undefined && alt !== title) texts.unshift(alt)
  if (blocks.length === 0 && caption !== undefined) texts.push(caption)
  if (link !== undefined) blocks.push(`[${title ?? texts.shift() ?? link}](${destination(link)})`)
  else if (title !== undefined && (src === undefined || caption !== undefined)) blocks.push(`**${title}**`)
  blocks.push(...texts)
  for (const prop of [...props]) {
    if (!Array.isArray(prop.value) || isLayout(prop.name) || !/[:[]"[^"]*\p{L}/u.test(JSON.stringify(prop.value)))
      continue
    props.splice(props.indexOf(prop), 1)
    blocks.push(listOf(prop.value, prop))
  }
  return blocks
}

function isNamed(value: Value | undefined): value is { [name: string]: Value } {
  return typeof value === 'object' && !Array.isArray(value)
}

function propsOf(value: { [name: string]: Value }, { start, source }: Prop): Prop[] {
  return Object.entries(value).map(([name, each]) => ({ name, value: each, start, source }))
}

/** A list of texts or of named values; pictures are a grid. */
function listOf(values: readonly Value[], prop: Prop): string {
  const examples = values.filter(isNamed).flatMap(value => {
    const props = propsOf(value, prop)
    const verdict = verdictOf('example', props)
    const own = props.filter(({ name }) => !VERDICT_PROP.test(name))
    return verdict ? [{ verdict, content: blocksOf(own).join('\n\n') }] : []
  })
  if (examples.length > 0 && examples.length === values.length) return verdicts(examples)
  const items = values.map(value => {
    if (typeof value === 'string') return isPicture(value) ? [picture(value, '', '')] : [value.trim()]
    if (Array.isArray(value)) return [listOf(value, prop)]
    const props = propsOf(value, prop)
    const blocks = blocksOf(props, /download|file|asset|format/i.test(prop.name))
    const others = props.filter(each => typeof each.value === 'string' && !blocks.join().includes(each.value))
    return [...blocks, ...others.map(({ name, value: text }) => `${name}: ${text}`)]
  })
  const said = items.filter(blocks => blocks.some(block => block !== ''))
  if (said.every(blocks => blocks.length === 1 && blocks[0]?.startsWith('!['))) return said.flat().join('\n')
  const isShort = said.every(blocks => blocks.length < 3 && !blocks.join('').includes('\n'))
  return said
    .map(blocks => `- ${isShort ? blocks.join(': ') : blocks.join('\n\n').replace(/\n(?=.)/g, '\n  ')}`)
    .join('\n')
}

/** The alert that an element is, with its title in bold; its content follows. */
export function alertOf(name: string, props: Prop[]): string | undefined {
  if (!ALERT.test(name)) return undefined
  const type = props.find(each => ALERT_TYPE.test(each.name) && typeof each.value === 'string')
  if (type) props.splice(props.indexOf(type), 1)
  const title = takeText(props, 'title')
  return `[!${alertKind(`${type?.value ?? name}`)}]${title === undefined ? '' : `\n**${title}**\n`}`
}

const ALERT =
  /^(?:note|tip|info|important|warning|caution|danger|success|error|hint|notice|callout|aside|admonition|banner|\w*alert|message(?:box|bar)?|infobox)$/i
const ALERT_TYPE = /^(?:type|variant|kind|intent|severity|status|theme|tone|level)$/

/** Whether an element shows what to do or not to do, by its name, or by a prop such as `type="dont"`. */
export function verdictOf(name: string, props: readonly Prop[]): 'Do' | "Don't" | undefined {
  const said = props.find(each => each.value === '' || (VERDICT_PROP.test(each.name) && typeof each.value === 'string'))
  const words = MAY_BE_VERDICT.test(name) && said ? `${said.value || said.name}` : name
  return DONT.test(words) ? "Don't" : DO.test(words) ? 'Do' : undefined
}

/** Takes what one element says to do and not to do, such as `doText` and `dontImage`. */
export function pairOf(props: Prop[]): { verdict: 'Do' | "Don't"; content: string }[] {
  return (['Do', "Don't"] as const).flatMap(verdict => {
    const own: Prop[] = []
    for (const prop of [...props]) {
      const [, sign = '', role = ''] = /^(do(?:nt)?s?)(|[A-Z]\w*)$/.exec(prop.name) ?? []
      if (sign === '' || sign.startsWith('dont') !== (verdict === "Don't")) continue
      props.splice(props.indexOf(prop), 1)
      own.push({ ...prop, name: role || 'text' })
    }
    return own.length === 0 ? [] : [{ verdict, content: blocksOf(own).join('\n\n') }]
  })
}

const PART = '(?:example|item|card|box|image|img|panel|column|text)?s?$'
const DO = new RegExp(`^(?:do|good|correct|use|recommended|positive)${PART}`, 'i')
const DONT = new RegExp(`^(?:do[n_-]?['’_-]?n?t|don['’]?ts?|bad|incorrect|misuse|avoid|negative)${PART}`, 'i')
const MAY_BE_VERDICT = /do(?:nt|s)|usage|guideline|example|practi[cs]e|rule|card|image|figure|img|comparison/i
const VERDICT_PROP = /^(?:type|variant|kind|status|verdict|mode|rating)$/i

/** What to do and not to do: pictures with titles if each has one with a caption, otherwise a table. */
export function verdicts(parts: readonly { verdict: 'Do' | "Don't"; content: string }[]): string {
  const pictures = parts.map(({ verdict, content }) => {
    const found =
      /^!\[((?:[^\]\\]|\\.)*)\]\((?!https?:|\/\/)(<[^>]*>|[^\s)]+)(?: "((?:[^"\\]|\\.)*)")?\)(?:\s+([^\n*_`[\]<>]+))?$/.exec(
        content,
      )
    const [, alt = '', src = '', title = '', text = ''] = found ?? []
    const caption = [title, text].filter(each => each !== '').join(' ')
    return found && `![${alt}](${src} "${verdict}${caption === '' ? '' : `: ${caption.replace(/(?<!\\)"/g, '\\"')}`}")`
  })
  if (pictures.every(each => each !== null)) return pictures.join('\n')
  if (parts.some(({ content }) => /^(?:#|```|~~~|\|)/m.test(content)))
    return parts.map(({ verdict, content }) => `**${verdict}**\n\n${content}`).join('\n\n')
  const cells = (wanted: string) =>
    parts.filter(({ verdict }) => verdict === wanted).map(({ content }) => cellOf(content))
  const [dos, donts] = [cells('Do'), cells("Don't")]
  const rows = Array.from({ length: Math.max(dos.length, donts.length) }, (_, at) => [dos[at] ?? '', donts[at] ?? ''])
  return tableOf(['Do', "Don't"], rows)
}

/** Blocks as the text of a cell. */
function cellOf(content: string): string {
  const list = content.replace(/(?:^[-*+][ \t].*(?:\n[ \t]+.*)*\n*)+/gm, items => {
    const each = items
      .trim()
      .split(/^[-*+][ \t]+/m)
      .slice(1)
    return `<ul>${each.map(item => `<li>${item.trim().replace(/\s*\n\s*/g, ' ')}</li>`).join('')}</ul>`
  })
  return list
    .trim()
    .replace(/\n\s*\n/g, '<br>')
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
}

function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')
}

type Color = ReadonlyMap<string, string>

/** The colours of an element by column: one, or those of a list in a prop; undefined if it shows none. */
export function colorsOf(name: string, props: readonly Prop[]): Color[] | undefined {
  if (!/colou?r|swatch|palette/i.test(name)) return undefined
  for (const prop of props) {
    const listed = Array.isArray(prop.value) ? prop.value.filter(isNamed) : []
    const colors = listed.map(each => colorOf(propsOf(each, prop)))
    if (colors.length > 0 && colors.every(each => each.has('Hex'))) return colors
  }
  const color = colorOf(props)
  return color.size > 1 && [...color.values()].some(text => /[#\d]/.test(text)) ? [color] : undefined
}

/** A colour by column: its own props, and pairs such as `{name: 'RGB', value: '0, 0, 0'}`. */
function colorOf(props: readonly Prop[]): Color {
  const columns = new Map<string, string>()
  for (const { name, value } of props) {
    if (typeof value === 'string' && value !== '') columns.set(columnOf(name, value), cellOf(value))
    for (const pair of Array.isArray(value) ? value : []) {
      const [key, text] = typeof pair === 'object' ? Object.values(pair) : []
      if (typeof key === 'string' && typeof text === 'string') columns.set(columnOf(key, text), cellOf(text))
    }
  }
  return columns
}

function columnOf(name: string, value: string): string {
  if (/^#[\da-f]{3,8}$/i.test(value)) return 'Hex'
  if (/^(?:name|title|label)$/.test(name)) return 'Name'
  return /^(?:rgb|cmyk|ral|hks|ncs|hsl|pms)$/i.test(name)
    ? name.toUpperCase()
    : name.charAt(0).toUpperCase() + name.slice(1)
}

export function colorTable(colors: readonly Color[]): string {
  const columns = [...new Set(['Name', ...colors.flatMap(color => [...color.keys()])])]
  return tableOf(
    columns,
    colors.map(color => columns.map(column => color.get(column) ?? '')),
  )
}

/** HTML elements that are words in a sentence, also if they are alone in a paragraph. */
const INLINE = words(`a abbr b bdi bdo br cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u
  var wbr`)
const HTML = new Set(SAFE_ELEMENTS.filter(name => !/^(?:h\d|p|div|span|section|img|figure)$/.test(name)))
const HTML_PROPS = words(`id title lang dir href src alt colspan rowspan span start datetime name scope align controls
  open cite label kind srclang`)
/** Elements that contain only others. */
const PARENTS = words('table thead tbody tfoot tr colgroup ul ol dl picture video audio')

export function isInline(name: string): boolean {
  return INLINE.has(name) || name === 'Link'
}

/** An element as HTML, if the website shows it, with those of its props that HTML has. */
export function htmlOf(name: string, props: Prop[], contentOf: () => string): string | undefined {
  if (!HTML.has(name)) return undefined
  let tag = name
  for (const prop of [...props]) {
    if (!HTML_PROPS.has(prop.name.toLowerCase()) || typeof prop.value !== 'string') continue
    props.splice(props.indexOf(prop), 1)
    tag += ` ${prop.name.toLowerCase()}="${prop.value.replaceAll('"', '&quot;')}"`
  }
  if (/^(?:br|hr|wbr|source|track|col|input)$/.test(name)) return `<${tag}>`
  const content = contentOf()
  const around = INLINE.has(name) || /^[^*_`[\]\n]*$/.test(content) ? '' : PARENTS.has(name) ? '\n' : '\n\n'
  return `<${tag}>${around}${content}${around}</${name}>`
}
