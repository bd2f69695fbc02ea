import type { YAMLError } from 'yaml'
import type { Problem } from '../../brand/finding.ts'

const MAX_PROBLEMS = 20

/**
 * What is wrong with the syntax of a YAML text: one problem a line, the first twenty. A colour without quotes within
 * brackets (`[#fff, #000]`) hides the rest of its line, so the errors that follow from it are not worth naming.
 *
 * @param second where a second document begins
 * @param hashes where comments that look like colours stand within brackets
 */
export function syntaxProblems(
  errors: readonly YAMLError[],
  second: number | undefined,
  hashes: readonly number[],
  lineAt: (offset: number) => number,
): Problem[] {
  if (errors.length > 0 && hashes.length > 0)
    return onePerLine(hashes.map(offset => ({ rule: 'value-unquoted', line: lineAt(offset), message: UNQUOTED })))
  const problems = errors
    .slice(0, MAX_PROBLEMS * 50)
    .map(error => ({ rule: 'yaml-syntax' as const, line: lineAt(error.pos[0]), message: describe(error) }))
  if (second === undefined) return onePerLine(problems)
  return onePerLine([...problems, { rule: 'yaml-syntax', line: lineAt(second), message: SECOND }])
}

const UNQUOTED = 'a value starts with #, which YAML reads as a comment; put it in quotes'
const SECOND = 'a second document begins here; keep one document in a file'

const NO_COLON = 'a line is neither "key: value" nor indented as part of the value before it'

/** The mistakes that people make most, in words of their own. */
const COMMON: readonly [message: RegExp, words: string][] = [
  [
    /^Nested mappings|^A block sequence may not/,
    'a second key or list begins on this line; put a text with ": " in quotes',
  ],
  [/^Implicit keys need to be on|^Implicit map keys need/, NO_COLON],
  [/^Tabs are not allowed/, 'the line is indented with a tab; use spaces'],
  [/^Missing closing/, 'a text in quotes does not end; close it with the quote that it begins with'],
]

function describe({ message }: YAMLError): string {
  const words = COMMON.find(([pattern]) => pattern.test(message))?.[1]
  return words ?? `the YAML cannot be read: ${oneLine(message)}; correct it, or put a text with special signs in quotes`
}

function oneLine(message: string): string {
  const shown = message.slice(0, 120).toWellFormed()
  return shown.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}

function onePerLine(problems: readonly Problem[]): Problem[] {
  const first = new Map<number | null, Problem>()
  for (const problem of problems) if (!first.has(problem.line)) first.set(problem.line, problem)
  return [...first.values()].slice(0, MAX_PROBLEMS)
}
