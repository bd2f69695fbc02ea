import type { Edit } from '#base/text.ts'
import { alertKind } from '#intake/markdown/foreign-syntax.ts'
import { type Notes, noNotes } from '../report/report.ts'
import { readArguments } from './markup.ts'
import type { Pass } from './page.ts'

type Form = 'alert' | 'details' | 'code' | 'content'
/** The line that opens a container, what it becomes, and the line that closes it: none if empty, undefined if indented. */
type Row = readonly [what: string, opens: RegExp, becomes: Form, closes?: string]

const ALERTS =
  'callout|notice|alert|admonition|note|hint|tip|info|important|warning|caution|danger|success|error|bug|example|quote|question|abstract|failure|attention'
const COLONS = ':{3,}(?!.*:{3}$)[ \\t]*'
const ARGUMENTS = '(?:\\[(?<title>.*)\\])?[ \\t]*(?<args>\\{.*\\})?[ \\t]*\\|?[ \\t]*(?<words>[^{}]*)$'
const TAG_END = '^(?:\\{%-?[ \\t]*end|\\{\\{[<%][ \\t]*/[ \\t]*)$name\\b.*\\}$'
const ROWS: readonly Row[] = [
  [
    'admonition of MkDocs',
    /^(?:!!!(?!.*![ \t]*$)|\?\?\?\+?)[ \t]*(?<type>[\w-]+)(?:[ \t]+(?:inline|end)\b)*(?:[ \t]+["“„«](?<title>.*?)["”“»])?[ \t]*(?<rest>.*)$/,
    'alert',
  ],
  ['tab of MkDocs', /^===[+!]?[ \t]+["'](?<title>.*)["'][ \t]*$/, 'details'],
  ['collapsible block', anyCase(`(?:/{3,}|${COLONS})[ \\t]*details${ARGUMENTS}`), 'details', '^(?:/{3,}|:{3,})$'],
  ['block of pymdownx', anyCase(`/{3,}[ \\t]*(?<type>${ALERTS})\\b[ \\t]*${ARGUMENTS}`), 'alert', '^/{3,}$'],
  ['tab of pymdownx', anyCase(`/{3,}[ \\t]*tab\\b[ \\t]*${ARGUMENTS}`), 'details', '^/{3,}$'],
  ['block of pymdownx', anyCase('/{3,}[ \\t]*[a-z].*$'), 'content', '^/{3,}$'],
  ['admonition in colons', anyCase(`${COLONS}\\{?(?<type>${ALERTS})\\b\\}?[ \\t]*${ARGUMENTS}`), 'alert', '^:{3,}$'],
  ['container in colons', anyCase(`${COLONS}[a-z{].*$`), 'content', '^:{3,}$'],
  ['admonition tag', tagLine(ALERTS), 'alert', TAG_END],
  ['collapsible tag', tagLine('tab|details|expand|accordion'), 'details', TAG_END],
  ['code tag', tagLine('highlight|code-toggle'), 'code', TAG_END],
  ['aside of Notion', /^<aside\b[^<>]*>(?<rest>.*)$/, 'alert', '^(.*)</aside>$'],
  ['warning of Docsify', /^!>[ \t]+(?<rest>\S.*)$/, 'alert', ''],
  ['tip of Docsify', /^\?>[ \t]+(?<rest>\S.*)$/, 'alert', ''],
  [
    'callout of Obsidian',
    anyCase(
      '(?<quote>(?:>[ \\t]?)+)\\[!(?!(?:note|tip|important|warning|caution)\\][ \\t]*$)(?<type>[a-z][\\w-]*)[^\\]]*\\][+-]?[ \\t]*(?<title>.*)$',
    ),
    'alert',
    '',
  ],
]

function anyCase(pattern: string): RegExp {
  return new RegExp(`^${pattern}`, 'i')
}

function tagLine(names: string): RegExp {
  return anyCase(`(?:\\{%-?|\\{\\{[<%])[ \\t]*(?<name>${names})\\b(?<args>.*?)(?:-?%\\}|/?[>%]\\}\\})$`)
}

/** A container around the current line: the columns before it, and `list` as it was outside. */
type Open = { form: Form; isTab: boolean; indent: number; closes: RegExp | undefined; list: number }

type Walk = {
  open: Open[]
  /** The offsets of blank lines; the next line tells their container. */
  blank: number[]
  edits: Edit[]
  notes: Notes
  /** The column of the text of the current list item. */
  list: number
  tabs: number
  isAfterTab: boolean
  fence: { mark: string; depth: number } | undefined
  isClosedAfter: (start: number, closes: RegExp) => boolean
}

/** Makes alerts of admonitions, `<details>` of tabs, and code of code tags, also nested. Walks the lines once. */
export const containers: Pass = (text, { task, lineOf }) => {
  const state = { open: [], blank: [], edits: [], list: 0, tabs: 0, isAfterTab: false, fence: undefined }
  const walk: Walk = { ...state, notes: noNotes(), isClosedAfter: closingLines(text) }
  let start = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '') walk.blank.push(start)
    else readLine(walk, line, { start, path: task.shownPath, line: lineOf(start) })
    start += line.length + 1
  }
  const end = leave(walk, 0).join('\n').trimEnd()
  if (end !== '') walk.edits.push({ start: text.length, end: text.length, text: `\n${end}\n` })
  return walk
}

