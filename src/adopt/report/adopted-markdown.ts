import { pluralize } from '#base/text.ts'
import type { Report } from './report.ts'

/** A row of the report: what it has in common with others, the text concerned, its place, and where or what it is now. */
type Row = { kind: string; text?: string; place: string; now?: string | undefined }

/** The lists of a report in the order of work, each with its meaning. */
function listsOf(report: Report): { name: string; meaning: string; isTask: boolean; rows: Row[] }[] {
  const newPlaces = new Map(report.placed.map(({ from, to }) => [from, to]))
  const at = ({ path, line }: { path: string; line: number }) => ({
    place: `${path}:${line}`,
    now: newPlaces.get(path),
  })
  const list = (name: string, meaning: string, rows: Row[], isTask = true) => ({ name, meaning, isTask, rows })
  return [
    list(
      'lost',
      LOST,
      report.lost.map(row => ({ kind: row.what, text: row.text, ...at(row) })),
    ),
    list(
      'guessed',
      GUESSED,
      report.guessed.map(row => ({ kind: `${row.key} (${row.why})`, place: row.path, now: row.value })),
    ),
    list(
      'left out',
      LEFT_OUT,
      report.leftOut.map(row => ({ kind: row.reason, place: row.path })),
    ),
    list(
      'converted',
      CONVERTED,
      report.converted.map(row => ({ kind: `${row.what} → ${row.became}`, ...at(row) })),
    ),
    list(
      'placed',
      'Where the files of the source are now.',
      report.placed.map(({ from, to }) => ({ kind: kindOf(to), place: from, now: to })),
      false,
    ),
    list(
      'merged',
      'Files whose content is now in another.',
      report.merged.map(({ from, into }) => ({ kind: `in ${into}`, place: from })),
      false,
    ),
  ]
}

const LOST = 'What the source says and a guide cannot say in this form. Write it in another way where it matters.'
const GUESSED = 'What the program decided, because the source does not say it. Correct what is wrong.'
const LEFT_OUT = 'Files without a place in a guide. Bring back by hand what belongs in it.'
const CONVERTED = 'What the source says in another dialect, and what it became. Look at the pages.'

function kindOf(to: string): string {
  return /^[^/]*\/pages\//.test(to) ? 'page' : 'file'
}

/** Lines for a person: the size of each list, and the first row of each kind in it. */
export function summaryLines(report: Report): string[] {
  return listsOf(report).flatMap(({ name, rows }) => {
    const kinds = [...Map.groupBy(rows, ({ kind }) => kind)]
    const lines = kinds.slice(0, MAX_KINDS).map(([kind, [first, ...others]]) => {
      const { text = '', place = '', now } = first ?? {}
      return `  ${others.length + 1} ${kind}: ${place}${now ? ` → ${now}` : ''} ${text.slice(0, MAX_TEXT)}`.trimEnd()
    })
    if (kinds.length > MAX_KINDS) lines.push(`  and ${pluralize(kinds.length - MAX_KINDS, 'more kind')}`)
    return rows.length === 0 ? [] : [`${rows.length} ${name}`, ...lines]
  })
}

const MAX_KINDS = 6
const MAX_TEXT = 60

/** The report as `_adopted.md`, to be worked off from top to bottom: equal rows are one task. */
export function adoptedMarkdown(report: Report): string {
  const sections = listsOf(report).flatMap(({ name, meaning, isTask, rows }) => {
    const groups = Map.groupBy(rows, ({ kind, text = '' }) => `${kind}\0${text}`)
    const items = [...groups.values()].map(group => groupMarkdown(group, isTask ? '- [ ] ' : '- '))
    return rows.length === 0 ? [] : [`## ${rows.length} ${name}\n\n${meaning}\n\n${items.join('')}`]
  })
  return [ABOUT, ...sections].join('\n')
}

const ABOUT = `# What became of the source

Work through this list from top to bottom, and tick what is done: \`- [x]\`. Each file of the source is in one of the lists
“left out”, “placed” and “merged”. Paths are those of the source, with the line, and after → those of this folder. This file is
not part of the guide; delete it at the end.
`

function groupMarkdown(rows: readonly Row[], bullet: string): string {
  const [{ kind, text } = { kind: '' }] = rows
  const heading = `${bullet}${words(kind)}${text ? `: ${code(text)}` : ''}\n`
  return heading + rows.map(({ place, now }) => `  - ${code(place)}${now ? ` → ${code(now)}` : ''}\n`).join('')
}

/** Text in which no character has a meaning in Markdown. */
function words(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>#|&~]/g, '\\$&')
}

/** A code span, which no text can end; line breaks are shown as `⏎`. */
function code(text: string): string {
  const longest = text.match(/`+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0
  const ticks = '`'.repeat(longest + 1)
  const space = /^[` ]|[` ]$/.test(text) ? ' ' : ''
  return `${ticks}${space}${oneLine(text)}${space}${ticks}`
}

function oneLine(text: string): string {
  return text
    .replace(/\r?\n/g, '⏎')
    .replace(
      /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu,
      mark => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    )
}
