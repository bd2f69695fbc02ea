import type { Edit } from '#platform/base/text.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import { alertKind } from './alert-kind.ts'
import { namesOf } from './components.ts'
import { readArguments } from './markup.ts'
import type { Note, Pass } from './page.ts'

/* Blocks of other systems that contain Markdown, such as admonitions and tabs, which become blocks of GitHub or HTML. */

/** What a container becomes: `> [!NOTE]`, `<details>`, fenced code, HTML around Markdown, or only its content. */
type Form = 'alert' | 'details' | 'code' | 'html' | 'content'
/**
 * A kind of container: its name, the pattern of the line that opens it, what it becomes, and the pattern of its last line,
 * in which `$name` is the `name` of the first; a container without one continues while lines are indented.
 *
 * The groups of the first pattern: `type` and `title` are words in it, `args` and `words` are read by `wordsOf`, and `rest`
 * is content in the same line.
 */
type Row = readonly [what: string, opens: RegExp, becomes: Form, closes?: string]

const ALERTS = namesOf('alert', 'box')
/** `:::` or `///`, but not `::: a :::` in one line. */
const MARK = '(?:/{3,}|:{3,}(?!:)(?!.*:{3}$))[ \\t]*'
const MARK_END = '^(?:/{3,}|:{3,})$'
/** `[Title]{args} | words` */
const ARGUMENTS = '(?:\\[(?<title>.*)\\])?[ \\t]*(?<args>\\{.*\\})?[ \\t]*\\|?[ \\t]*(?<words>[^{}]*)$'
/** `{% endnote %}` or `{{< /note >}}`, after the last text of the container. */
const TAG_END = '^(.*?)(?:\\{%-?[ \\t]*end|\\{\\{[<%][ \\t]*/[ \\t]*)$name\\b[^{}]*\\}{1,2}$'
/** `<div markdown>` or `<details markdown="1"><summary>…</summary>` */
const MARKDOWN_HTML =
  /^<(?<name>div|section|article|aside|figure|details|center|p)\b(?=[^<>]*\smarkdown\b)[^<>]*>(?:<summary>.*<\/summary>)?(?<rest>.*)$/i
const ROWS: readonly Row[] = [
  // !!! note inline end "Title"
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

/** A container around the current line. */
type Open = {
  form: Form
  /** The number of its group of tabs if it is a tab, else 0. */
  tab: number
  /** The columns before its first line, and for HTML before its content. */
  indent: number
  inner?: number
  closes: RegExp | undefined
  /** The lines that end what it becomes. */
  ends: readonly string[]
  /** `list` of the walk, as it was outside of the container. */
  list: number
}

type Walk = {
  /** The outermost one is first. */
  open: Open[]
  /** The offsets of blank lines; the next line tells their container. */
  blank: number[]
  edits: Edit[]
  notes: Note[]
  /** The column of the text of the current list item. */
  list: number
  /** The number of groups of tabs so far. */
  tabs: number
  /** The group of the tab that the current line follows, else 0. */
  afterTab: number
  /** The open code: the pattern of its last line, and how many containers are around it. */
  fence: { ends: RegExp; depth: number } | undefined
  /** Whether a line after that at an index closes a container. */
  isClosedAfter: (at: number, closes: RegExp) => boolean
}

/** Makes alerts of admonitions, `<details>` of tabs, and code of code tags, also nested. Walks the lines once. */
export const containers: Pass = text => {
  const state = { open: [], blank: [], edits: [], notes: [], list: 0, tabs: 0, afterTab: 0, fence: undefined }
  const lines = text.split('\n')
  const walk: Walk = { ...state, isClosedAfter: closingLines(lines) }
  let start = 0
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') walk.blank.push(start)
    else readLine(walk, line, { start, at })
    start += line.length + 1
  }
  const end = leave(walk, 0).join('\n').trimEnd()
  if (end !== '') walk.edits.push({ start: text.length, end: text.length, text: `\n${end}\n` })
  return walk
}

