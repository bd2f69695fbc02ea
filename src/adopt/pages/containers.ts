import { type Edit, groupsOf, singleSpaced } from '#platform/base/text.ts'
import { isAlert, type Kind, kindOf } from './components.ts'
import { alertOf } from './elements/element-form.ts'
import { blocksOf, readSaid } from './elements/element-text.ts'
import { argumentProps, maySaySomething } from './elements/props.ts'
import { readArguments } from './markup.ts'
import type { Note, Pass } from './page.ts'

/* Blocks of other systems that contain Markdown, such as admonitions and tabs: components whose content stays on its lines. */

/** What a container becomes: `> [!NOTE]`, `<details>`, fenced code, HTML around Markdown, or its title and content. */
type Form = 'alert' | 'details' | 'code' | 'html' | 'content'
/**
 * A syntax of containers: the pattern of the line that opens one, what one becomes whose name has no meaning, and the
 * pattern of its last line, in which `$name` is a group of the first; a container without one continues while lines are
 * indented.
 *
 * The groups of the first pattern: `name`, `title`, `words` of a title, `args` as tags have them, and `rest`, which is content.
 */
type Syntax = readonly [what: string, opens: RegExp, other: Form | undefined, closes?: string]

const SYNTAXES: readonly Syntax[] = [
  // !!! note inline end "Title"
  [
    'admonition',
    /^[!?]{3}\+?(?!.*!$)[ \t]*(?<name>[\w-]+)(?:[ \t]+(?:inline|end)\b)*[ \t]*(?:["“„«](?<title>.*?)(?<!\\)["”“»])?[ \t]*(?<rest>.*)$/gs,
    'alert',
  ],
  ['tab', /^===[+!]?[ \t]+["'](?<title>.*)["']$/g, 'details'],
  // ?> A tip, and !> important text
  ['note', /^(?<name>[?!])>[ \t]+(?<rest>\S.*)$/g, 'alert'],
  // ::: name [Title]{args} words, and /// name | words, but not ::: a :::
  [
    'container',
    /^[:/]{3,}(?![:/])(?!.*:{3}$)[ \t]{0,9}(?=[a-z{])\{?(?:(?<name>[a-z][\w-]*)(?![\w-]))?\}?[ \t]{0,9}(?:\[(?<title>[^\]]*)\])?[ \t]{0,9}(?<args>\{[^{}]*\})?[ \t]{0,9}\|?(?<words>[^{}]*)$/gi,
    'content',
    '^[:/]{3,}$',
  ],
  // {% endnote %} or {{< /note >}}, after the last text of the container
  [
    'tag',
    /^\{[%{][<%]?-?[ \t]*(?<name>[\w-]+)(?![\w-])(?<args>.*?)(?<!\/)-?[>%]\}{1,2}(?<rest>.*)$/gs,
    undefined,
    '^(.*?)\\{[%{][<%]?-?[ \\t]{0,9}(?:end|/[ \\t]{0,9})$name\\b[^{}]*\\}{1,2}$',
  ],
  [
    'Markdown in HTML',
    /^<(?<element>[a-z]+)\b(?=[^<>]*\smarkdown\b)[^<>]*>(?:<summary>.*<\/summary>)?(?<rest>.*)$/gi,
    'html',
    '^(.*)</$element>$',
  ],
  ['aside', /^<(?<name>aside)\b[^<>]*>(?<rest>.*)$/g, 'alert', '^(.*)</aside>$'],
]
/** The forms by the kinds of names. */
const FORMS: ReadonlyMap<Kind | undefined, Form> = new Map([
  ['alert', 'alert'],
  ['box', 'alert'],
  ['code', 'code'],
  ['titled', 'details'],
])

/** Matches no line. */
const NEVER = /(?!)/

/** In characters. Longer lines are text. */
const MAX_LINE = 10_000

/** A container around the current line. */
type Open = {
  form: Form
  /** The number of its group of tabs if it is a tab, else 0. */
  tab: number
  /** The columns before its first line, and before its content, which is given by that if a line ends the container. */
  indent: number
  inner: number | undefined
  /** The pattern of its last line; one that matches no line if it continues while lines are indented. */
  closes: RegExp
  /** The lines that end what it becomes. */
  ends: readonly string[]
  /** `list` of the walk, as it was outside of the container. */
  list: number
}

type Fence = { ends: RegExp; depth: number }

type Walk = {
  /** The outermost one is first. */
  open: Open[]
  /** The offsets of blank lines; the next line tells their container. */
  blank: number[]
  edits: Edit[]
  notes: Note[]
  /** The column of the text of the current list item. */
  list: number
  /** The number of groups of tabs so far, and the one of the tab that the current line follows, else 0. */
  tabs: number
  afterTab: number
  /** The open code: the pattern of its last line, and how many containers are around it. */
  fence: Fence
  /** Whether a line after that at an index closes a container. */
  isClosedAfter: (at: number, closes: RegExp) => boolean
}

/** Makes alerts of admonitions, `<details>` of tabs, and code of code tags, also nested. Walks the lines once. */
export const containers: Pass = text => {
  const lines = text.split('\n')
  const state = { open: [], blank: [], edits: [], notes: [], list: 0, tabs: 0, afterTab: 0, fence: NO_FENCE }
  const walk: Walk = { ...state, isClosedAfter: closingLines(lines) }
  let start = 0
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') walk.blank.push(start)
    else readLine(walk, line, { start, at })
    start += line.length + 1
  }
  const end = leave(walk, 0).join('\n').trimEnd()
  walk.edits.push({ start: text.length, end: text.length, text: end && `\n${end}\n` })
  return walk
}

/** Finds the last line that matches a pattern, once for each pattern. */
function closingLines(lines: readonly string[]): Walk['isClosedAfter'] {
  const lastMatches = new Map([[NEVER.source, lines.length]])
  return (at, closes) => {
    const end = lastMatches.get(closes.source) ?? lines.findLastIndex(line => closes.test(line.trim()))
    lastMatches.set(closes.source, end)
    return end > at
  }
}

/** The offset and index of a line. */
type Place = { start: number; at: number }

/**
 * Reads a line that is not blank: ends the containers that it does not belong to, writes the blank lines before it, and
 * then closes or opens a container, or puts the line into the open ones.
 */
function readLine(walk: Walk, line: string, place: Place): void {
  const { at, depth } = enter(walk.open, line)
  const rest = line.slice(at)
  const content = rest.trim()
  const indent = columns(rest).width
  // A blank line of the source stands for the empty lines after containers.
  const endLines = leave(walk, depth).filter(end => walk.blank.length === 0 || /[^> ]/.test(end))
  const prefix = prefixOf(walk.open)
  for (const blank of walk.blank) walk.edits.push({ start: blank, end: blank, text: prefix.trimEnd() })
  walk.blank = []
  const { start } = place
  const isCode = isInFence(walk, content)
  // A line that is indented by four columns is code.
  const mayOpen = !isCode && indent - walk.list < 4 && line.length <= MAX_LINE
  const newLines = closing(walk, content) ?? (mayOpen ? opening(walk, content, indent, place) : undefined)
  if (newLines !== undefined) {
    walk.edits.push({ start, end: start + line.length, text: [...endLines, ...newLines].join('\n') })
    return
  }
  walk.afterTab = 0
  const [itemMark = ''] = groupsOf(LIST_MARK, rest)
  if (!isCode && (itemMark !== '' || indent === 0)) walk.list = itemMark.replaceAll('\t', '    ').length
  walk.edits.push({ start, end: start + at, text: [...endLines, prefix].join('\n') })
}

const LIST_MARK = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/

/** The length of the indentation for open containers, and the number of those that continue. */
function enter(open: readonly Open[], line: string): { at: number; depth: number } {
  let at = 0
  for (const [depth, container] of open.entries()) {
    container.inner ??= columns(line.slice(at)).width
    const { length, width } = columns(line.slice(at), container.inner)
    if (container.closes === NEVER && width < container.inner) return { at, depth }
    at += length
  }
  return { at, depth: open.length }
}

/** The white space that a text begins with, up to some columns: its length, and its columns with four for a tab. */
function columns(text: string, max = Number.POSITIVE_INFINITY): { length: number; width: number } {
  let [length, width] = [0, 0]
  for (; width < max && BLANKS.has(text.charAt(length)); length++) width += text[length] === '\t' ? 4 : 1
  return { length, width }
}

const BLANKS: ReadonlySet<string> = new Set([' ', '\t'])

/** The mark of the lines in what a container becomes. */
const MARKS = { alert: '> ', details: '', code: '', html: '', content: '' } as const

/** The beginning of each line in what open containers become. */
function prefixOf(open: readonly Open[]): string {
  return open.map(({ indent, form }) => ' '.repeat(indent) + MARKS[form]).join('')
}

/** Ends open containers from a depth on; gives the lines after them. */
function leave(walk: Walk, depth: number): string[] {
  const lines: string[] = []
  for (const { ends, indent, list, tab } of walk.open.slice(depth).reverse()) {
    walk.open.pop()
    walk.list = list
    walk.afterTab = tab
    const prefix = prefixOf(walk.open) + ' '.repeat(indent)
    lines.push(...ends.map(line => (prefix + line).trimEnd()))
  }
  return lines
}

/** Whether a line is in fenced code, or in HTML whose text is code. */
function isInFence(walk: Walk, content: string): boolean {
  const { fence, open } = walk
  if (fence.depth <= open.length) {
    if (fence.ends.test(content)) walk.fence = NO_FENCE
    return true
  }
  const [found, mark] = groupsOf(FENCE, content)
  const ends = mark ? new RegExp(`^[>\\s]*${mark}${mark[0]}*$`) : /<\/pre\s*>/i
  walk.fence = found === undefined ? NO_FENCE : { ends, depth: open.length }
  return found !== undefined
}

/** Stands for the code around a line that is no code. */
const NO_FENCE: Fence = { ends: NEVER, depth: Number.POSITIVE_INFINITY }

const FENCE = /^[>*+\-\d.)\s]*(?:(`{3,}(?=[^`]*$)|~{3,})|<pre\b(?!.*<\/pre))/i

