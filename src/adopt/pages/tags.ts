import { extname, join } from 'node:path/posix'
import { fileStem } from '#brand/file.ts'
import { readBlocks, withoutCode } from '#formats/markdown/page-blocks.ts'
import { type TemplateTagKind, templateTags } from '#formats/markdown/template-tags.ts'
import { foreignTags } from '#intake/markdown/foreign-syntax.ts'
import { anyOf, type Edit, fieldText, groupsOf, nameWords, wordsIn } from '#platform/base/text.ts'
import { chosenColors } from './chosen-colors.ts'
import { namesColors } from './elements/color-rows.ts'
import { shapeOf } from './elements/element-form.ts'
import { bold, readSaid } from './elements/element-text.ts'
import { joinPart, type Part, partText } from './elements/parts.ts'
import { argumentProps, type Prop, roleOf } from './elements/props.ts'
import { encodePath, lineBefore, PALETTE_LINK, readTag } from './markup.ts'
import type { Note, PageTask, Pass } from './page.ts'

/**
 * Replaces the tags of template systems with their results. Others are lost: tags around content leave only the content,
 * but a loop that shows values goes whole.
 */
export const tags: Pass = (text, task) => {
  const [notes, parts]: [Note[], PlacedResult[]] = [[], []]
  const all = readTags(text, task.kind === 'html')
  const ends = endTags(all)
  const closing = new Set(ends.values())
  let next = 0
  for (const tag of all) {
    if (tag.start < next) continue
    const place = placeOf(tag, ends.get(tag) ?? tag, text, task)
    const result = closing.has(tag) ? { text: '', isEnd: true } : RESULTS[tag.kind](place)
    const part = { start: tag.start, end: tag.end, rows: [], unsaid: [], ...result }
    next = result.next ?? part.end
    notes.push(...notesOn(place, part))
    if (!joinPart(text, parts.at(-1), part)) parts.push({ ...part, end: part.end + emptyRest(place, part) })
  }
  const edits = parts.map(part => {
    const { above, below } = linesAround(text, part)
    return { ...part, text: `${above}${partText(part)}${below}` }
  })
  replaceBound(text, edits, notes)
  return { edits, notes }
}

