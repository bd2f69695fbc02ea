import type { YAMLError } from 'yaml'
import type { Problem } from '../../brand/finding.ts'

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

type Mistake = { offset: number; message: string }

/**
 * Translates parser errors into plain descriptions of mistakes. A mistake that makes the rest unreadable is the only
 * one reported; consequences of earlier errors are dropped.
 */
function findMistakes(errors: readonly YAMLError[], text: string): Mistake[] {
  const whole = WHOLE.flatMap(([pattern, message]) => {
    const offset = text.search(pattern)
    return offset === -1 ? [] : [{ offset, message }]
  })
  if (whole[0]) return [whole[0]]
  const own = errors.filter(({ message }, at) => at === 0 || !FOLLOWS.test(message))
  const firsts = new Map<number, YAMLError>()
  for (const error of own) {
    const start = lineStart(text, error.pos[0])
    if (!firsts.has(start)) firsts.set(start, error)
  }
  return Array.from(firsts, ([start, error]) => toMistake(error, start, text))
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** Lines that explain any error: most are never valid YAML. */
const WHOLE: readonly [pattern: RegExp, message: string][] = [
  [/^(?:<{7}|>{7}) /m, 'a merge conflict is not resolved; keep one of the two versions, and remove the markers'],
  [/^(?: *-)? *\t[ \t]*[^\s#]/m, 'the line is indented with a tab; indent with spaces'],
  [/^[^#\n]*[:-] +(?:"[^"“”\n]*[“”]|'[^'‘’\n]*[‘’]) *$/m, 'a value ends with a curly quote; write straight quotes'],
]

const FOLLOWS = /^Unexpected .*(?:at node end|token in YAML stream)/

function toMistake({ message, pos: [offset] }: YAMLError, start: number, text: string): Mistake {
  const line = lineFrom(text, start)
  if (/^Missing closing/.test(message)) return { offset, message: OPEN_QUOTE }
  const bracket = /^Flow (sequence|map) .*end with a (.)/.exec(message)
  if (bracket) return { offset, message: openBracket(bracket[2] ?? '') }
  if (/\u00a0/.test(line)) return { offset, message: NO_BREAK }
  if (/^\s*-[^\s-]/.test(line)) return { offset, message: 'a dash has no space after it; add one' }
  if (/^\s*(?:- +)?[\w-]+:[^\s/]/.test(line) && IMPLICIT.test(message))
    return { offset, message: 'a colon has no space after it; add one' }
  if (CURLY_VALUE.test(line)) return { offset, message: CURLY }
  if (!/:(?:\s|$)/.test(line) && isBelowItem(text, start)) return { offset: start, message: NO_DASH }
  if (NESTED.test(message) && !/: .*: |: .*:$/.test(line)) return deeper(start, line, text)
  const sign = /^Plain value (cannot start with [a-z ]+ .)/.exec(message)?.[1]
  if (sign !== undefined) return { offset, message: `a value ${sign}; correct it, or put the value in quotes` }
  const words = COMMON.find(([pattern]) => pattern.test(message))?.[1]
  return { offset, message: words ?? unknownMistake(message) }
}

const IMPLICIT = /^Implicit keys need to be on|^Implicit map keys need/
const NESTED = /^Nested mappings/
const CURLY_VALUE = /^\s*(?:- +)?(?:[\w-]+: +)?[“”„«»‘’‚]/u
const CURLY = 'a value is in curly quotes, which YAML reads as part of it; write straight quotes'
const NO_DASH = 'the item has no dash; write a dash and a space before it'
const OPEN_QUOTE = 'a quoted value has no closing quote; add the quote that it begins with'
const NO_BREAK = 'the line has a non-breaking space; replace it with a normal space'

const COMMON: readonly [message: RegExp, words: string][] = [
  [
    /^Nested mappings|^A block sequence may not/,
    'a second key or list begins on this line; put a value that contains ": " in quotes',
  ],
  [IMPLICIT, 'a line is neither "key: value" nor indented as part of the value before it'],
  [/^Tabs are not allowed/, 'the line is indented with a tab; indent with spaces'],
  [
    /^Sequence item without|^All mapping items must/,
    'the line is not indented like the lines above; align it with them',
  ],
  [/^Block scalar header/, 'text follows | or > on the same line; start it on the next line, indented'],
  [/^Invalid escape sequence/, 'a \\ in double quotes starts an escape sequence; use single quotes, or write \\\\'],
  [/^Unexpected flow-(?:seq|map)-end/, 'a closing bracket has no opening bracket; remove it, or add the opening one'],
  [/^Unexpected , in flow/, 'there are two commas in a row; remove one'],
  [
    /^Unexpected scalar at node end/,
    'the line does not belong to the lines before it; indent it like the lines around it, or put the whole value in quotes',
  ],
]

function isBelowItem(text: string, start: number): boolean {
  return start > 0 && /^\s*- /.test(lineFrom(text, lineStart(text, start - 1)))
}

function unknownMistake(message: string): string {
  const start = message.slice(0, 120).toWellFormed()
  const line = start.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
  return `the YAML cannot be read: ${line}; correct it, or put values with special characters in quotes`
}

/** The parser reports the line before which the bracket should have been closed. */
function openBracket(close: string): string {
  return `a ${close === ']' ? '[' : '{'} is not closed; write ${close} where the list ends`
}

/** The parser reports the line above, whose value continues on the line with too much indentation. */
function deeper(start: number, line: string, text: string): Mistake {
  const next = start + line.length + 1
  const message = 'the line is indented further than the one above; start both in the same column'
  return { offset: next < text.length ? next : start, message }
}

function lineFrom(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? undefined : Math.min(end, start + 1000))
}