/** The lines instead of one that closes a container. */
function closing(walk: Walk, content: string): string[] | undefined {
  const mayClose = ({ form }: Open) => walk.fence === NO_FENCE || form === 'code'
  const depth = walk.open.findLastIndex(each => each.closes.test(content) && mayClose(each))
  if (depth < 0) return undefined
  // The text before a tag that closes.
  const texts = walk.open.slice(depth, depth + 1).map(({ closes }) => groupsOf(closes, content).slice(1).join(''))
  const lines = texts.filter(text => text !== '').map(text => prefixOf(walk.open) + text)
  return [...lines, ...leave(walk, depth)]
}

/** The lines instead of one that opens a container, with the text that it has; undefined if it opens none. */
function opening(walk: Walk, content: string, indent: number, { start, at }: Place): string[] | undefined {
  const opened = readOpening(content, walk.afterTab || walk.tabs + 1)
  if (opened === undefined) return undefined
  const { form, tab, closes, rest, head, ends, note } = opened
  const [, only] = groupsOf(closes, rest)
  if (only === undefined && !walk.isClosedAfter(at, closes)) return undefined
  walk.notes.push({ at: start, ...note })
  walk.tabs = Math.max(walk.tabs, tab)
  walk.afterTab = 0
  const prefix = prefixOf(walk.open) + ' '.repeat(indent)
  const lines = head.map(line => (prefix + line).trimEnd())
  walk.open.push({ form, tab, indent, inner: closes === NEVER ? indent + 4 : undefined, closes, ends, list: walk.list })
  walk.list = 0
  // Only the tag closes a container of code.
  if (form === 'code') walk.fence = { ends: NEVER, depth: walk.open.length }
  const text = only ?? rest
  if (text !== '') lines.push(prefixOf(walk.open) + text)
  return only === undefined ? lines : [...lines, ...leave(walk, walk.open.length - 1)]
}