/** The empty lines that part a block from a tag of HTML above it, which it would be text of, and from a line below it. */
function linesAround(text: string, { start, end, isBlock }: PlacedResult): { above: string; below: string } {
  if (!isBlock) return { above: '', below: '' }
  const isBelowTag = /[\w"'/]>[ \t]{0,9}\n[ \t]{0,9}$/.test(text.slice(Math.max(0, start - 99), start))
  const isAboveText = /^\n[ \t]{0,9}\S/.test(text.slice(end, end + 99))
  return { above: '\n'.repeat(Number(isBelowTag)), below: '\n'.repeat(Number(isAboveText)) }
}

/** What a tag becomes, at offsets of the text if not its own; `next` is the end of what is read with it. */
type Result = Partial<Part> & {
  text: string
  lost?: string
  /** What the result does not say of the arguments, apart from their words. */
  unsaid?: readonly string[]
  next?: number
  isBlock?: boolean
  isEnd?: boolean
}
type PlacedResult = Result & Part & { unsaid: readonly string[] }

/** A tag with the text around it, up to the tag that ends it. */
function placeOf(tag: Tag, endTag: Tag, text: string, { facts, kind, site }: PageTask) {
  const before = text.slice(Math.max(0, tag.start - 1000), tag.start)
  const content = text.slice(tag.end, endTag.start).trim()
  const isAddress = ADDRESS_STARTS.some(start => before.endsWith(start))
  const line = lineBefore(text, tag.start)
  // The indentation of a tag that begins its line.
  const indent = line.trim() === '' ? line : undefined
  // Of Liquid, what is left was empty on the site, and pages in HTML have templates of whole sites around them.
  const mayBeHole = kind !== 'html' && site === undefined
  return { ...tag, endTag, text, before, facts, content, isAddress, indent, mayBeHole }
}

/** The text directly before an address, in Markdown and in HTML. */
const ADDRESS_STARTS = ['](', '](<', '=', '="', "='"]

type Place = ReturnType<typeof placeOf>

/** What is noted about a tag: its result, and its words and addresses that this lacks. */
function notesOn({ start, kind, name, named, words, content }: Place, part: PlacedResult): Note[] {
  if (part.isEnd) return []
  const place = { at: start, what: WHAT[kind] ?? `tag ${name}` }
  if (part.lost !== undefined) return [{ ...place, text: part.lost }]
  const became = partText(part).trim()
  const result = `${became} ${content}`.replaceAll('%20', ' ')
  const said = kind === 'value' ? [] : propsOfTag({ name, named, words }).filter(prop => roleOf(prop) !== undefined)
  const unsaidWords = said.map(({ value }) => `${value}`).filter(value => !result.includes(value))
  const unsaid = new Set([...unsaidWords, ...part.unsaid])
  return [{ ...place, became: became || 'nothing' }, ...Array.from(unsaid, words => ({ ...place, text: words }))]
}

const WHAT: Partial<Record<TemplateTagKind, string>> = {
  value: 'template value',
  attributes: 'attribute list',
  module: 'import or export',
}

/** The length of a line that would be empty without its tag, which would make code of the next. */
function emptyRest({ indent, text }: Place, part: Part): number {
  EMPTY_REST.lastIndex = part.end
  return indent !== undefined && partText(part) === '' && EMPTY_REST.test(text) ? EMPTY_REST.lastIndex - part.end : 0
}

const EMPTY_REST = /[ \t]*\n(?= {4}|\t)/y

/** Replaces addresses that a program computes with the text in them, such as `/logo.svg` in `:src="withBase('/logo.svg')"`. */
function replaceBound(text: string, edits: Edit[], notes: Note[]): void {
  for (const { index, 0: source, 1: name, 2: value = '' } of withoutCode(text).matchAll(BOUND)) {
    const literal = groupsOf(/['`]([^'`$]+)['`]/, value)[1]
    const became = literal === undefined ? '' : `${name}="${literal}"`
    notes.push({ at: index, what: 'bound attribute', ...(literal === undefined ? { text: source } : { became }) })
    edits.push({ start: index, end: index + source.length, text: became })
  }
}

/**
 * Removes the indentation of text between tags, and in boxes of HTML after an empty line, which is code elsewhere. Tags
 * inside are only seen after that.
 */
export const indentedText: Pass = text => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  const boxes = Array.from(text.matchAll(BOX_TAG), ({ index, 1: end }) => ({ index, change: end === '/' ? -1 : 1 }))
  const isFirst = ({ start }: Tag) => lineBefore(text, start).trim() === ''
  const outer = [...endTags(readTags(text).filter(isFirst))]
  for (const { kind, start, text: own } of readBlocks(text)) {
    if (kind !== 'indented-code') continue
    const above = boxes.filter(({ index }) => index < start)
    const isInBox = above.reduce((depth, { change }) => Math.max(0, depth + change), 0) > 0
    const isInTag = outer.some(([begin, end]) => begin.start < start && start < end.start)
    if (!isInBox && !isInTag) continue
    notes.push({ at: start, what: 'indented text', became: 'text' })
    const first = text.lastIndexOf('\n', start - 1) + 1
    const indents = Array.from(text.slice(first, start + own.length).matchAll(/^[ \t]+(?=\S)/gm))
    // The lists between tags stay in each other.
    const least = isInBox ? own.length : Math.min(...indents.map(([indent]) => indent.length))
    for (const { index, 0: indent } of indents)
      edits.push({ start: first + index, end: first + index + Math.min(least, indent.length), text: '' })
  }
  return { edits, notes }
}

const BOX_TAG = new RegExp(
  String.raw`<(\/?)${anyOf(wordsIn('div, section, article, aside, figure, main'))}\b[^<>]*>`,
  'gi',
)

/** An address that a program computes: `:src="withBase('/logo.svg')"`. */
const BOUND_NAME = anyOf(wordsIn('src, href, alt, poster'))
const BOUND = new RegExp(
  String.raw`(?=(?:v-bind)?:[ahps])(?<=<[a-z][^<>]{0,1000}\s)(?:v-bind)?:(${BOUND_NAME})="([^"{]*)"`,
  'gi',
)

