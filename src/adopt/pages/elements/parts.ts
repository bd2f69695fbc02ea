import { isElsewhere, picture, readPicture } from './pictures.ts'
import { type Row, tableOf } from './tables.ts'
import { verdictIn } from './verdict.ts'

/** What a block becomes at offsets of a text: other text, then rows of a table that neighbours continue. */
export type Part = { start: number; end: number; text: string; rows: Row[]; caption?: string }

/** Joins a part to the one directly before it, if it is the caption of a picture, or one more row. Returns whether it did. */
export function joinPart(source: string, before: Part | undefined, { text, rows, caption, start, end }: Part): boolean {
  if (before === undefined || source.slice(before.end, start).replaceAll('>', '').trim() !== '') return false
  const found = caption ? readPicture(partText(before)) : undefined
  const [own, others] = [rows.map(isVerdict), before.rows.map(isVerdict)]
  const isRow = text === '' && own.length === 1 && others[0] === own[0]
  if (found?.caption !== '' && !isRow) return false
  if (found && caption) before.text = picture(found.src, found.alt, caption)
  before.rows.push(...rows)
  before.end = end
  return true
}

export function partText({ text, rows }: Part): string {
  return [text, rows.length > 0 ? rowsText(rows) : ''].filter(block => block !== '').join('\n\n')
}

function isVerdict(row: Row): boolean {
  return !new Set(row.keys()).isDisjointFrom(VERDICTS)
}

const VERDICTS: ReadonlySet<string> = new Set(['Do', "Don't"])

/** Rows as a table; what to do and not to do as pictures with titles, if each has one, or below each other. */
function rowsText(rows: readonly Row[]): string {
  if (!rows.every(isVerdict)) return tableOf([...new Set(['Name', ...rows.flatMap(row => [...row.keys()])])], rows)
  const parts = rows.flatMap(row => [...row])
  const pictures = parts.flatMap(([verdict, content]) => judgedPicture(verdict, content))
  if (pictures.length === parts.length) return pictures.join('\n')
  if (parts.some(([, content]) => /^[#|`~]/m.test(content)))
    return parts.map(([verdict, content]) => `**${verdict}**\n\n${content}`).join('\n\n')
  const [dos = [], donts = []] = ['Do', "Don't"].map(wanted => parts.filter(([verdict]) => verdict === wanted))
  if (dos.length === 0 || donts.length === 0) return parts.map(figure).join('\n\n')
  const count = Math.max(dos.length, donts.length)
  const pairs = Array.from(
    { length: count },
    (_, at) => new Map([...dos.slice(at, at + 1), ...donts.slice(at, at + 1)]),
  )
  return tableOf(['Do', "Don't"], pairs)
}

/** What to do or not to do without its opposite. */
function figure([verdict, content]: readonly [string, string]): string {
  return `<figure>\n\n${content}\n\n<figcaption>${verdict}</figcaption>\n</figure>`
}

/** The guide's own picture with what it shows in its title, and the plain words below it; none for other contents. */
function judgedPicture(verdict: string, content: string): string[] {
  const [first = '', ...words] = content.split('\n\n')
  const found = readPicture(first)
  if (!found || isElsewhere(found.src) || !words.every(text => PLAIN.test(text))) return []
  // The sign says what a picture named *Don't* is.
  const caption = [found.caption, ...words]
    .filter(text => verdictIn(text, 0) === undefined)
    .join(' ')
    .trim()
  return [picture(found.src, found.alt || caption, [verdict, caption].filter(Boolean).join(': '))]
}

/** A short paragraph without marks. */
const PLAIN = /^(?![-+>\d])[^#|`~*_<>[\]]{1,300}$/
