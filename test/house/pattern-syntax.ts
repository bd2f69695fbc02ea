/** Part of a pattern, and how often it repeats. */
export type Part = Atom & { least: number; most: number; isLazy: boolean }

/** Sequences of which one has to match. */
export type Choices = readonly (readonly Part[])[]

type Atom =
  | { kind: 'character'; source: string; flags: string }
  | { kind: 'anchor'; source: string; flags: string }
  | { kind: 'reference'; group: string }
  | { kind: 'group'; groups: readonly string[]; choices: Choices }
  | { kind: 'look'; isBehind: boolean; isNegated: boolean; choices: Choices }

/** Reads a pattern as choices of sequences. */
export function readPattern(source: string, flags: string): Choices {
  let at = 0
  let captured = 0
  let flagsHere = flags
  const take = (token: RegExp): string | undefined => {
    token.lastIndex = at
    const [text] = token.exec(source) ?? []
    if (text !== undefined) at += text.length
    return text
  }
  const readChoices = (): Choices => {
    const choices: Part[][] = [[]]
    while (at < source.length && source[at] !== ')') {
      if (take(/\|/y)) choices.push([])
      else {
        const atom = readAtom()
        choices.at(-1)?.push({ ...atom, ...repetition(take(QUANTIFIER) ?? '') })
      }
    }
    return choices
  }
  const readAtom = (): Atom => {
    const opening = take(OPENING)
    if (opening) {
      const name = /^\(\?<(\w+)>/.exec(opening)?.[1]
      const number = name !== undefined || opening === '(' ? [`${++captured}`] : []
      const flagsBefore = flagsHere
      const [, set = '', unset = ''] = /^\(\?([ims]*)-?([ims]*):/.exec(opening) ?? []
      flagsHere = [...set, ...[...flagsHere].filter(flag => !unset.includes(flag))].join('')
      const choices = readChoices()
      flagsHere = flagsBefore
      at++
      const isBehind = opening.startsWith('(?<') && name === undefined
      if (isBehind || /[=!]$/.test(opening)) {
        return { kind: 'look', isBehind, isNegated: opening.endsWith('!'), choices }
      }
      return { kind: 'group', groups: name === undefined ? number : [...number, name], choices }
    }
    const reference = take(/\\[1-9]\d*|\\k<\w+>/y)
    if (reference) return { kind: 'reference', group: reference.replaceAll(/\\k?|[<>]/g, '') }
    const anchor = take(/[\^$]|\\[bB]/y)
    if (anchor) return { kind: 'anchor', source: anchor, flags: flagsHere }
    const character = take(flags.includes('v') ? NESTED : CHARACTER) ?? take(/[\s\S]/uy) ?? ''
    return { kind: 'character', source: character, flags: flagsHere }
  }
  return readChoices()
}

function repetition(quantifier: string): { least: number; most: number; isLazy: boolean } {
  const isLazy = /.\?$/.test(quantifier)
  const [, least, hasMost, most] = /^\{(\d+)(,(\d*))?\}/.exec(quantifier) ?? []
  if (least !== undefined) {
    return { least: Number(least), most: hasMost ? Number(most || Infinity) : Number(least), isLazy }
  }
  const times: Readonly<Record<string, [number, number]>> = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }
  const [fewest, greatest] = times[quantifier[0] ?? ''] ?? [1, 1]
  return { least: fewest, most: greatest, isLazy }
}

const OPENING = /\((?:\?(?:[:=!]|<[=!]|<\w+>|[ims-]+:))?/y
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y
const CHARACTER = /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u\w{4}|\\x\w{2}|\\c\w|\\.|\[\^?(?:\\.|[^\]\\])*\]/sy
/** With the flag `v`, a class may have others in it. */
const NESTED = /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u\w{4}|\\x\w{2}|\\.|\[\^?(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\]\\])*\]/sy
