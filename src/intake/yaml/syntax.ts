import type { YAMLError } from 'yaml'
import type { Problem } from '../../brand/finding.ts'
import { findMistakes } from './mistakes.ts'

const MAX_PROBLEMS = 20

/**
 * The syntax problems of a YAML document: at most one per line, and twenty in all. An unquoted `#` in brackets
 * (`[#fff, #000]`) turns the rest of its line into a comment; only the value is reported, not the errors that it
 * causes.
 *
 * @param second the offset of a second document
 * @param unquoted the offsets of such comments
 */
export function syntaxProblems(
  text: string,
  errors: readonly YAMLError[],
  second: number | undefined,
  unquoted: readonly number[],
  lineAt: (offset: number) => number,
): Problem[] {
  if (errors.length > 0 && unquoted.length > 0)
    return onePerLine(unquoted.map(offset => ({ rule: 'value-unquoted', line: lineAt(offset), message: UNQUOTED })))
  const problems = (errors.length === 0 ? [] : findMistakes(errors.slice(0, MAX_PROBLEMS * 50), text)).map(
    ({ offset, message }) => {
      return { rule: 'yaml-syntax' as const, line: lineAt(offset), message }
    },
  )
  if (second === undefined) return onePerLine(problems)
  return onePerLine([...problems, { rule: 'yaml-syntax', line: lineAt(second), message: SECOND }])
}

const UNQUOTED = 'a value has a # outside quotes, which YAML reads as a comment; put the value in quotes'
const SECOND = 'a second document begins here; keep one document per file'

function onePerLine(problems: readonly Problem[]): Problem[] {
  const first = new Map<number | null, Problem>()
  for (const problem of problems) if (!first.has(problem.line)) first.set(problem.line, problem)
  return [...first.values()].slice(0, MAX_PROBLEMS)
}