/** Stands for the syntax of a line that opens no container. */
const NO_OPENING = { what: '', other: undefined, end: '', groups: {} }

type Groups = { readonly [name: string]: string | undefined }

/**
 * A container that a line opens: its form, the lines that this begins and ends with, and what is noted about it. Of the
 * tabs in a `group`, only one is open.
 */
function readOpening(content: string, group: number) {
  const [opened = NO_OPENING] = SYNTAXES.flatMap(([what, opens, other, end = '']) =>
    Array.from(content.matchAll(opens), ({ groups = {} }) => ({ what, other, end, groups })),
  )
  const { what, other, end } = opened
  const { name = '', rest = '', args = '', ...groups }: Groups = opened.groups
  const kind = kindOf(name)
  const usual = FORMS.get(kind) ?? other
  if (usual === undefined) return undefined
  const ending = end.replace('$name', name).replace('$element', `${groups.element}`)
  const { named, words } = readArguments(args)
  const [language = ''] = words
  const { kinds = [], texts = [] } = Object.groupBy(words, word => (isAlert(word) ? 'kinds' : 'texts'))
  // The words after a name without a meaning are no title.
  const title = singleSpaced([groups.title, ...(FORMS.has(kind) ? [groups.words, ...texts] : [])].join(' '))
  const props = argumentProps([...kinds.map(word => ['', word] as const), ...named])
  const alert = alertOf(name, props)
  const said = readSaid(alert.rest)
  said.title.unshift(...[title].filter(line => line !== ''))
  const form = usual === 'details' && said.title.length === 0 ? 'content' : usual
  const isTab = form === 'details' && [what, name].some(word => word.toLowerCase().startsWith('tab'))
  const tab = isTab ? group : 0
  const inLines = (blocks: readonly string[]) => blocks.flatMap(block => [...block.split('\n'), ''])
  const lines = inLines(blocksOf(said))
  const details = [`<details${tab ? ` name="tabs-${tab}"` : ''}>`, `<summary>${said.title.join(' ')}</summary>`, '']
  const tag = content.slice(0, content.length - rest.length)
  const { head, ends } = {
    alert: { head: [alert.start, ...lines].map(line => `> ${line}`), ends: [''] },
    details: { head: [...details, ...inLines(blocksOf({ ...said, title: [] }))], ends: ['', '</details>', ''] },
    code: { head: [`\`\`\`${language}`], ends: ['```'] },
    html: { head: [tag, ''], ends: ['', `</${groups.element}>`] },
    content: { head: ['', ...lines], ends: [''] },
  }[form]
  const became = head[0] || 'its content'
  const isSaid = form !== 'content' || title !== ''
  const note = isSaid && !said.rest.some(maySaySomething) ? { what, became } : { what, text: content }
  return { form, tab, closes: end === '' ? NEVER : new RegExp(ending, 'i'), rest, head, ends, note }
}
