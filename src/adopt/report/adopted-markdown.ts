import { normalText, pluralize, singleSpaced } from '#platform/base/text.ts'
import type { First } from './first.ts'
import { inBrackets, type Report } from './report.ts'

/** A row of the report: its kind, its detail, the text concerned, its place in the source, and what or where it is now. */
type Row = { kind: string; detail?: string; text?: string; path: string; line?: number; now?: string | undefined }

const NO_ROW: Row = { kind: '', path: '' }

/** The lists of a report in the order of work: name, meaning, the start of an item, and the rows. */
function listsOf(report: Report): readonly (readonly [name: string, meaning: string, bullet: string, rows: Row[]])[] {
  const { placed, merged, leftOut, converted, lost, guessed } = report
  const kindOf = (to: string) => (to.split('/')[1] === 'pages' ? 'page' : 'file')
  return [
    ['lost', LOST, TASK, lost.map(({ what, ...row }) => ({ kind: what, ...row }))],
    [
      'guessed',
      GUESSED,
      TASK,
      guessed.map(({ key, value, why, ...row }) => ({ kind: why, ...row, now: `${key}: ${value}` })),
    ],
    ['left out', LEFT_OUT, TASK, leftOut.map(({ reason, ...row }) => ({ kind: reason, ...row }))],
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

/** Lines for a person: what to look at first, the size of each list, and of its most frequent kinds, each with its first row. */
export function summaryLines(report: Report, first: readonly First[], columns: number): string[] {
  const lists = listsOf(report).flatMap(([name, , , rows]) => {
    const kinds = kindsOf(rows)
    const lines = kinds.slice(0, MAX_SHOWN).map(([kind, [first = NO_ROW, ...others]]) => {
      const { path, line, text, now, detail } = first
      const start = `  ${others.length + 1} ${kind}: ${linesPlace(path, line)}${inBrackets(detail)}`
      const what = singleSpaced(text ?? now ?? '')
      const room = Math.max(MIN_TEXT, columns - start.length - ' → '.length)
      return what === '' ? start : `${start} → ${what.length > room ? `${what.slice(0, room - 1)}…` : what}`
    })
    if (kinds.length > MAX_SHOWN) lines.push(`  and ${pluralize(kinds.length - MAX_SHOWN, 'more kind')}`)
    return rows.length === 0 ? [] : [`${rows.length} ${name}`, ...lines]
  })
  const asked = first.map(({ key, value, path, next }) => `  ${key}: ${value || 'none'} (${path}): ${next}`)
  return [...(asked.length > 0 ? ['look at these first', ...asked] : []), ...lists]
}

const MAX_SHOWN = 10
const MIN_TEXT = 20

/** The rows of each kind, the most frequent first. */
function kindsOf(rows: readonly Row[]): [kind: string, rows: Row[]][] {
  return [...Map.groupBy(rows, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length)
}

function linesPlace(path: string, ...lines: (number | undefined)[]): string {
  return lines[0] === undefined ? path : `${path}:${lines.join(', ')}`
}

/**
 * The report as `_adopted.md`, to be worked off from top to bottom. Equal rows are one task. A long report
 * has only the first tasks of a kind, and only the first kinds, so that a person can read it.
 */
export function adoptedMarkdown(report: Report, first: readonly First[]): string {
  const newPlaces = new Map(report.placed.map(({ from, to }) => [from, to]))
  const lists = listsOf(report).filter(([, , , rows]) => rows.length > 0)
  const text = (limits: Limits) =>
    [ABOUT, ...firstLines(first), ...lists.flatMap(list => listLines(list, limits, newPlaces))].join('\n')
  return `${
    LIMITS.values()
      .map(text)
      .find(each => each.split('\n').length <= MAX_LINES) ?? text(FEWEST)
  }\n`
}

const MAX_LINES = 500
type Limits = { kinds: number; tasks: number }
const FEWEST: Limits = { kinds: 12, tasks: 1 }
const LIMITS: readonly Limits[] = [
  ...[200, 100, 50, 20, 10, 5].map(tasks => ({ kinds: 200, tasks })),
  ...[5, 3, 2].map(tasks => ({ kinds: 30, tasks })),
  { kinds: 20, tasks: 2 },
]

const ABOUT = `# What became of the source

Work through this list from top to bottom, and tick what is done: \`- [x]\`. Each file of the source is in one of the lists
“left out”, “placed” and “merged”. Paths are those of the source, with the lines, and after → those of this folder. This file
is not part of the guide; delete it at the end.`

function firstLines(first: readonly First[]): string[] {
  const lines = first.map(
    ({ key, value, path, next }) =>
      `${TASK}${key}: ${value ? code(value) : 'none'} (${code(path)}): ${plainWords(next)}`,
  )
  return lines.length === 0 ? [] : ['', '## Look at these first', '', ...lines]
}

function listLines(
  [name, meaning, bullet, rows]: ReturnType<typeof listsOf>[number],
  limits: Limits,
  newPlaces: ReadonlyMap<string, string>,
): string[] {
  const kinds = kindsOf(rows)
  const shown = kinds.slice(0, limits.kinds).flatMap(([kind, some]) => {
    const tasks = [...Map.groupBy(some, taskKey).values()]
    const lines = tasks.slice(0, limits.tasks).map(task => bullet + taskText(task, newPlaces))
    const more = tasks.length - lines.length
    return [
      '',
      `### ${plainWords(kind)} (${some.length})`,
      ...lines,
      ...(more > 0 ? [`- and ${more} more, ${LISTED}`] : []),
    ]
  })
  const others = kinds.slice(limits.kinds)
  const sum = others.reduce((sum, [, { length }]) => sum + length, 0)
  const more = others.length > 0 ? ['', `### ${pluralize(others.length, 'more kind')} (${sum}), ${LISTED}`] : []
  return ['', `## ${rows.length} ${name}`, '', meaning, ...shown, ...more]
}

/** Rows with one key are one task. */
function taskKey({ text, path, now = '', detail = '' }: Row): string {
  return JSON.stringify(text === undefined ? [path, now, detail] : [text, detail])
}

const LISTED = 'which `init --dry-run --json` lists'

/** A text with its first places, or a file with its new place. */
function taskText(rows: readonly Row[], newPlaces: ReadonlyMap<string, string>): string {
  const places = Array.from(
    Map.groupBy(rows, ({ path }) => path),
    ([path, same]) => {
      const [{ line, now } = NO_ROW] = same
      const to = now ?? (line === undefined ? undefined : newPlaces.get(path))
      const all = [...new Set(same.map(({ line }) => line))]
      const [lines, more] = [all.slice(0, MAX_LINE_NUMBERS), all.length - MAX_LINE_NUMBERS]
      return `${code(linesPlace(path, ...lines))}${more > 0 ? ` and ${more} more` : ''}${to ? ` → ${code(to)}` : ''}`
    },
  )
  const more = places.length > MAX_PLACES ? [`${pluralize(places.length - MAX_PLACES, 'more file')}`] : []
  const where = [...places.slice(0, MAX_PLACES), ...more].join(', ')
  const [{ text, detail } = NO_ROW] = rows
  const words = text !== undefined && text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
  const subject = words === undefined ? '' : `${words === '' ? '(nothing)' : code(words)}: `
  return subject + where + plainWords(inBrackets(detail))
}

/** In characters; `--json` has the whole text. */
const MAX_TEXT = 1000
const MAX_PLACES = 3
const MAX_LINE_NUMBERS = 10

/** Text in which no character has a meaning in Markdown. */
export function plainWords(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>#|&~]/g, '\\$&')
}

/** A code span, which no text can end; line breaks are shown as `⏎`. */
function code(text: string): string {
  const runs = text.split(/[^`]+/).map(({ length }) => length)
  const ticks = '`'.repeat(Math.max(...runs) + 1)
  const space = [text.slice(0, 1), text.slice(-1)].some(end => ENDS.has(end)) ? ' ' : ''
  return `${ticks}${space}${oneLine(text)}${space}${ticks}`
}

/** Signs that a code span has no longer at its ends. */
const ENDS: ReadonlySet<string> = new Set(['`', ' '])

function oneLine(text: string): string {
  const escaped = (mark: string) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  return normalText(text)
    .replaceAll('\n', '⏎')
    .replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, escaped)
}