/** The tag that ends each tag, if one does. */
function endTags(all: readonly Tag[]): Map<Tag, Tag> {
  const ends = new Map<Tag, Tag>()
  for (const named of Map.groupBy(all, ({ name }) => name).values()) {
    const open: Tag[] = []
    for (const tag of named) {
      if (!tag.isEnd) {
        open.push(tag)
        continue
      }
      const start = open.pop()
      if (start) ends.set(start, tag)
    }
  }
  return ends
}

/** The arguments of a tag as props, but not the file that it includes. */
function propsOfTag({ name, named, words }: Pick<Tag, 'name' | 'named' | 'words'>): Prop[] {
  const own = words.slice(Number(name.startsWith('include')))
  return argumentProps([...named, ...own.map(word => ['', word] as const)])
}

/** `{% name words named="value" %}`; the name of a value is all of it. */
type Tag = ReturnType<typeof readTags>[number]

/** HTML may be indented as code is in Markdown. */
function readTags(text: string, isHtml = false) {
  const found = isHtml
    ? templateTags(text).filter(({ kind }) => kind !== 'module')
    : foreignTags(text, readBlocks(text))
  const all = found.map(tag => ({ ...tag, ...readTag(text.slice(tag.start, tag.end)) }))
  // Other lists of attributes are read later.
  return all.filter(({ kind, name }) => kind !== 'attributes' || name === 'toc')
}

/** What tags become, by their syntax and then by their names. */
const RESULTS: Readonly<Record<TemplateTagKind, (place: Place) => Result>> = {
  value,
  attributes: contents,
  module: lost,
  statement: named,
  shortcode: named,
}

/** Nothing, or the text of a link whose address is lost. */
function lost({ start, end, before, text }: Place): Result {
  const tag = { text: '', lost: text.slice(start, end) }
  const [link, label = ''] = groupsOf(LINK, before)
  if (link === undefined || text[end] !== ')') return tag
  return { ...tag, start: start - link.length, end: end + 1, text: label }
}

