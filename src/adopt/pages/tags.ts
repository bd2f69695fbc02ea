import { readBlocks, withoutCode } from '#formats/markdown/page-blocks.ts'
import type { TemplateTagKind } from '#formats/markdown/template-tags.ts'
import { foreignTags } from '#intake/markdown/foreign-syntax.ts'
import type { Edit } from '#platform/base/text.ts'
import { fieldText, groupsOf, wordSet } from '#platform/base/text.ts'
import { alertKind } from './alert-kind.ts'
import { kindOf } from './components.ts'
import { blocksOf, readSaid, takeContent } from './elements/element-text.ts'
import { type Prop, roleOf } from './elements/props.ts'
import { attributes, encodePath, PALETTE_LINK, readArguments } from './markup.ts'
import type { Note, PageTask, Pass } from './page.ts'

/**
 * Replaces the tags of template systems with their results. Others are lost: tags around content leave only the content,
 * but a loop that shows values goes whole.
 */
export const tags: Pass = (text, task) => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  const all = readTags(text)
  const ends = endTags(all)
  // Whether braces are text, between `{% raw %}` and `{% endraw %}`, and the end of the last tag that was replaced.
  let [isRaw, end] = [false, 0]
  for (const [at, tag] of all.entries()) {
    const { start, kind, name } = tag
    if (start < end || (isRaw && name !== 'endraw')) continue
    isRaw = name === 'raw' && kind !== 'value'
    const endAt = ends.get(at) ?? at
    const endTag = all[endAt] ?? tag
    const isLoop = name === 'for' && all.slice(at, endAt).some(inner => inner.kind === 'value')
    const before = text.slice(Math.max(0, start - 1000), start)
    // The content counts only if there are no tags in it.
    const content = endAt === at + 1 ? text.slice(tag.end, endTag.start).trim() : ''
    const moved = kind === 'attributes' ? attributes({ index: start, 0: tag.source }, text) : undefined
    const markdown =
      moved?.map(edit => edit.text).join('') ??
      (isLoop ? loopResult(tag.source, task.facts.palettes) : resultOf(tag, before, content, task))
    // Links in lines after each other are a list.
    const isLink = /^(?:!\[[^\n]*\) )?\[[^\n]*\)/.test(markdown ?? '')
    const isItem = isLink && [all[at - 1], all[at + 1]].some(other => isNextLine(text, tag, other))
    const result = isItem ? `- ${markdown}` : markdown
    // A loop goes whole, and so does content that is in the result.
    end = isLoop || (content && result?.startsWith(`[${content}](`)) ? endTag.end : tag.end
    const place = { at: start, what: WHAT[kind] ?? `tag ${name}` }
    if (result !== undefined) notes.push({ ...place, became: result.trim() || 'nothing' })
    else if (!/^(?:end|\/)/.test(name)) notes.push({ ...place, text: text.slice(start, end) })
    for (const words of kind === 'value' || result === undefined ? [] : unsaid(tag, result + content))
      notes.push({ ...place, text: words })
    // A link whose address is lost becomes its text.
    const lostLink = result === undefined && text[end] === ')' ? LINK.exec(before) : null
    const listLength = name === 'toc' ? (TOC_LIST.exec(before)?.[0].length ?? 0) : 0
    const emptyLength =
      result || !/\S[ \t]*\n[ \t]*$/.test(before) ? 0 : (EMPTY_LINE.exec(text.slice(end, end + 99))?.[0].length ?? 0)
    if (moved) edits.push(...moved)
    else if (lostLink) edits.push({ start: start - lostLink[0].length, end: end + 1, text: lostLink[1] ?? '' })
    else edits.push({ start: start - listLength, end: end + emptyLength, text: result ?? '' })
  }
  replaceBound(text, edits, notes)
  return { edits, notes }
}

/** Replaces addresses that Vue computes with the text in them, such as `/logo.svg` in `:src="withBase('/logo.svg')"`. */
function replaceBound(text: string, edits: Edit[], notes: Note[]): void {
  for (const { index, 0: source, 1: name, 2: value = '' } of withoutCode(text).matchAll(BOUND)) {
    const literal = groupsOf(/['`]([^'`$]+)['`]/, value)[1]
    const became = literal === undefined ? '' : `${name}="${literal}"`
    notes.push({ at: index, what: 'attribute of Vue', ...(literal === undefined ? { text: source } : { became }) })
    edits.push({ start: index, end: index + source.length, text: became })
  }
}

