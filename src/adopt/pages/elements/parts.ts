import { isElsewhere, picture, readPicture } from './pictures.ts'
import { type Row, tableOf } from './tables.ts'

/** What a block becomes at offsets of a text: other text, then rows of a table that neighbours continue. */
export type Part = { start: number; end: number; text: string; rows: Row[]; caption?: string }

/** Joins a part to the one before it, if it is the caption of a picture, or one more row. Returns whether it did. */
export function joinPart(before: Part, { text, rows, caption, end }: Part): boolean {
  const found = caption === undefined ? undefined : readPicture(partText(before))
  const isRow =
    text === '' && rows.length === 1 && before.rows.length > 0 && isVerdict(rows[0]) === isVerdict(before.rows[0])
  if (found?.caption !== '' && !isRow) return false
  if (found && caption) before.text = picture(found.src, found.alt, caption)
  before.rows.push(...rows)
  before.end = end
  return true
}

export function partText({ text, rows }: Part): string {
  return [text, rows.length > 0 ? rowsText(rows) : ''].filter(block => block !== '').join('\n\n')
}

function isVerdict(row: Row | undefined): boolean {
  return row?.has('Do') || row?.has("Don't") || false
}

/** Rows as a table; what to do and not to do as pictures with titles, if each has one, or below each other. */
function rowsText(rows: readonly Row[]): string {
  if (!rows.every(isVerdict)) return tableOf([...new Set(['Name', ...rows.flatMap(row => [...row.keys()])])], rows)
  const parts = rows.flatMap(row => [...row])
  const pictures = parts.map(([verdict, content]) => {
    const found = readPicture(content)
    const isOwn = found && !isElsewhere(found.src)
    return isOwn && picture(found.src, found.alt || found.caption, [verdict, found.caption].filter(Boolean).join(': '))
  })
  if (pictures.every(each => each)) return pictures.join('\n')
  if (parts.some(([, content]) => /^(?:#|```|~~~|\|)/m.test(content)))
    return parts.map(([verdict, content]) => `**${verdict}**\n\n${content}`).join('\n\n')
  const [dos = [], donts = []] = ['Do', "Don't"].map(wanted => parts.filter(([verdict]) => verdict === wanted))
  const longer = dos.length > donts.length ? dos : donts
  return tableOf(
    ['Do', "Don't"],
    longer.map((_, at) => new Map([dos[at] ?? ['', ''], donts[at] ?? ['', '']])),
  )
}
