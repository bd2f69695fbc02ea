import { stripVTControlCharacters, styleText } from 'node:util'
import type { ContentChanges } from '#brand/content-changes.ts'
import { placeText } from '#brand/ids.ts'
import type { EndedPlans } from '#publishing/plan.ts'

/** Whether output to a stream may have colours, by the rules of Node's `getColorDepth`. */
export function hasColors(isTerminal: boolean, environment: Readonly<Partial<Record<string, string>>>): boolean {
  const { FORCE_COLOR, NO_COLOR = '', TERM } = environment
  if (FORCE_COLOR !== undefined) return ['', '1', 'true', '2', '3'].includes(FORCE_COLOR)
  return isTerminal && NO_COLOR === '' && TERM !== 'dumb'
}

export function paint(hasColor: boolean, style: Parameters<typeof styleText>[0], text: string): string {
  return hasColor ? styleText(style, text, { validateStream: false }) : text
}

/** Escapes control characters, so that an outside name cannot move the cursor, and commands of CI systems. */
export function visible(text: string): string {
  return withoutCommands(text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, mark => `\\u{${hex(mark)}}`))
}

/**
 * Escapes what a CI system would run as a command: `::name::` at the beginning of a line (GitHub, which ignores spaces
 * before it), and `##name[` anywhere (Azure, TeamCity, older ones of GitHub).
 */
export function withoutCommands(text: string): string {
  return text
    .replace(/^([^\S\r\n]*):(?=:[\w-]+(?:[^\S\r\n][^\r\n]*)?::)/gm, '$1\\u{3a}')
    .replace(/##(?=[\w.-]*\[)/g, '#\\u{23}')
}

/** Rows as lines with aligned columns. Colour codes do not count for the width. */
export function table(rows: readonly (readonly string[])[]): string {
  const widthOf = (cell: string) => stripVTControlCharacters(cell).length
  const widths: number[] = []
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd()
  return rows.map(row => `${line(row)}\n`).join('')
}

/** The code point of a character, as hexadecimal digits. */
export function hex(mark: string): string {
  return (mark.codePointAt(0) ?? 0).toString(16)
}

/** `512 B`, `1.5 KiB`. */
export function byteSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < SIZE_UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${SIZE_UNITS[unit]}`
}

const SIZE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** A label for each change of a project: `+ page logo`, `~ style ink`, `- file files/old.svg`. */
export function changeLabels({ pages, styles, files }: ContentChanges, hasColor: boolean): string[] {
  return Object.entries({ page: pages, style: styles, file: files }).flatMap(([noun, { added, changed, removed }]) => [
    ...added.map(id => paint(hasColor, 'green', `+ ${noun} ${visible(id)}`)),
    ...changed.map(id => paint(hasColor, 'yellow', `~ ${noun} ${visible(id)}`)),
    ...removed.map(id => paint(hasColor, 'red', `- ${noun} ${visible(id)}`)),
  ])
}

/** A time for people, local and relative: `2026-12-20 11:28 (in 30 days)`. */
export function dateText(iso: string, now: Date): string {
  const date = new Date(iso)
  return `${localText(iso)} (${distanceText((date.getTime() - now.getTime()) / 1000)})`
}

/** A local time: `2026-12-20 11:28`. Swedish dates have the format of ISO 8601. */
export function localText(iso: string): string {
  return new Date(iso).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })
}

/** `in 30 days`, `3 minutes ago`, `just now`. */
function distanceText(seconds: number): string {
  if (seconds <= 0 && seconds > -JUST_NOW_SECONDS) return 'just now'
  const [unit, size] = UNITS.find(([, size, limit]) => Math.abs(Math.round(seconds / size)) < limit) ?? DAY
  return DISTANCE.format(Math.round(seconds / size), unit)
}

const JUST_NOW_SECONDS = 10
const DAY = ['day', 86_400] as const
/** The units, each with its length in seconds and the number that make up the next unit. */
const UNITS = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3600, 24],
] as const
const DISTANCE = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** The first lines, and one that counts the others. */
export function firstLines(lines: readonly string[], max: number, countOthers: (more: number) => string): string[] {
  const more = lines.length - max
  return more > 0 ? [...lines.slice(0, max), countOthers(more)] : [...lines]
}

/** What a change says of the planned publications that it has ended. */
export function endedPlansText(plans: EndedPlans['endedPlans'] = []): string {
  return plans.map(plan => `${placeText(plan)}: its planned publication has ended: ${planText(plan)}\n`).join('')
}

/** A planned publication, or why there was none. */
export function planText({ at, reason }: { at: string; reason?: string }): string {
  return reason === undefined ? `publishes at ${at}` : `not published at ${at} (${reason.replaceAll('_', ' ')})`
}