/** Finds the last line that matches a pattern, once for each pattern. */
function closingLines(lines: readonly string[]): Walk['isClosedAfter'] {
  const lastMatches = new Map<string, number>()
  const lastMatch = (closes: RegExp) => lines.findLastIndex(line => line.length <= MAX_LINE && closes.test(line.trim()))
  return (at, closes) => {
    const end = lastMatches.get(closes.source) ?? lastMatch(closes)
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
  const endLines = leave(walk, depth)
  // A blank line of the source stands for the first empty line after a container.
  while (walk.blank.length > 0 && /^[> ]*$/.test(endLines[0] ?? '-')) endLines.shift()
  const prefix = prefixOf(walk.open)
  for (const blank of walk.blank) walk.edits.push({ start: blank, end: blank, text: prefix.trimEnd() })
  walk.blank = []
  const { start } = place
  const isCode = isInFence(walk, content)
  // A line that is indented by four columns is code.
  const mayOpen = !isCode && indent - walk.list < 4
  const newLines = closing(walk, content) ?? (mayOpen ? opening(walk, content, indent, place) : undefined)
  if (newLines !== undefined) {
    walk.edits.push({ start, end: start + line.length, text: [...endLines, ...newLines].join('\n') })
    return
  }
  walk.afterTab = 0
  const itemMark = groupsOf(/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/, rest)[0] ?? ''
  if (!isCode && (itemMark !== '' || indent === 0)) walk.list = itemMark.replaceAll('\t', '    ').length
  walk.edits.push({ start, end: start + at, text: [...endLines, prefix].join('\n') })
}

/** The length of the indentation for open containers, and the number of those that continue. */
function enter(open: readonly Open[], line: string): { at: number; depth: number } {
  let at = 0
  for (const [depth, container] of open.entries()) {
    const { form, indent, closes } = container
    // The first line in HTML gives its indentation.
    if (form === 'html') container.inner ??= columns(line.slice(at)).width
    const wanted = container.inner ?? (closes ? indent : indent + 4)
    const { length, width } = columns(line.slice(at), wanted)
    if (!closes && width < wanted) return { at, depth }
    at += length
  }
  return { at, depth: open.length }
}

/** The white space that a text begins with, up to some columns: its length, and its columns with four for a tab. */
function columns(text: string, max = Number.POSITIVE_INFINITY): { length: number; width: number } {
  let [length, width] = [0, 0]
  for (; width < max && /[ \t]/.test(text[length] ?? ''); length++) width += text[length] === '\t' ? 4 : 1
  return { length, width }
}

/** The beginning of each line in what open containers become. */
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
  const isClosed = ({ form, closes }: Open) => closes?.test(content) && (walk.fence === undefined || form === 'code')
  const depth = walk.open.findLastIndex(isClosed)
  // The text before a tag that closes.
  const [, lastText] = walk.open[depth]?.closes?.exec(content) ?? []
  const textLine = lastText ? [prefixOf(walk.open) + lastText] : []
  return depth < 0 ? undefined : [...textLine, ...leave(walk, depth)]
}

/** The lines instead of one that opens a container, with the text that it has; undefined if it opens none. */
function opening(walk: Walk, content: string, indent: number, { start, at }: Place): string[] | undefined {
  const mayOpen = content.length <= MAX_LINE && /^[!?=:/{<]/.test(content)
  const row = mayOpen ? ROWS.find(([, opens]) => opens.test(content)) : undefined
  if (row === undefined) return undefined
  const [what, opens, form, end] = row
  const groups = opens.exec(content)?.groups ?? {}
  const closes = end ? new RegExp(end.replace('$name', groups.name ?? ''), 'i') : undefined
  const sameLineEnd = groups.rest ? closes?.exec(groups.rest) : undefined
  if (closes && !sameLineEnd && !walk.isClosedAfter(at, closes)) return undefined
  const { kind = what, title } = wordsOf(groups)
  const isTab = groups.tab || /^tab/.test(what)
  const tab = isTab ? tabGroup(walk) : 0
  walk.afterTab = 0
  const tag = groups.rest ? content.slice(0, -groups.rest.length) : content
  // The lines that what the container becomes begins and ends with.
  const [head, ends] = {
    alert: [[`> [!${alertKind(kind)}]`, ...(title ? [`> **${title}**`, '>'] : [])], ['']],
    details: [
      [`<details${tab ? ` name="tabs-${tab}"` : ''}>`, `<summary>${title}</summary>`, ''],
      ['', '</details>', ''],
    ],
    code: [[`\`\`\`${kind === what ? '' : kind}`], ['```']],
    html: [
      [tag, ''],
      ['', `</${groups.name}>`],
    ],
    content: [[''], ['']],
  }[form]
  walk.notes.push({ at: start, what, ...(form === 'content' ? { text: content } : { became: head?.[0] ?? '' }) })
  const prefix = prefixOf(walk.open) + ' '.repeat(indent)
  const lines = (head ?? []).map(line => (prefix + line).trimEnd())
  walk.open.push({ form, tab, indent, closes, ends: ends ?? [], list: walk.list })
  walk.list = 0
  // Only the tag closes a container of code.
  if (form === 'code') walk.fence = { ends: /(?!)/, depth: walk.open.length }
  const sameLineText = sameLineEnd?.[1] ?? groups.rest
  if (sameLineText) lines.push(prefixOf(walk.open) + sameLineText)
  return sameLineEnd ? [...lines, ...leave(walk, walk.open.length - 1)] : lines
}

/** The group of the tab before, or a new one: of the tabs in a group, only one is open. */
function tabGroup(walk: Walk): number {
  if (walk.afterTab === 0) walk.tabs++
  return walk.afterTab || walk.tabs
}

/** The type and title in the line that opens a container. */
function wordsOf({ name = '', ...groups }: Record<string, string | undefined>) {
  const { named, words } = readArguments(groups.args ?? '')
  const argument = (...keys: string[]) => keys.flatMap(key => named.get(key) ?? [])[0]
  const typeArgument = argument('style', 'type', 'color', 'context')
  const kind = typeArgument ?? groups.type ?? (TYPED.has(name) ? words.shift() : name || undefined)
  const writtenTitle = groups.title || groups.words?.trim()
  const title = writtenTitle || (argument('title', 'name', 'label', 'header') ?? words.join(' '))
  // Without bold marks, and backslashes before quotation marks.
  return { kind, title: title.replaceAll(/\*\*|\\(?=")/g, '') }
}

/** Tags whose first word is their type. */
const TYPED = wordSet('callout notice alert admonition hint highlight code-toggle')
