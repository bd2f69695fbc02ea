import { pluralize } from '#platform/base/text.ts'
import type { Report } from './report.ts'

/** A row of the report: its kind, the text concerned, its place in the source, and what or where it is now. */
type Row = { kind: string; text?: string; path: string; line?: number; now?: string | undefined }

/** The lists of a report in the order of work: name, meaning, the start of an item, and the rows. */
function listsOf(report: Report): readonly (readonly [name: string, meaning: string, bullet: string, rows: Row[]])[] {
  const { placed, merged, leftOut, converted, lost, guessed } = report
  const kindOf = (to: string) => (/^[^/]*\/pages\//.test(to) ? 'page' : 'file')
  return [
    ['lost', LOST, TASK, lost.map(({ what, ...row }) => ({ kind: what, ...row }))],
    [
      'guessed',
      GUESSED,
      TASK,
      guessed.map(({ key, value, why, path }) => ({ kind: `${key} (${why})`, path, now: value })),
    ],
    ['left out', LEFT_OUT, TASK, leftOut.map(({ path, reason }) => ({ kind: reason, path }))],
    ['converted', CONVERTED, TASK, converted.map(({ what, became, ...row }) => ({ kind: what, text: became, ...row }))],
    ['placed', PLACED, '- ', placed.map(({ from, to }) => ({ kind: kindOf(to), path: from, now: to }))],
    ['merged', MERGED, '- ', merged.map(({ from, into }) => ({ kind: `in ${into}`, path: from }))],
  ]
}

const TASK = '- [ ] '
const LOST = 'What the source says and a guide cannot say in this form. Write it in another way where it matters.'
const GUESSED = 'What the program decided, because the source does not say it. Correct what is wrong.'
const LEFT_OUT = 'Files without a place in a guide. Bring back by hand what belongs in it.'
const CONVERTED = 'What the source says in another dialect, with what it became. Look at the pages.'
const PLACED = 'Where the files of the source are now.'
const MERGED = 'Files whose content is now in another.'

/** Lines for a person: the size of each list, and of its most frequent kinds, each with its first row. */
export function summaryLines(report: Report, columns: number): string[] {
  return listsOf(report).flatMap(([name, , , rows]) => {
    const kinds = [...Map.groupBy(rows, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length)
    const lines = kinds.slice(0, MAX_KINDS).map(([kind, [first, ...others]]) => {
      const { path, line, text, now } = { path: '', ...first }
      const start = `  ${others.length + 1} ${kind}: ${placeOf(path, line)}`
      const what = (text ?? now ?? '').trim().replace(/\s+/g, ' ')
      const room = Math.max(MIN_TEXT, columns - start.length - ' → '.length)
      return what === '' ? start : `${start} → ${what.length > room ? `${what.slice(0, room - 1)}…` : what}`
    })
    if (kinds.length > MAX_KINDS) lines.push(`  and ${pluralize(kinds.length - MAX_KINDS, 'more kind')}`)
    return rows.length === 0 ? [] : [`${rows.length} ${name}`, ...lines]
  })
}

const MAX_KINDS = 10
const MIN_TEXT = 20

function placeOf(path: string, ...lines: (number | undefined)[]): string {
  return lines[0] === undefined ? path : `${path}:${lines.join(', ')}`
}

/** The report as `_adopted.md`, to be worked off from top to bottom, by kind: equal texts are one task. */
export function adoptedMarkdown(report: Report): string {
  const newPlaces = new Map(report.placed.map(({ from, to }) => [from, to]))
  const sections = listsOf(report).map(([name, meaning, bullet, rows]) => {
    const kinds = Array.from(
      Map.groupBy(rows, ({ kind }) => kind),
      ([kind, some]) => {
        const tasks = [...Map.groupBy(some, ({ text, path, now }) => text ?? `${path}\0${now}`).values()]
        const lines = first(tasks, some[0]?.text, task => bullet + taskMarkdown(task, newPlaces))
        return `### ${words(kind)} (${some.length})\n\n${lines}`
      },
    )
    return rows.length === 0 ? '' : `\n## ${rows.length} ${name}\n\n${meaning}\n\n${kinds.join('\n')}`
  })
  return ABOUT + sections.join('')
}

const ABOUT = `# What became of the source

Work through this list from top to bottom, and tick what is done: \`- [x]\`. Each file of the source is in one of the lists
“left out”, “placed” and “merged”. Paths are those of the source, with the lines, and after → those of this folder. This file
is not part of the guide; delete it at the end.
`

function taskMarkdown(rows: readonly Row[], newPlaces: ReadonlyMap<string, string>): string {
  const places = Array.from(
    Map.groupBy(rows, ({ path }) => path),
    ([path, same]) => {
      const to = same[0]?.now ?? (same[0]?.line === undefined ? undefined : newPlaces.get(path))
      return `${code(placeOf(path, ...same.map(row => row.line)))}${to ? ` → ${code(to)}` : ''}\n`
    },
  )
  const text = rows[0]?.text
  return text === undefined
    ? places.join('')
    : `${text === '' ? '(nothing)' : code(text)}\n${first(places, text, place => `  - ${place}`)}`
}

/** All lines about files, but only the first of very many about texts. */
function first<Item>(items: readonly Item[], text: string | undefined, lineOf: (item: Item) => string): string {
  const shown = text === undefined ? items : items.slice(0, MAX_ITEMS)
  const more = items.length - shown.length
  return shown.map(lineOf).join('') + (more > 0 ? `  - and ${more} more, which \`init --dry-run --json\` lists\n` : '')
}

const MAX_ITEMS = 200

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
  const escaped = (mark: string) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  return text.replace(/\r?\n/g, '⏎').replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, escaped)
}