/**
 * Removes the indentation of text between tags, and in boxes of HTML after an empty line, which is code elsewhere. Tags
 * inside are only seen after that.
 */
export const indentedText: Pass = text => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  const all = readTags(text)
  const ends = Array.from(endTags(all), ([at, last]) => ({ start: all[at]?.start ?? 0, end: all[last]?.start ?? 0 }))
  const outer = ends.filter(({ start }) => /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 99), start)))
  let depth = 0
  for (const { kind, start, text: own } of readBlocks(text)) {
    const isInBox = depth > 0
    const isInside = isInBox || outer.some(tag => tag.start < start && start < tag.end)
    const isIndented = kind === 'indented-code' && isInside
    if (!isIndented && kind !== 'html') continue
    const first = text.lastIndexOf('\n', start - 1) + 1
    const source = text.slice(first, start + own.length)
    for (const [, isEnd] of source.matchAll(BOX_TAG)) depth = Math.max(0, depth + (isEnd ? -1 : 1))
    if (!isIndented) continue
    notes.push({ at: start, what: 'indented text', became: 'text' })
    const least = Math.min(...Array.from(source.matchAll(/^[ \t]*(?=\S)/gm), ([indent]) => indent.length))
    for (const { index, 0: indent } of source.matchAll(/^[ \t]+/gm)) {
      const start = first + index
      edits.push({ start, end: start + Math.min(indent.length, isInBox ? indent.length : least), text: '' })
    }
  }
  return { edits, notes }
}

const BOX_TAG = /<(\/?)(?:div|section|article|aside|figure|main)\b[^<>]*>/gi

/** Whether two tags of one name are lines after each other: their links are a list. */
function isNextLine(text: string, tag: ShownTag, other: ShownTag | undefined): boolean {
  const [first, second] = other && other.start < tag.start ? [other, tag] : [tag, other]
  return other?.name === tag.name && text.slice(first.end, second?.start) === '\n'
}

type ShownTag = ReturnType<typeof readTags>[number]

function readTags(text: string) {
  return foreignTags(text, readBlocks(text)).map(found => ({ ...found, ...readTag(found.source) }))
}

/** An address that Vue computes: `:src="withBase('/logo.svg')"`. */
const BOUND = /(?=(?:v-bind)?:[ahps])(?<=<[a-z][^<>]{0,1000}\s)(?:v-bind)?:(src|href|alt|poster)="([^"{]*)"/gi

