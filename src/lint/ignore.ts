import { posix } from 'node:path'
import { sourceOf } from './source.ts'
import type { Use } from './use.ts'

/**
 * A filter for paths that globs cover, all relative to the working folder: `**` covers any folders, `*` and `?` do not
 * cover `/`. A folder covers everything in it. The time is linear in the path, however many stars a glob has.
 */
export function createPathFilter(globs: readonly string[]): (path: string) => boolean {
  // `path.matchesGlob` is experimental before Node 24.8.
  const lists = globs.map(glob => plainPath(glob).match(/\*\*\/|\*\*|./gs) ?? [])
  return path => lists.some(tokens => covers(tokens, plainPath(path)))
}

function plainPath(path: string): string {
  return posix.normalize(path.replaceAll('\\', '/')).replace(/\/$/, '')
}

function covers(tokens: readonly string[], path: string): boolean {
  let states = new Set([0])
  for (let at = 0; at <= path.length; at++) {
    const [character = '/', before = '/'] = [path[at], path[at - 1]]
    const next = new Set<number>()
    for (const state of states) {
      const token = tokens[state]
      if (token === undefined && character === '/') return true
      const isStar = token === '**' || token === '**/' || token === '*'
      if (isStar && (token !== '**/' || before === '/')) states.add(state + 1)
      if (isStar && (token !== '*' || character !== '/')) next.add(state)
      if (token === character || (token === '?' && character !== '/')) next.add(state + 1)
    }
    states = next
  }
  return false
}

/**
 * The uses that comments of CSS, SCSS and HTML ignore: `color 12` for colours on line 12. They start with
 * `housestyle-ignore`, for their own lines, or `housestyle-ignore-next-line`, and may name rules before a reason.
 */
export function ignoredLines(text: string): ReadonlySet<string> {
  const [{ at }, ignored] = [sourceOf(text), new Set<string>()]
  for (const { 0: comment, index } of text.matchAll(COMMENT)) {
    const [, isNext, rules] = DIRECTIVE.exec(comment.slice(0, 500)) ?? []
    const [first = 1, last = 1] = [at(index).line, at(index + comment.length).line]
    for (let line = isNext ? last + 1 : first; line <= (isNext ? last + 1 : last); line++)
      for (const kind of KINDS) if (rules === '' || rules?.includes(`${kind}-`)) ignored.add(`${kind} ${line}`)
  }
  return ignored
}

/** A comment that is not closed reaches to the end of the text. */
const COMMENT =
  /\/\*\s*housestyle-ignore\b(?:.*?\*\/|.*)|<!--\s*housestyle-ignore\b(?:.*?-->|.*)|\/\/[ \t]*housestyle-ignore\b[^\n\r\f]*/gs
const DIRECTIVE = /housestyle-ignore(-next-line)?(?![\w-])((?:[\s,]+[a-z]+-[a-z]+)*)/

/** The starts of the rules that judge uses; that of `words` is `word`. */
const KINDS = ['color', 'contrast', 'font', 'type', 'word']

/** Leaves out the uses on ignored lines. A rule leaves out all that the rules of its kind judge. */
export function* withoutIgnored(uses: Iterable<Use>, ignored: ReadonlySet<string>): Generator<Use> {
  for (const use of uses) {
    if (ignored.size === 0) yield use
    else if (use.kind !== 'words') {
      if (!ignored.has(`${use.kind} ${use.line}`)) yield use
    } else {
      // Text may span lines, so its words are left out one by one; the offsets stay.
      const isIgnored = (offset: number) => ignored.has(`word ${use.at(offset).line}`)
      const blank = (word: string, offset: number) => (isIgnored(offset) ? ' '.repeat(word.length) : word)
      yield { ...use, text: use.text.replace(/\S+/g, blank) }
    }
  }
}
