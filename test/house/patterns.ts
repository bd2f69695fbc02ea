import { stripTypeScriptTypes } from 'node:module'
import { parse } from 'acorn'
import { isObject } from '#platform/base/object.ts'
import type { Source } from './modules.ts'

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

/** Part of a pattern: characters, each a few examples; or a choice of sequences, which may repeat. */
type Part = { repeats: boolean } & ({ examples: readonly string[] } | { choices: readonly (readonly Part[])[] })

/**
 * Strings that make a pattern try the same characters again and again, if it can: each of its repeated parts, after what
 * has to come before it, with ends that do not match; and the characters that it distinguishes, alone and in pairs.
 */
export function attacksOn({ source, flags }: Pattern): Attack[] {
  const choices = readPattern(source, flags)
  const attacks: Attack[] = []
  const letters = new Set<string>()
  const visit = (sequences: readonly (readonly Part[])[], before: string): void => {
    for (const sequence of sequences) {
      let start = before
      for (const part of sequence) {
        if ('examples' in part) for (const example of part.examples) letters.add(example)
        const examples = 'examples' in part ? part.examples : part.choices.map(exampleOf)
        for (const example of part.repeats ? examples : []) attacks.push({ start, part: example, end: '' })
        if (part.repeats) attacks.push({ start: '', part: start + (examples[0] ?? ''), end: '' })
        if ('choices' in part) visit(part.choices, start)
        start += examples[0] ?? ''
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

const MAX_LETTERS = 5
/** Ends at which a repetition fails, each for other classes of characters. */
const ENDS = ['', '\u0001', '\n\u0001']

function exampleOf(sequence: readonly Part[]): string {
  return sequence
    .map(part => ('examples' in part ? part.examples[0] : part.choices[0] && exampleOf(part.choices[0])) ?? '')
    .join('')
}

/** Reads a pattern as choices of sequences. Lookarounds are read as groups; references to groups are left out. */
function readPattern(source: string, flags: string): Part[][] {
  let at = 0
  const take = (token: RegExp): string | undefined => {
    token.lastIndex = at
    const [text] = token.exec(source) ?? []
    if (text !== undefined) at += text.length
    return text
  }
  const readChoices = (): Part[][] => {
    const choices: Part[][] = [[]]
    for (;;) {
      if (at >= source.length || source[at] === ')') return choices
      if (take(/\|/y)) choices.push([])
      else {
        const atom = readAtom()
        const repeats = /^(?:[*+]|\{\d+,\})/.test(take(QUANTIFIER) ?? '')
        if (atom) choices.at(-1)?.push({ ...atom, repeats })
      }
    }
  }
  const readAtom = () => {
    if (take(/\((?:\?(?:[:=!]|<[=!]|<\w+>))?/y)) {
      const choices = readChoices()
      at++
      return { choices }
    }
    if (take(ANCHOR)) return undefined
    const character = take(flags.includes('v') ? NESTED : CHARACTER)
    return { examples: examplesOf(character ?? source[at++] ?? '', flags) }
  }
  return readChoices()
}

const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y
const ANCHOR = /[\^$]|\\[bB1-9]|\\k<\w+>/y
const CHARACTER = /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u\w{4}|\\x\w{2}|\\c\w|\\.|\[\^?(?:\\.|[^\]\\])*\]/sy
/** With the flag `v`, a class may have others in it. */
const NESTED = /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u\w{4}|\\x\w{2}|\\.|\[\^?(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\]\\])*\]/sy

/** Some characters that a class or a character of a pattern matches, preferably of different kinds. */
function examplesOf(source: string, flags: string): string[] {
  const own = source.startsWith('[') ? source.replaceAll(/^\[\^?|\]$|\\./g, '') : source
  const matches = new RegExp(`^(?:${source})$`, flags.replaceAll(/[gy]/g, ''))
  return [...new Set([...SAMPLES, ...own])].filter(each => matches.test(each)).slice(0, MAX_EXAMPLES)
}

const MAX_EXAMPLES = 3
const SAMPLES = ' a\n0-.\t"<>/=\':,;#()[]{}*_`|\\%@+?!&~^$Aé中\u0001'