/** A link or picture up to its address. */
const LINK = /!?\[([^[\]{}]*)\]\(<?$/
/** The item of a list that kramdown replaces with a list of contents. */
const TOC_LIST = /(?<=^|\n)[ \t]*(?:[-*+]|\d+\.)[ \t][^\n]*\n[ \t]*$/
/** The end of a line that would be empty without its tag, which would make code of the next. */
const EMPTY_LINE = /^[ \t]*\n(?= {4}|\t)/

/** The index of the tag that ends each tag, if one does. */
function endTags(all: readonly Tag[]): Map<number, number> {
  const ends = new Map<number, number>()
  /** The indexes of the tags of each name that are open. */
  const open = new Map<string, number[]>()
  for (const [at, { name }] of all.entries()) {
    const startName = name.replace(/^(?:end|\/)/, '')
    const starts = open.get(startName) ?? []
    if (startName === name) starts.push(at)
    else ends.set(starts.pop() ?? at, at)
    open.set(startName, starts)
  }
  return ends
}

/** The words and addresses of a tag that its result lacks. */
function unsaid(tag: Tag, result: string): string[] {
  const resultText = result.replaceAll('%20', ' ')
  const said = propsOfTag(tag).filter(prop => roleOf(prop) !== undefined)
  return [...new Set(said.map(({ value }) => `${value}`))].filter(value => !resultText.includes(value))
}

/** The arguments of a tag as props, but not the file that it includes; those without a name have an empty one. */
function propsOfTag({ name: tag, named, words }: Tag): Prop[] {
  const own = tag.startsWith('include') ? words.slice(1) : words
  const all = [...named, ...own.map(word => ['', word] as const)]
  return all.map(([name, value]) => ({ name, value, start: 0, source: '' }))
}

const WHAT: Partial<Record<TemplateTagKind, string>> = {
  value: 'template value',
  attributes: 'attribute list',
  module: 'import or export',
}

/** `{% name words named="value" %}`; the name of a value is all of it. */
type Tag = { inner: string; name: string; named: ReadonlyMap<string, string>; words: readonly string[] }

function readTag(source: string): Tag {
  const inner = source.replace(/(?<!\s)\s*(?<![-/>%])[-/>%]*[%}]?\}$/, '').replace(/^\{(?:\{[<%]|[{%:])-?\s*/, '')
  const name = groupsOf(/^(?:\/?\s*[\w-]+|@[\w/-]+)/, inner)[0] ?? ''
  return { inner, name: name.replace(/\s/g, ''), ...readArguments(inner.slice(name.length)) }
}

/** A link to the colours, which replaces a loop over a file of data that has them, such as `for each in site.data.colours`. */
function loopResult(loop: string, names: readonly string[] = []): string | undefined {
  const isOfColors = loop.match(/[\w-]+(?![\w.-])/g)?.some(name => names.includes(name))
  return isOfColors ? `\n\n${PALETTE_LINK}\n\n` : undefined
}

/** Gives the Markdown instead of a tag; undefined if there is none. `content` is the text up to its end tag. */
function resultOf(tag: Tag, before: string, content: string, { facts }: PageTask): string | undefined {
  const { inner, name, named, words } = tag
  const isAddress = /\]\(<?$|=["']?$/.test(before)
  if (SILENT.has(name) || inner === 'site.baseurl') return ''
  if (inner === 'site.url' && isAddress) return ''
  const [, , literal] = groupsOf(LITERAL, inner)
  const variable = literal ?? facts.variables.get(inner)
  if (variable !== undefined) return variable
  if (LINKS.has(name)) {
    const [target = '', fragment] = (named.get('path') ?? words.join(' ')).split('#')
    const path = encodePath(target.replace(/^\//, ''))
    return `/@${name === 'link' ? 'site' : 'wiki'}/${path}${fragment === undefined ? '' : `#${fragment}`}`
  }
  if (!name.startsWith('include')) return shownFile(tag, content, isAddress)
  const said = named.get('content') ?? named.get('text')
  const [, box = ''] = groupsOf(/(?<![\w-])([\w-]+)\.html$/, words[0] ?? '')
  if (kindOf(box) !== 'alert' || said === undefined || !/(?:^|\n) {0,3}$/.test(before))
    return shownFile(tag, content, isAddress)
  return `> [!${alertKind(named.get('type') ?? box)}]\n> ${said}\n`
}

/** `'/logo' | relative_url`, and other filters that make an address. */
const LITERAL = /^(["'])([^"']*)\1(?:\s*\|\s*(?:relative_url|absolute_url|url|locale_url|prepend:\s*site\.\w+))*$/

/** Tags that say nothing, and those that are addresses. */
const SILENT = wordSet('raw endraw toc nomarkdown')
const LINKS = wordSet('link ref relref post_url asset_path')
const PLAYERS = new Map([
  ['youtube', 'https://www.youtube.com/watch?v='],
  ['vimeo', 'https://vimeo.com/'],
])

/** What a tag with an address shows: what an element with its arguments does, on one line. */
function shownFile(tag: Tag, content: string, isAddress: boolean): string | undefined {
  const player = PLAYERS.get(tag.name)
  if (player !== undefined) return `<${player}${tag.words[0] ?? fieldText(tag.named, 'id')}>`
  const props = propsOfTag(tag)
  const { picture, link } = readSaid(props)
  const [address] = [...picture, ...link]
  if (address === undefined || isAddress) return address?.replaceAll(' ', '%20')
  if (picture.length === 0 && /\]\(|<a\s/.test(content)) return ''
  takeContent(props, content, false)
  const { title, text, alt } = readSaid(props)
  const isNamed = [...picture, ...title, ...text, ...alt].length > 0 || /^https?:|\.\w+$/.test(address)
  return isNamed ? blocksOf(readSaid(props)).join(' ') : undefined
}
