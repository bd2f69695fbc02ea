import type { YAMLError } from 'yaml'

/** What a person did that YAML cannot read, and where. */
export type Mistake = { offset: number; message: string }

/**
 * The slips behind the errors of a parser, in a person's words. A slip that makes the rest of the text unreadable is the
 * only one, and errors that only follow from an earlier one are left out.
 */
export function findMistakes(errors: readonly YAMLError[], text: string): Mistake[] {
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

/** Signs that are no YAML wherever they stand at the beginning of a line. */
const WHOLE: readonly [sign: RegExp, message: string][] = [
  [/^(?:<{7}|>{7}) /m, 'a merge conflict is left here; keep one of the two versions, and remove the marks'],
  [/^(?: *-)? *\t[ \t]*[^\s#]/m, 'the line is indented with a tab; indent with spaces'],
]

const FOLLOWS = /^Unexpected .*(?:at node end|token in YAML stream)/

function toMistake({ message, pos: [offset] }: YAMLError, start: number, text: string): Mistake {
  const line = lineFrom(text, start)
  if (/^Missing closing/.test(message)) return { offset, message: OPEN_QUOTE }
  const bracket = /^Flow (sequence|map) .*end with a (.)/.exec(message)
  if (bracket) return { offset, message: openBracket(bracket[2] ?? '') }
  if (/\u00a0/.test(line)) return { offset, message: NO_BREAK }
  if (/^\s*-[^\s-]/.test(line))
    return { offset, message: 'a hyphen stands right before its text; put a space after it' }
  if (/^\s*(?:- +)?[\w-]+:[^\s/]/.test(line) && IMPLICIT.test(message))
    return { offset, message: 'a colon stands right before its value; put a space after it' }
  if (NESTED.test(message) && !/: .*: |: .*:$/.test(line)) return deeper(start, line, text)
  const sign = /^Plain value (cannot start with [a-z ]+ .)/.exec(message)?.[1]
  if (sign !== undefined)
    return { offset, message: `a value ${sign}; correct it, or put a text that starts with this sign in quotes` }
  const words = COMMON.find(([pattern]) => pattern.test(message))?.[1]
  return { offset, message: words ?? unknownMistake(message) }
}

const IMPLICIT = /^Implicit keys need to be on|^Implicit map keys need/
const NESTED = /^Nested mappings/
const OPEN_QUOTE = 'a text in quotes does not end; close it with the quote that it begins with'
const NO_BREAK = 'a non-breaking space stands where a space is meant; type it anew'

/** Messages for the most common mistakes. */
const COMMON: readonly [message: RegExp, words: string][] = [
  [
    /^Nested mappings|^A block sequence may not/,
    'a second key or list begins on this line; put a text with ": " in quotes',
  ],
  [IMPLICIT, 'a line is neither "key: value" nor indented as part of the value before it'],
  [/^Tabs are not allowed/, 'the line is indented with a tab; indent with spaces'],
  [
    /^Sequence item without|^All mapping items must/,
    'the line is not indented as those above; line up its first letter with theirs',
  ],
  [/^Block scalar header/, 'a text stands on the line of | or >; begin it on the next line, indented'],
  [/^Invalid escape sequence/, 'a \\ in double quotes begins a special sign; use single quotes, or write \\\\'],
  [/^Unexpected flow-(?:seq|map)-end/, 'a bracket closes nothing; remove it, or write the one that opens'],
  [/^Unexpected , in flow/, 'two commas stand side by side; remove one'],
  [
    /^Unexpected scalar at node end/,
    'the line does not belong to what stands before it; indent it as the lines around it, or put the whole text in quotes',
  ],
]

function unknownMistake(message: string): string {
  const shown = message.slice(0, 120).toWellFormed()
  const line = shown.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
  return `the YAML cannot be read: ${line}; correct it, or put a text with special signs in quotes`
}

/** The parser reports the line that the bracket should have been closed before. */
function openBracket(close: string): string {
  return `a ${close === ']' ? '[' : '{'} is not closed; write ${close} where the list ends`
}

/** The parser reports the line above, whose text goes on into the line that is indented too far. */
function deeper(start: number, line: string, text: string): Mistake {
  const next = start + line.length + 1
  const message = 'the line is indented further than the one above; begin both in the same column'
  return { offset: next < text.length ? next : start, message }
}

function lineFrom(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? undefined : Math.min(end, start + 1000))
}
