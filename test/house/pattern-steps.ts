import { type Choices, type Part, readPattern } from './pattern-syntax.ts'

/** The matches of a pattern in a text, and the characters and choices that a search by backtracking tries for them. */
export type Search = { matches: string[]; steps: number }

/**
 * A search for all matches of a pattern as JavaScript finds them, which counts its steps. A count is the same on each
 * machine and at each load, which a time is not. After `mostSteps`, the search ends with Infinity.
 */
export function stepCounter({ source, flags }: { source: string; flags: string }) {
  const match = matcherOf(readPattern(source, flags))
  const isUnicode = /[uv]/.test(flags)
  return (text: string, mostSteps: number): Search => {
    const state: State = { text, steps: 0, mostSteps, groups: new Map(), isUnicode }
    const matches: string[] = []
    try {
      for (let at = 0; at <= text.length; ) {
        state.groups.clear()
        let end = -1
        const isMatch = match(state, at, false, reached => {
          end = reached
          return true
        })
        if (isMatch) matches.push(text.slice(at, end))
        else if (flags.includes('y')) break
        at = end > at ? end : at + widthAt(state, at)
      }
    } catch (error) {
      if (error !== TOO_MANY) throw error
      return { matches, steps: Number.POSITIVE_INFINITY }
    }
    return { matches, steps: state.steps }
  }
}

type State = {
  text: string
  steps: number
  mostSteps: number
  groups: Map<string, string>
  isUnicode: boolean
}
/** Tries to match at a place, backwards in a lookbehind, and calls `next` with each end until that returns true. */
type Matcher = (state: State, at: number, isBackwards: boolean, next: (at: number) => boolean) => boolean

const TOO_MANY = new Error('too many steps')

function count(state: State): void {
  if (++state.steps > state.mostSteps) throw TOO_MANY
}

function widthAt({ text, isUnicode }: State, at: number): number {
  return isUnicode && (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1
}

function matcherOf(choices: Choices): Matcher {
  const sequences = choices.map(sequenceOf)
  return (state, at, isBackwards, next) => {
    for (const sequence of sequences) {
      count(state)
      if (sequence(state, at, isBackwards, next)) return true
    }
    return false
  }
}

function sequenceOf(parts: readonly Part[]): Matcher {
  const matchers = parts.map(repeat)
  const reversed = matchers.toReversed()
  return (state, at, isBackwards, next) => {
    const inOrder = isBackwards ? reversed : matchers
    const from = (index: number, here: number): boolean => {
      const matcher = inOrder[index]
      return matcher ? matcher(state, here, isBackwards, after => from(index + 1, after)) : next(here)
    }
    return from(0, at)
  }
}

function repeat(part: Part): Matcher {
  if (part.kind === 'character') return repeatedCharacter(part)
  const once = atomOf(part)
  const { least, most, isLazy } = part
  if (least === 1 && most === 1) return once
  const tryMore = (state: State, at: number, isBackwards: boolean, done: number, next: (at: number) => boolean) =>
    done < most &&
    once(state, at, isBackwards, after => {
      // A repetition of nothing ends.
      if (after === at && done >= least) return false
      return tryFrom(state, after, isBackwards, done + 1, next)
    })
  const tryFrom = (
    state: State,
    at: number,
    isBackwards: boolean,
    done: number,
    next: (at: number) => boolean,
  ): boolean => {
    count(state)
    if (done < least) return tryMore(state, at, isBackwards, done, next)
    if (isLazy) return next(at) || tryMore(state, at, isBackwards, done, next)
    return tryMore(state, at, isBackwards, done, next) || next(at)
  }
  return (state, at, isBackwards, next) => tryFrom(state, at, isBackwards, 0, next)
}

/** Repeats a character in a loop: a thousand of them would need too many nested calls. */
function repeatedCharacter({ source, flags, least, most, isLazy }: Part & { kind: 'character' }): Matcher {
  const matches = characterTest(source, flags)
  const endOfOne = (state: State, at: number, isBackwards: boolean): number | undefined => {
    count(state)
    const end = isBackwards ? at - widthBefore(state, at) : at + widthAt(state, at)
    if (end < 0 || end > state.text.length) return undefined
    return matches(codeAt(state, Math.min(at, end))) ? end : undefined
  }
  if (least === 1 && most === 1) {
    return (state, at, isBackwards, next) => {
      const end = endOfOne(state, at, isBackwards)
      return end !== undefined && next(end)
    }
  }
  return (state, at, isBackwards, next) => {
    const ends: number[] = []
    for (let end: number | undefined = at; end !== undefined; end = endOfOne(state, end, isBackwards)) {
      if (isLazy && ends.length >= least && next(end)) return true
      ends.push(end)
      if (ends.length > most) break
    }
    while (!isLazy && ends.length > least) {
      count(state)
      if (next(ends.pop() ?? at)) return true
    }
    return false
  }
}

function atomOf(part: Exclude<Part, { kind: 'character' }>): Matcher {
  if (part.kind === 'anchor') {
    const isAt = anchorTest(part.source, part.flags)
    return (state, at, _, next) => {
      count(state)
      return isAt(state.text, at) && next(at)
    }
  }
  if (part.kind === 'reference') {
    return ({ text, groups }, at, isBackwards, next) => {
      const value = groups.get(part.group) ?? ''
      const start = isBackwards ? at - value.length : at
      return text.startsWith(value, Math.max(start, 0)) && next(isBackwards ? start : at + value.length)
    }
  }
  const inner = matcherOf(part.choices)
  if (part.kind === 'look') {
    return (state, at, _, next) => inner(state, at, part.isBehind, () => true) !== part.isNegated && next(at)
  }
  return (state, at, isBackwards, next) =>
    inner(state, at, isBackwards, end => {
      const before = part.groups.map(group => [group, state.groups.get(group)] as const)
      for (const group of part.groups) state.groups.set(group, state.text.slice(Math.min(at, end), Math.max(at, end)))
      if (next(end)) return true
      for (const [group, value] of before) state.groups.set(group, value ?? '')
      return false
    })
}

function codeAt({ text, isUnicode }: State, at: number): number {
  return (isUnicode ? text.codePointAt(at) : text.charCodeAt(at)) ?? 0
}

function widthBefore(state: State, at: number): number {
  return state.isUnicode && at >= 2 && widthAt(state, at - 2) === 2 ? 2 : 1
}

/** Whether a character or class matches a character: `RegExp` knows, once for each. */
function characterTest(source: string, flags: string): (code: number) => boolean {
  const pattern = new RegExp(`^(?:${source})$`, flags.replaceAll(/[gmy]/g, ''))
  const known: boolean[] = []
  return code => {
    known[code] ??= pattern.test(String.fromCodePoint(code))
    return known[code]
  }
}

function anchorTest(source: string, flags: string): (text: string, at: number) => boolean {
  const isLines = flags.includes('m')
  const isEnd = (character: string | undefined) =>
    character === undefined || (isLines && /[\n\r\u2028\u2029]/.test(character))
  if (source === '^') return (text, at) => isEnd(text[at - 1])
  if (source === '$') return (text, at) => isEnd(text[at])
  const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character)
  return (text, at) => (isWord(text[at - 1]) !== isWord(text[at])) === (source === '\\b')
}
