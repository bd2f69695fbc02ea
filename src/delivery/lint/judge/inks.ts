import { inkKey, inkParts, printedInks } from '#brand/styles/ink.ts'
import { memoize } from '#platform/base/text.ts'
import { oneLine, type Problem, type Rule } from '../finding.ts'
import type { LintBrand, LintColor } from '../lint-brand.ts'

/** The rules for spot colours. For a brand without inks, none is judged. */
export function createInkRule({ colors }: LintBrand): Rule<'ink'> {
  const inks = colors.flatMap(color =>
    printedInks(color).map(({ key, name }): Ink => ({ ...inkParts(name), key, write: name, color })),
  )
  const judge = memoize(found => problemOf(found, inks))
  return use => {
    if (inks.length === 0) return []
    const problem = judge(use.name)
    return problem ? [problem] : []
  }
}

type Ink = ReturnType<typeof inkParts> & { key: string; write: string; color: LintColor }

/**
 * The problem of an ink in a file: `PANTONE 286 C` is the ink 286 of the book C. A brand that names no book has it in all
 * of them, and a file that names none means the only one of the brand.
 */
function problemOf(name: string, inks: readonly Ink[]): Problem | undefined {
  const key = inkKey(name)
  const { name: number, book: ownBook } = inkParts(name)
  const same = inks.find(ink => ink.key.trim() === key)
  const withNumber = inks.filter(ink => ink.name === number && ink.name !== '')
  const [only] = withNumber
  if (same) return same.write === name ? undefined : nameProblem(name, same)
  if (ownBook !== '' && withNumber.some(({ book }) => book === '')) return undefined
  if (ownBook === '' && only && withNumber.length === 1) return nameProblem(name, only)
  return offProblem(name, ownBook, withNumber)
}

function nameProblem(name: string, { write, color: { id, guide } }: Ink): Problem {
  const found = oneLine(name)
  const message = `${found} is the ink ${write} of the brand, but another name is another plate: write ${write}`
  return { rule: 'spot-name', value: name, details: () => ({ found, nearest: id, write, guide, message }) }
}

/** An ink that the brand does not have. Others are never similar: `books` are only those with the same number. */
function offProblem(name: string, book: string, books: readonly Ink[]): Problem {
  const found = oneLine(name)
  const others = books.map(({ write }) => write).join(' and ')
  const why = book === '' ? 'write which one' : 'coated and uncoated are two inks'
  const fix = others === '' ? 'use one of its inks' : `it has ${others}: ${why}`
  const message = `${found} is not an ink of the brand: ${fix}`
  const { id, guide } = books[0]?.color ?? {}
  return { rule: 'spot-off', value: name, details: () => ({ found, nearest: id, guide, message }) }
}
