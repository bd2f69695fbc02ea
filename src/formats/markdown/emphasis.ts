import * as cjk from 'micromark-extension-cjk-friendly-util'
import type { Span } from './link-syntax.ts'

/** A run of `*`, `_` or `~` that is left: each pair takes signs from the inner ends of its two runs. */
type Run = Span & { sign: string; opens: boolean; closes: boolean }

/**
 * The marks of emphasis and strikethrough in a line of text (CommonMark 0.31 §6.2, GFM §6.5), also next to Chinese,
 * Japanese and Korean punctuation, as on pages. Takes linear time for any input: this is `process emphasis` in the
 * appendix of CommonMark, with its `openers_bottom`.
 */
export function emphasisMarks(line: string): Span[] {
  const marks: Span[] = []
  const openers: Run[] = []
  /** By the kind of a closing run: the offset below which no opener can be its pair, because a search found none. */
  const searchedBelow = new Map<string, number>()
  for (const run of runsIn(line)) {
    while (run.closes && run.start < run.end) {
      // Runs of one kind have the same openers: `isPair` depends only on these.
      const kind = `${run.sign}${run.opens}${run.sign === '~' ? lengthOf(run) : lengthOf(run) % 3}`
      let at = openers.length - 1
      let opener = openers[at]
      while (opener && opener.start >= (searchedBelow.get(kind) ?? 0) && !isPair(opener, run)) opener = openers[--at]
      if (!opener || !isPair(opener, run)) {
        searchedBelow.set(kind, run.start)
        break
      }
      // The openers inside of a pair stay text.
      openers.length = at + 1
      const size = Math.min(2, lengthOf(opener), lengthOf(run))
      marks.push({ start: opener.end - size, end: opener.end }, { start: run.start, end: run.start + size })
      opener.end -= size
      run.start += size
      if (lengthOf(opener) === 0) openers.pop()
    }
    if (run.opens && lengthOf(run) > 0) openers.push(run)
  }
  return marks
}

function lengthOf({ start, end }: Span): number {
  return end - start
}

/** Whether two runs enclose emphasis. Rules 9 and 10: a run that can do both only pairs with certain lengths. */
function isPair(opener: Run, closer: Run): boolean {
  const [open, close] = [lengthOf(opener), lengthOf(closer)]
  if (opener.sign !== closer.sign) return false
  if (opener.sign === '~') return open === 2 && close === 2
  return !(opener.closes || closer.opens) || close % 3 === 0 || (open + close) % 3 !== 0
}

/** The runs of a line; not signs after a backslash, nor three tildes or more. */
function runsIn(line: string): Run[] {
  return Array.from(line.matchAll(/\\[!-/:-@[-`{-~]|\*+|_+|~+/g)).flatMap(({ 0: signs, index: start }) => {
    const [sign = ''] = signs
    const end = start + signs.length
    if (sign === '\\' || signs.startsWith('~~~')) return []
    return { start, end, sign, ...flanking(sign, line, start, end) }
  })
}

/** Whether a run can open or close, by the rules of https://github.com/tats-u/markdown-cjk-friendly. */
function flanking(sign: string, line: string, start: number, end: number): Pick<Run, 'opens' | 'closes'> {
  const [twoBefore = null, previous = null] = [null, null, ...line.slice(Math.max(0, start - 4), start)]
    .slice(-2)
    .map(each => each?.codePointAt(0))
  const before = cjk.classifyPrecedingCharacter(cjk.classifyCharacter(previous), () => twoBefore, previous)
  const after = cjk.classifyCharacter(line.codePointAt(end) ?? null)
  // A tilde next to `*` or `_` is a run of its own; next to a tilde there is none.
  const tilde = sign === '~' ? '' : '~'
  const left = sideOf(before, cjk.isCjkOrIvs(before), line[start - 1] === tilde)
  const right = sideOf(after, cjk.isCjk(after), line[end] === tilde)
  const [opens, closes] = [flanks(right, left), flanks(left, right)]
  if (sign !== '_') return { opens, closes }
  return {
    opens: opens && (cjk.isSpaceOrPunctuation(before) || !closes),
    closes: closes && (cjk.isSpaceOrPunctuation(after) || !opens),
  }
}

type Category = ReturnType<typeof cjk.classifyCharacter>

/**
 * The character next to a run. `isGap`: punctuation or white space; `isTilde`: a tilde next to a run of other signs.
 */
type Side = { isPunctuation: boolean; isGap: boolean; isCjk: boolean; isTilde: boolean }

function sideOf(category: Category, isCjk: boolean, isTilde: boolean): Side {
  const isPunctuation = cjk.isNonCjkPunctuation(category)
  return { isPunctuation, isGap: isPunctuation || cjk.isUnicodeWhitespace(category), isCjk, isTilde }
}

/**
 * Whether a run belongs to the text at its inner side: the right side of one that opens, the left of one that closes.
 */
function flanks(inner: Side, outer: Side): boolean {
  return !inner.isGap || (inner.isPunctuation && (outer.isGap || outer.isCjk)) || inner.isTilde
}