/** A link or picture up to its address. */
const LINK = /!?\[([^[\]{}]*)\]\(<?$/

/** A variable of the site, or a text with filters that make an address: `'/logo' | relative_url`. */
function value(place: Place): Result {
  const { inner, facts, isAddress } = place
  if (inner === 'site.baseurl' || (isAddress && inner === 'site.url')) return { text: '' }
  const [, , text] = groupsOf(LITERAL, inner)
  return text === undefined ? settingValue(place, inner, facts) : { text }
}

/** A setting that a shortcode names: `{{< param "contact.email" >}}`. */
function setting(place: Place): Result {
  return settingValue(place, `${place.name} ${place.words[0]}`, place.facts)
}

/** The value of a variable, perhaps with filters; of an unknown one in a sentence, its name, which tells authors what is missing. */
function settingValue(place: Place, expression: string, { variables }: Place['facts']): Result {
  const [name = ''] = expression.split('|', 1)
  const text = variables.get(name.trim())
  if (text !== undefined) return { text }
  const result = element(place)
  const [label = ''] = NAME.exec(name.trim()) ?? []
  const isHole = result.lost !== undefined && result.text === '' && isInSentence(place)
  return isHole && label !== '' ? { ...result, text: `‹${nameWords(label).join(' ').toLowerCase()}›` } : result
}

/** The last name in an expression such as `config.extra.contact_email` or `contact_email()`. */
const NAME = /[\p{L}_][\p{L}\p{N}_-]*(?=\W{0,9}$)/u

/** Whether a value has other text on its line, and is in no tag of HTML. */
function isInSentence({ mayBeHole, text, start, end, before }: Place): boolean {
  const [after = ''] = text.slice(end, end + 1000).split('\n', 1)
  const around = `${lineBefore(text, start)} ${after}`.replace(ANY_TAG, '')
  return mayBeHole && around.trim() !== '' && before.lastIndexOf('<') <= before.lastIndexOf('>')
}

const ANY_TAG = /<[^<>]{0,1000}>|\{[{%][^{}]{0,1000}\}{1,2}/g

const LITERAL = /^(["'])([^"']*)\1(?:\s*\|\s*(?:\w*url|prepend:\s*site\.\w+))*$/

/** A list of contents; the page has its own. */
function contents({ start, before }: Place): Result {
  const [item = ''] = groupsOf(TOC_LIST, before)
  return { text: '', start: start - item.length }
}

/** The item of a list that a list of contents replaces. */
const TOC_LIST = /(?<![^\n])[ \t]*[-*+\d][.)]?[ \t][^\n]*\n[ \t]*$/

/** Tags whose words and addresses are no text. */
const PROGRAM = 'assign block call capture case elif else elsif extends from if import macro set unless when'.split(' ')

/** The results of tags by their names; others are elements. */
const NAMED = new Map<string, (place: Place) => Result>([
  ['raw', ({ endTag }) => ({ text: '', next: endTag.start })],
  ['endraw', () => ({ text: '' })],
  ['toc', () => ({ text: '' })],
  ['for', loop],
  ['link', linkTo('site')],
  ['ref', linkTo('wiki')],
  ['relref', linkTo('wiki')],
  ['post_url', linkTo('wiki')],
  ['asset_path', linkTo('wiki')],
  ['youtube', player('https://www.youtube.com/watch?v=')],
  ['vimeo', player('https://vimeo.com/')],
  ...['param', 'var', 'meta'].map(name => [name, setting] as const),
  ...PROGRAM.map(name => [name, lost] as const),
])

function named(place: Place): Result {
  return (NAMED.get(place.name) ?? element)(place)
}

function linkTo(root: string) {
  return ({ named, words }: Place): Result => {
    const [path = '', ...fragment] = (named.get('path') ?? words.join(' ')).split('#')
    return { text: [`/@${root}${encodePath(join('/', path))}`, ...fragment].join('#') }
  }
}

function player(address: string) {
  return ({ named, words: [id = fieldText(named, 'id')], indent }: Place): Result => {
    return { text: `<${address}${id}>`, isBlock: indent !== undefined }
  }
}

/** A link to the colours, which replaces a loop over a file of data that has them, such as `for each in site.data.colours`. */
function loop(place: Place): Result {
  const { start, words, content, endTag, facts } = place
  if (!content.includes('{{')) return lost(place)
  const palettes = new Set(facts.palettes)
  const isOfColors = words.some(word => palettes.has(word.slice(word.lastIndexOf('.') + 1)))
  const whole = { end: endTag.end, text: '', lost: place.text.slice(start, endTag.end) }
  return isOfColors ? { end: endTag.end, text: `\n\n${PALETTE_LINK}\n\n` } : whole
}

/** What an element with the arguments of a tag becomes, and with the content that has no tags. */
function element(place: Place): Result {
  const { name, inner, words, isAddress, indent, endTag } = place
  const props = propsOfTag(place)
  const said = readSaid(props)
  const [address = ''] = [...said.picture, ...said.link]
  if (isAddress && address !== '') return { text: address.replaceAll(' ', '%20') }
  const own = name.startsWith('include') ? fileStem(`${words[0]}`) : name
  const [content, end] = place.content.includes('{') ? ['', place.end] : [place.content, endTag.end]
  const isBlock = indent !== undefined
  const shape = shapeOf({ name: own, props, content }, isBlock ? bold : undefined)
  const hasWords = [content, ...said.picture, ...said.title, ...said.text, ...said.alt].join('') !== ''
  // Paths without words are for programs, and values of colours may be in objects in others.
  const isShown = hasWords ? shape.isFramed || address !== '' : address.startsWith('http') || extname(address) !== ''
  const isNested = shape.rows.length > 0 && /[{[][^}\]]*[{[]/.test(inner)
  const chosen = namesColors(name) ? chosenColors(place) : undefined
  if (chosen) return { ...chosen, isBlock: true }
  if (!isShown || isNested) return lost(place)
  return { rows: shape.rows, text: shape.text.replaceAll('\n', `\n${indent ?? ''}`), end, isBlock }
}
