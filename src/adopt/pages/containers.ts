import type { Edit } from '#platform/base/text.ts'
import { groupsOf } from '#platform/base/text.ts'
import { alertKind } from './alert-kind.ts'
import { namesOf } from './components.ts'
import { readArguments } from './markup.ts'
import type { Note, Pass } from './page.ts'

type Form = 'alert' | 'details' | 'code' | 'html' | 'content'
/** The line that opens a container, what it becomes, and its last line: absent if it is indented. */
type Row = readonly [what: string, opens: RegExp, becomes: Form, closes?: string]

const ALERTS = namesOf('alert', 'box')
const MARK = '(?:/{3,}|:{3,}(?!:)(?!.*:{3}$))[ \\t]*'
const MARK_END = '^(?:/{3,}|:{3,})$'
const ARGUMENTS = '(?:\\[(?<title>.*)\\])?[ \\t]*(?<args>\\{.*\\})?[ \\t]*\\|?[ \\t]*(?<words>[^{}]*)$'
const TAG_END = '^(.*?)(?:\\{%-?[ \\t]*end|\\{\\{[<%][ \\t]*/[ \\t]*)$name\\b[^{}]*\\}{1,2}$'
const MARKDOWN_HTML =
  /^<(?<name>div|section|article|aside|figure|details|center|p)\b(?=[^<>]*\smarkdown\b)[^<>]*>(?:<summary>.*<\/summary>)?(?<rest>.*)$/i
