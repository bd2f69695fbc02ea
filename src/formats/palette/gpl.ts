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
  const hasAlpha = lines.some(({ line }) => program.saysAlpha(line))
  const comments = lines.filter(({ line }) => line.startsWith('#')).map(({ line }) => line.slice(1).trim())
  const colors = lines
    .filter(({ line }) => !OTHERS.some(start => line.startsWith(start)))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => colorIn(line, number, hasAlpha ? 4 : 3))
  return { comments: comments.filter(comment => comment !== ''), colors, hasAlpha }
}

/** The lines above the colours, and whether a line says that colours have an alpha, by the first line. */
const PROGRAMS: ReadonlyMap<string | undefined, { head: number; saysAlpha: (line: string) => boolean }> = new Map([
  ['GIMP Palette', { head: 1, saysAlpha: line => line.replaceAll(' ', '').toLowerCase() === 'channels:rgba' }],
  ['JASC-PAL', { head: 3, saysAlpha: line => colorIn(line, 0, 4).channels !== undefined }],
])

/** The beginnings of lines without a colour. */
const OTHERS = ['#', 'Name:', 'Columns:', 'Channels:']

function colorIn(text: string, line: number, count: number): GplColor {
  let name = text
  const channels = Array.from({ length: count }, () => {
    const [, number = 'none', rest = ''] = groupsOf(WORD, name)
    name = rest
    return Number(number)
  })
  return { line, name, channels: channels.every(isByte) ? [...channels, MAX].slice(0, 4) : undefined }
}

const WORD = /^(\S+)\s*(.*)$/
const MAX = 255

/** Whether a number is whole and from 0 to 255. */
function isByte(number: number): boolean {
  return number === (number & MAX)
}