function closingLines(text: string): Walk['isClosedAfter'] {
  const last = new Map<string, number>()
  return (start, { source }) => {
    const lines = new RegExp(`^[ \\t]*${source.slice(1, -1)}[ \\t]*$`, 'gim')
    if (!last.has(source)) last.set(source, Array.from(text.matchAll(lines)).at(-1)?.index ?? -1)
    return (last.get(source) ?? -1) > start
  }
}

type Place = { start: number; path: string; line: number }

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
  walk.isAfterTab = false
  const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/.exec(line.slice(at))?.[0] ?? ''
  if (!isCode && (item !== '' || indent === 0)) walk.list = item.replaceAll('\t', '    ').length
  walk.edits.push({ start, end: start + at, text: [...before, prefix].join('\n') })
}

/** The length of the indentation for open containers, and the number of those that continue. */
function enter(open: readonly Open[], line: string): { at: number; depth: number } {
  let at = 0
  for (const [depth, { indent, closes }] of open.entries()) {
    const wanted = closes ? indent : indent + 4
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

const ENDS = { alert: [''], content: [''], details: ['', '</details>', ''], code: ['```'] } as const

/** Ends open containers from a depth on; gives the lines after them. */
function leave(walk: Walk, depth: number): string[] {
  const lines: string[] = []
  for (let last = walk.open.at(-1); last && walk.open.length > depth; last = walk.open.at(-1)) {
    walk.open.pop()
    walk.list = last.list
    walk.isAfterTab = last.isTab
    const prefix = prefixOf(walk.open) + ' '.repeat(last.indent)
    lines.push(...ENDS[last.form].map(line => (prefix + line).trimEnd()))
  }
  return lines
}

function isInFence(walk: Walk, content: string): boolean {
  const { fence, open } = walk
  if (fence && fence.depth <= open.length) {
    const mark = content.replace(/^[>\s]+/, '')
    if (mark.startsWith(fence.mark) && /^([`~])\1+$/.test(mark)) walk.fence = undefined
    return true
  }
  const mark = /^(?:(?:>|[-*+]|\d+[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/.exec(content)?.[1]
  walk.fence = mark ? { mark, depth: open.length } : undefined
  return mark !== undefined
}

/** The lines instead of one that closes a container. */
function closing(walk: Walk, content: string): string[] | undefined {
  const isIn = ({ form, closes }: Open) => closes?.test(content) && (walk.fence === undefined || form === 'code')
  const depth = walk.open.findLastIndex(isIn)
  const [, last] = walk.open[depth]?.closes?.exec(content) ?? []
  const text = last ? [prefixOf(walk.open) + last] : []
  return depth < 0 ? undefined : [...text, ...leave(walk, depth)]
}

/** The lines instead of one that opens a container. */
function opening(walk: Walk, content: string, indent: number, { start, ...place }: Place): string[] | undefined {
  const row = /^[!?=:/{<>]/.test(content) ? ROWS.find(([, opens]) => opens.test(content)) : undefined
  if (row === undefined) return undefined
  const [what, opens, form, end] = row
  const { name = '', quote = '> ', rest = '', ...said } = opens.exec(content)?.groups ?? {}
  const closes = end ? new RegExp(end.replace('$name', name), 'i') : undefined
  const isWhole = closes?.test(content) ?? end === ''
  if (closes && !isWhole && !walk.isClosedAfter(start, closes)) return undefined
  const { named, words } = readArguments(said.args ?? '')
  const kind = said.type ?? named.get('style') ?? named.get('type') ?? (TYPED.test(name) ? words.shift() : name)
  const title = said.title || said.words?.trim() || (named.get('title') ?? words.join(' '))
  const isTab = /^tab\b/.test(name || what)
  if (isTab && !walk.isAfterTab) walk.tabs++
  const details = [isTab ? `<details name="tabs-${walk.tabs}">` : '<details>', `<summary>${title}</summary>`, '']
  const head = [
    `${quote}[!${alertKind(kind || what)}]`,
    ...(title ? [`${quote}**${title.replaceAll('**', '')}**`, quote] : []),
    ...(rest ? [quote + (isWhole ? rest.replace(/<\/aside>$/i, '') : rest)] : []),
  ]
  const lines = { alert: head, details, code: [`\`\`\`${kind ?? ''}`], content: [''] }[form]
  if (form === 'content') walk.notes.lost.push({ ...place, what, text: content })
  else walk.notes.converted.push({ ...place, what, became: lines[0]?.trim() ?? '' })
  const prefix = prefixOf(walk.open) + ' '.repeat(indent)
  if (!isWhole) walk.open.push({ form, isTab, indent, closes, list: walk.list })
  if (!isWhole) walk.list = 0
  if (form === 'code') walk.fence = { mark: '```', depth: walk.open.length }
  return lines.map(line => (prefix + line).trimEnd())
}

/** Tags whose first word is their type. */
const TYPED = /^(?:callout|notice|alert|admonition|hint|highlight)$/