const ROWS: readonly Row[] = [
  [
    'admonition of MkDocs',
    /^(?:!!!(?!.*![ \t]*$)|\?\?\?\+?)[ \t]*(?<type>[\w-]+)(?![\w-])(?:[ \t]+(?:inline|end)\b)*(?:[ \t]+["“„«](?<title>(?:\\.|[^\\])*?)["”“»])?[ \t]*(?<rest>.*)$/s,
    'alert',
  ],
  ['tip of Docsify', /^\?>[ \t]+(?![ \t])(?<rest>.*)$/, 'alert'],
  ['important text of Docsify', /^!>[ \t]+(?![ \t])(?<rest>.*)$/, 'alert'],
  ['tab of MkDocs', /^===[+!]?[ \t]+["'](?<title>.*)["'][ \t]*$/, 'details'],
  ['collapsible block', anyCase(`${MARK}(?:details|(?<tab>tab(?:-item)?))\\b[ \\t]*${ARGUMENTS}`), 'details', MARK_END],
  ['admonition block', anyCase(`${MARK}\\{?(?<type>${ALERTS})\\b\\}?[ \\t]*${ARGUMENTS}`), 'alert', MARK_END],
  ['container', anyCase(`${MARK}[a-z{].*$`), 'content', MARK_END],
  ['admonition tag', tag(`(?<name>${ALERTS})`), 'alert', TAG_END],
  ['collapsible tag', tag('(?<name>(?<tab>tab)|details|expand|accordion)'), 'details', TAG_END],
  ['code tag', tag('(?<name>highlight|code-toggle)'), 'code', TAG_END],
  ['Markdown in HTML', MARKDOWN_HTML, 'html', '^(.*)</$name>$'],
  ['aside of Notion', /^<aside\b[^<>]*>(?<rest>.*)$/, 'alert', '^(.*)</aside>$'],
]

/** In characters. Longer lines are text. */
const MAX_LINE = 10_000

function anyCase(pattern: string): RegExp {
  return new RegExp(`^${pattern}`, 'i')
}

function tag(name: string): RegExp {
  return anyCase(`(?:\\{%-?|\\{\\{[<%])[ \\t]*${name}(?![\\w-])(?<args>.*?)(?<!/)-?[>%]\\}{1,2}(?<rest>.*)$`)
}

/**
 * A container around the current line: the columns before it and, for HTML, before its content; its number if it is a
 * tab, else 0; its last lines; and `list` as it was outside.
 */
type Open = {
  form: Form
  tab: number
  indent: number
  inner?: number
  closes: RegExp | undefined
  ends: readonly string[]
  list: number
}

type Walk = {
  open: Open[]
  /** The offsets of blank lines; the next line tells their container. */
  blank: number[]
  edits: Edit[]
  notes: Note[]
  /** The column of the text of the current list item. */
  list: number
  tabs: number
  /** The number of the tab that the current line follows, else 0. */
  afterTab: number
  fence: { ends: RegExp; depth: number } | undefined
  /** Whether a line after that at an index closes a container. */
  isClosedAfter: (at: number, closes: RegExp) => boolean
}

/** Makes alerts of admonitions, `<details>` of tabs, and code of code tags, also nested. Walks the lines once. */
export const containers: Pass = text => {
  const state = { open: [], blank: [], edits: [], notes: [], list: 0, tabs: 0, afterTab: 0, fence: undefined }
  const all = text.split('\n')
  const walk: Walk = { ...state, isClosedAfter: closingLines(all) }
  let start = 0
  for (const [at, line] of all.entries()) {
    if (line.trim() === '') walk.blank.push(start)
    else readLine(walk, line, { start, at })
    start += line.length + 1
  }
  const end = leave(walk, 0).join('\n').trimEnd()
  if (end !== '') walk.edits.push({ start: text.length, end: text.length, text: `\n${end}\n` })
  return walk
}

function closingLines(lines: readonly string[]): Walk['isClosedAfter'] {
  const last = new Map<string, number>()
  return (at, closes) => {
    const end =
      last.get(closes.source) ?? lines.findLastIndex(line => line.length <= MAX_LINE && closes.test(line.trim()))
    last.set(closes.source, end)
    return end > at
  }
}

/** The offset and index of a line. */
type Place = { start: number; at: number }

function readLine(walk: Walk, line: string, place: Place): void {
  const { at, depth } = enter(walk.open, line)
  const [content, indent] = [line.slice(at).trim(), columns(line.slice(at)).width]
  const before = leave(walk, depth)
  while (walk.blank.length > 0 && /^[> ]*$/.test(before[0] ?? '-')) before.shift()
  const prefix = prefixOf(walk.open)
  for (const blank of walk.blank) walk.edits.push({ start: blank, end: blank, text: prefix.trimEnd() })
  walk.blank = []
  const { start } = place
  const isCode = isInFence(walk, content)
  const lines =
    closing(walk, content) ?? (isCode || indent - walk.list >= 4 ? undefined : opening(walk, content, indent, place))
  if (lines !== undefined) {
    walk.edits.push({ start, end: start + line.length, text: [...before, ...lines].join('\n') })
    return
  }
  walk.afterTab = 0
  const item = groupsOf(/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/, line.slice(at))[0] ?? ''
  if (!isCode && (item !== '' || indent === 0)) walk.list = item.replaceAll('\t', '    ').length
  walk.edits.push({ start, end: start + at, text: [...before, prefix].join('\n') })
}

/** The length of the indentation for open containers, and the number of those that continue. */
function enter(open: readonly Open[], line: string): { at: number; depth: number } {
  let at = 0
  for (const [depth, each] of open.entries()) {
    const { form, indent, closes } = each
    if (form === 'html') each.inner ??= columns(line.slice(at)).width
    const wanted = each.inner ?? (closes ? indent : indent + 4)
    const { length, width } = columns(line.slice(at), wanted)
    if (!closes && width < wanted) return { at, depth }
    at += length
  }
  return { at, depth: open.length }
}

function columns(text: string, max = Number.POSITIVE_INFINITY): { length: number; width: number } {
  let [length, width] = [0, 0]
  for (; width < max && /[ \t]/.test(text[length] ?? ''); length++) width += text[length] === '\t' ? 4 : 1
  return { length, width }
}

function prefixOf(open: readonly Open[]): string {
  return open.map(({ indent, form }) => ' '.repeat(indent) + (form === 'alert' ? '> ' : '')).join('')
}

/** Ends open containers from a depth on; gives the lines after them. */
function leave(walk: Walk, depth: number): string[] {
  const lines: string[] = []
  for (let last = walk.open.at(-1); last && walk.open.length > depth; last = walk.open.at(-1)) {
    walk.open.pop()
    walk.list = last.list
    walk.afterTab = last.tab
    const prefix = prefixOf(walk.open) + ' '.repeat(last.indent)
    lines.push(...last.ends.map(line => (prefix + line).trimEnd()))
  }
  return lines
}

/** Whether a line is in fenced code, or in HTML whose text is code. */
function isInFence(walk: Walk, content: string): boolean {
  const { fence, open } = walk
  if (fence && fence.depth <= open.length) {
    if (fence.ends.test(content)) walk.fence = undefined
    return true
  }
  const [, mark] = groupsOf(/^(?:(?:>|[-*+]|\d+[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/, content)
  const [, name] = groupsOf(/^<(pre|script|style|textarea)\b(?!.*<\/\1)/i, content)
  const ends = mark ? new RegExp(`^[>\\s]*${mark}${mark[0]}*$`) : new RegExp(`</${name}\\s*>`, 'i')
  walk.fence = mark || name ? { ends, depth: open.length } : undefined
  return walk.fence !== undefined
}

/** The lines instead of one that closes a container. */
function closing(walk: Walk, content: string): string[] | undefined {
  const isIn = ({ form, closes }: Open) => closes?.test(content) && (walk.fence === undefined || form === 'code')
  const depth = walk.open.findLastIndex(isIn)
  const [, last] = walk.open[depth]?.closes?.exec(content) ?? []
  const text = last ? [prefixOf(walk.open) + last] : []
  return depth < 0 ? undefined : [...text, ...leave(walk, depth)]
}

/** The lines instead of one that opens a container, with the text that it has. */
function opening(walk: Walk, content: string, indent: number, { start, at }: Place): string[] | undefined {
  const mayOpen = content.length <= MAX_LINE && /^[!?=:/{<]/.test(content)
  const row = mayOpen ? ROWS.find(([, opens]) => opens.test(content)) : undefined
  if (row === undefined) return undefined
  const [what, opens, form, end] = row
  const said = opens.exec(content)?.groups ?? {}
  const closes = end ? new RegExp(end.replace('$name', said.name ?? ''), 'i') : undefined
  const whole = said.rest ? closes?.exec(said.rest) : undefined
  if (closes && !whole && !walk.isClosedAfter(at, closes)) return undefined
  const { kind = what, title } = wordsOf(said)
  const tab = said.tab || /^tab/.test(what) ? walk.afterTab || ++walk.tabs : 0
  walk.afterTab = 0
  const tag = said.rest ? content.slice(0, -said.rest.length) : content
  const [head, ends] = {
    alert: [[`> [!${alertKind(kind)}]`, ...(title ? [`> **${title}**`, '>'] : [])], ['']],
    details: [
      [`<details${tab ? ` name="tabs-${tab}"` : ''}>`, `<summary>${title}</summary>`, ''],
      ['', '</details>', ''],
    ],
    code: [[`\`\`\`${kind === what ? '' : kind}`], ['```']],
    html: [
      [tag, ''],
      ['', `</${said.name}>`],
    ],
    content: [[''], ['']],
  }[form]
  walk.notes.push({ at: start, what, ...(form === 'content' ? { text: content } : { became: head?.[0] ?? '' }) })
  const prefix = prefixOf(walk.open) + ' '.repeat(indent)
  const lines = (head ?? []).map(line => (prefix + line).trimEnd())
  walk.open.push({ form, tab, indent, closes, ends: ends ?? [], list: walk.list })
  walk.list = 0
  if (form === 'code') walk.fence = { ends: /(?!)/, depth: walk.open.length }
  const words = whole?.[1] ?? said.rest
  if (words) lines.push(prefixOf(walk.open) + words)
  return whole ? [...lines, ...leave(walk, walk.open.length - 1)] : lines
}

/** The type and title in the line that opens a container. */
function wordsOf({ name = '', ...said }: Record<string, string | undefined>) {
  const { named, words } = readArguments(said.args ?? '')
  const argument = (...keys: string[]) => keys.flatMap(key => named.get(key) ?? [])[0]
  const typed = argument('style', 'type', 'color', 'context')
  const kind = typed ?? said.type ?? (TYPED.test(name) ? words.shift() : name || undefined)
  const title = said.title || said.words?.trim() || (argument('title', 'name', 'label', 'header') ?? words.join(' '))
  return { kind, title: title.replaceAll(/\*\*|\\(?=")/g, '') }
}

/** Tags whose first word is their type. */
const TYPED = /^(?:callout|notice|alert|admonition|hint|highlight|code-toggle)$/
