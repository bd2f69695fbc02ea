import { withoutUndefined } from '../../base/object.ts'
import { failed, ok } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { COVER_FITS, COVER_TEXTS, type Cover } from '../../brand/page.ts'
import { type Fields, readFields, readLeniently, readRequired } from '../yaml/fields.ts'
import { type Reference, readReference } from '../yaml/references.ts'
import { readOneOf, readParsed } from '../yaml/texts.ts'

/** The cover of a page: an unresolved reference to a picture, a video or a colour. */
export type WrittenCover = Reference & { settings?: CoverSettings }

export type CoverSettings = Pick<Cover, 'focus' | 'fit' | 'text'>

const KEYS = ['image', 'focus', 'fit', 'text'] as const

/** Reads `cover` as a path or a colour id, or as a mapping. Invalid values are warnings. */
export function readCover(fields: Fields<string>): WrittenCover | undefined {
  const node = fields.entries.get('cover')?.value
  if (node?.kind !== 'mapping') return readLeniently(fields, 'cover', readReference, 'cover-unknown')
  const own = readFields(node, 'cover', KEYS, fields.problems, 'front-matter-key-unknown')
  if (!own) return undefined
  const problems: Problem[] = []
  const image = readRequired({ ...own, problems }, 'image', readReference)
  fields.problems.push(...problems.map(({ line, message }) => ({ rule: 'cover-unknown' as const, line, message })))
  const settings = withoutUndefined({
    focus: readLeniently(own, 'focus', readFocus),
    fit: readLeniently(own, 'fit', readOneOf(COVER_FITS)),
    text: readLeniently(own, 'text', readOneOf(COVER_TEXTS)),
  })
  return image && { ...image, settings }
}

/** Two percentages, rounded to whole ones. */
const readFocus = readParsed(text => {
  const [, across, down] = PERCENTAGES.exec(text.trim()) ?? []
  const focus = [Number(across), Number(down)] as const
  if (focus.every(share => share <= 100)) return ok([Math.round(focus[0]), Math.round(focus[1])] as const)
  return failed(`is ${quote(text)}; ${focusAdvice(text)}`)
})

const PERCENTAGES = /^(\d{1,3}(?:\.\d{1,3})?)%[ ,]+(\d{1,3}(?:\.\d{1,3})?)%$/

/** Suggests percentages for keywords of CSS and for numbers without a sign. */
function focusAdvice(text: string): string {
  const words = text.toLowerCase().split(/[\s,]+/)
  const across = words.includes('left') ? 0 : words.includes('right') ? 100 : 50
  const down = words.includes('top') ? 0 : words.includes('bottom') ? 100 : 50
  if (/\b(?:left|right|top|bottom|center)\b/i.test(text)) return `did you mean "${across}% ${down}%"?`
  const numbers = words.map(word => Number(word.replace('%', '')))
  if (numbers.length === 2 && numbers.every(number => number >= 0 && number <= 100))
    return `did you mean "${numbers[0]}% ${numbers[1]}%"?`
  return 'write how far across and how far down, as in 70% 30%'
}
