import { stripTypeScriptTypes } from 'node:module'
import { parse } from 'acorn'
import { isObject } from '#platform/base/object.ts'
import type { Source } from './modules.ts'
import { stepCounter } from './pattern-steps.ts'
import { type Choices, type Part, readPattern } from './pattern-syntax.ts'

/** A regular expression of the code, with its place. */
export type Pattern = { path: string; line: number; source: string; flags: string }

/** The regular expression literals in TypeScript. */
export function patternsIn({ path, text }: Source): Pattern[] {
  // Types are replaced by blanks, so that lines stay.
  const code = stripTypeScriptTypes(text).replaceAll(/\b(?:await )?using\b(?= \w+ =)/g, word =>
    'const'.padEnd(word.length),
  )
  const patterns: Pattern[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each)
    if (!isObject(node) || Array.isArray(node)) return
    const { regex, start } = node
    if (isObject(regex) && typeof start === 'number') {
      const line = code.slice(0, start).split('\n').length
      patterns.push({ path, line, source: `${regex.pattern}`, flags: `${regex.flags}` })
    }
    for (const [key, child] of Object.entries(node)) if (key !== 'regex') visit(child)
  }
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))
  return patterns
}

/** Makes strings of a length that repeats a part, so that backtracking shows. */
export type Attack = { start: string; part: string; end: string }

/**
 * The first repeated text for which the steps of a search grow faster than its length: a pattern tries the same
 * characters again and again. Undefined if there is none.
 */
export function slowAttack(pattern: Pattern): Attack | undefined {
  const search = stepCounter(pattern)
  const stepsFor = ({ start, part, end }: Attack, length: number) =>
    search(start + part.repeat(Math.ceil(length / part.length)) + end, MAX_STEPS).steps
  const grows = (attack: Attack, length: number) => {
    const steps = stepsFor(attack, length)
    return steps > MAX_STEPS || steps > GROWTH * stepsFor(attack, length / 4)
  }
  return attacksOn(pattern).find(attack => LENGTHS.every(length => grows(attack, length)))
}

/** The first is enough for nearly all patterns. The last is past what a pattern limits itself, such as {1,1000}. */
const LENGTHS = [250, 1000, 12_000]
/** Between 4, if steps grow as the length does, and 16. */
const GROWTH = 6
const MAX_STEPS = 50_000_000

/**
 * Texts that make a pattern try the same characters again and again, if it can: each of its repeated parts, after what
 * has to come before it, with ends that do not match; and the characters that it distinguishes, alone and in pairs.
 */
function attacksOn({ source, flags }: Pattern): Attack[] {
  const choices = readPattern(source, flags)
  const attacks: Attack[] = []
  const letters = new Set<string>()
  const visit = (sequences: Choices, before: string): void => {
    for (const sequence of sequences) {
      let start = before
      for (const part of sequence) {
        const examples = examplesOf(part)
        if (part.kind === 'character') for (const example of examples) letters.add(example)
        if (part.most > MAX_TRIES) {
          for (const example of examples) attacks.push({ start, part: example, end: '' })
          attacks.push({ start: '', part: start + (examples[0] ?? ''), end: '' })
        }
        if ('choices' in part) visit(part.choices, start)
        if (part.kind !== 'look' || part.isBehind) start += exampleOf([part])
      }
    }
  }
  visit(choices, '')
  const own = [...letters].slice(0, MAX_LETTERS)
  for (const part of own) attacks.push({ start: '', part, end: '' })
  for (const one of own)
    for (const other of own) if (one !== other) attacks.push({ start: '', part: one + other, end: '' })
  const parts = attacks.filter(({ part }) => part !== '')
  const ended = parts.flatMap(attack => ENDS.map(end => ({ ...attack, end })))
  return [...new Map(ended.map(attack => [JSON.stringify(attack), attack])).values()]
}

const MAX_LETTERS = 8
/** Repetitions of a part that are counted as many. */
const MAX_TRIES = 100
/** Ends at which a repetition fails, each for other classes of characters. */
const ENDS = ['', '\u0001', '\n\u0001']

/** Some strings that a part of a pattern matches once, preferably of different kinds. */
function examplesOf(part: Part): string[] {
  if (part.kind === 'look' && part.isNegated) return []
  if ('choices' in part) return part.choices.map(exampleOf).filter(example => example !== '')
  if (part.kind !== 'character') return []
  const own = part.source.startsWith('[') ? part.source.replaceAll(/^\[\^?|\]$|\\./g, '') : part.source
  const matches = new RegExp(`^(?:${part.source})$`, part.flags.replaceAll(/[gy]/g, ''))
  return [...new Set([...SAMPLES, ...own])].filter(each => matches.test(each)).slice(0, MAX_EXAMPLES)
}

function exampleOf(sequence: readonly Part[]): string {
  return sequence.map(part => examplesOf(part)[0]?.repeat(Math.min(Math.max(part.least, 1), 9)) ?? '').join('')
}

const MAX_EXAMPLES = 3
const SAMPLES = ' a\n0-.\t"<>/=\':,;#()[]{}*_`|\\%@+?!&~^$Aé中\u0001'
