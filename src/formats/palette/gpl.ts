import { groupsOf, normalText } from '#platform/base/text.ts'

/** A colour in a palette: red, green, blue and alpha from 0 to 255, or undefined if the line has other numbers. */
type GplColor = { line: number; name: string; channels: readonly number[] | undefined }

/** A palette of GIMP or JASC. */
export type Gpl = { comments: string[]; colors: GplColor[]; hasAlpha: boolean }

/**
 * Reads lines of `R G B<tab>name`, with an alpha after `Channels: RGBA` or if a line of JASC has one. Undefined for other
 * text.
 */
export function readGpl(text: string): Gpl | undefined {
  const all = normalText(text).split('\n')
  const program = PROGRAMS.get(all[0]?.trimEnd())
  if (program === undefined) return undefined
  const lines = all.map((line, at) => ({ line: line.trim(), number: at + 1 })).slice(program.head)
  const hasAlpha = lines.some(({ line }) => program.alpha.test(line))
  const comments = lines.filter(({ line }) => line.startsWith('#')).map(({ line }) => line.slice(1).trim())
  const pattern = hasAlpha ? WITH_ALPHA : OPAQUE
  const colors = lines
    .filter(({ line }) => line !== '' && !OTHERS.some(start => line.startsWith(start)))
    .map(({ line, number }) => colorIn(line, number, pattern))
  return { comments: comments.filter(comment => comment !== ''), colors, hasAlpha }
}

/** The lines above the colours, and what says that colours have an alpha, by the first line. */
const PROGRAMS: ReadonlyMap<string | undefined, { head: number; alpha: RegExp }> = new Map([
  ['GIMP Palette', { head: 1, alpha: /^Channels:\s*RGBA/i }],
  ['JASC-PAL', { head: 3, alpha: /^(?:\d+\s+){3}\d+$/ }],
])

/** The beginnings of lines without a colour. */
const OTHERS = ['#', 'Name:', 'Columns:', 'Channels:']

const OPAQUE = /^((?:\d{1,3}\s+){2}\d{1,3})(?:\s+(.*))?$/
const WITH_ALPHA = /^((?:\d{1,3}\s+){3}\d{1,3})(?:\s+(.*))?$/

function colorIn(text: string, line: number, pattern: RegExp): GplColor {
  // A line that does not match has the channel `NaN`. A colour without alpha gets 255.
  const [, numbers = 'none', name = ''] = groupsOf(pattern, text)
  const channels = [...numbers.split(/\s+/).map(Number), MAX].slice(0, 4)
  return { line, name: name.trim(), channels: channels.every(channel => channel <= MAX) ? channels : undefined }
}

const MAX = 255
