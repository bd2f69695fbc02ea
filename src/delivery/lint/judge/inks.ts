import { TECHNICAL_INKS } from '#brand/lint-rules.ts'
import { inkKey, inkParts, printedInks } from '#brand/styles/ink.ts'
import { memoize } from '#platform/base/text.ts'
import { oneLine, type Problem, type Rule } from '../finding.ts'
import type { LintBrand, LintColor } from '../lint-brand.ts'

/** The rules for spot colours. For a brand without inks, none is judged; lines for tools never are. */
export function createInkRule({ colors, technicalInks }: LintBrand): Rule<'ink'> {
  const technical = new Set([...TECHNICAL_INKS, ...technicalInks].map(plainInk))
  const inks = colors.flatMap(color =>
    printedInks(color).map(({ key, name }): Ink => ({ ...inkParts(name), key, write: name, color })),
  )
  const judge = memoize(found => problemOf(found, inks))
  return use => {
    if (inks.length === 0 || technical.has(plainInk(use.name))) return []
    const problem = judge(use.name)
    return problem ? [problem] : []
  }
}

/** A name as it is compared with those of lines for tools: `Thru-cut` is `THRU CUT`. */
function plainInk(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}

type Ink = ReturnType<typeof inkParts> & { key: string; write: string; color: LintColor }

/**
 * The problem of an ink in a file: `PANTONE 286 C` is the ink 286 of the book C (coated paper). A book may be absent (`''`),
 * in the brand and in the file.
 */
function problemOf(name: string, inks: readonly Ink[]): Problem | undefined {
  const key = inkKey(name)
  const { name: number, book } = inkParts(name)
  const sameInk = inks.find(ink => ink.key.trim() === key)
  const inksWithNumber = inks.filter(ink => ink.name === number && ink.name !== '')
  const [onlyInk] = inksWithNumber
  if (sameInk) return sameInk.write === name ? undefined : nameProblem(name, sameInk)
  // A brand that has `PANTONE 286` without a book has it in all books.
  if (book !== '' && inksWithNumber.some(ink => ink.book === '')) return undefined
  // A file that names no book means the only ink of the brand with this number.
  if (book === '' && onlyInk && inksWithNumber.length === 1) return nameProblem(name, onlyInk)
  return offProblem(name, book, inksWithNumber)
}

function nameProblem(name: string, { write, color: { id, guide } }: Ink): Problem {
  const found = oneLine(name)
  const message = `${found} is the ink ${write} of the brand, but another name is another plate: write ${write}`
  return { rule: 'spot-name', value: name, details: () => ({ found, nearest: id, write, guide, message }) }
}

/**
 * An ink that the brand does not have. `inksWithNumber` are those of other books with its number, which the message names;
 * an ink with another number is never a suggestion.
 */
function offProblem(name: string, book: string, inksWithNumber: readonly Ink[]): Problem {
  const found = oneLine(name)
  const others = inksWithNumber.map(({ write }) => write).join(' and ')
  const why = book === '' ? 'write which one' : 'coated and uncoated are two inks'
  const fix = others === '' ? 'use one of its inks' : `it has ${others}: ${why}`
  const message = `${found} is not an ink of the brand: ${fix}`
  const { id, guide } = inksWithNumber[0]?.color ?? {}
  return { rule: 'spot-off', value: name, details: () => ({ found, nearest: id, guide, message }) }
}
