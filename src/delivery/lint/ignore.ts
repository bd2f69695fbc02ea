import { posix } from 'node:path'
import { keysOf } from '#brand/fields.ts'
import { globTokens, isCovered } from '#brand/glob.ts'
import { LINT_RULES } from '#brand/lint-rules.ts'
import { groupsOf, withoutLastSlash } from '#platform/base/text.ts'
import { sourceOf } from './source.ts'

/** A filter for paths that globs cover, all relative to the working folder. A folder covers everything in it. */
export function createPathFilter(globs: readonly string[]): (path: string) => boolean {
  const lists = globs.map(glob => globTokens(plainPath(glob)))
  return path => lists.some(tokens => isCovered(plainPath(path), tokens, { isFolder: true }))
}

function plainPath(path: string): string {
  return withoutLastSlash(posix.normalize(path.replaceAll('\\', '/')))
}

/**
 * The lines that comments of CSS, SCSS and HTML ignore, each with its rules; a comment without rules ignores all. They
 * start with `housestyle-ignore`, for their own lines, or `housestyle-ignore-next-line`, and may end with a reason.
 */
export function ignoredLines(text: string): IgnoredLines {
  const { at } = sourceOf(text)
  const ignored = new Map<number, ReadonlySet<string>>()
  for (const { 0: comment, index } of text.matchAll(COMMENT)) {
    // `isNext` is the text `-next-line`, or undefined; `names` begins with a space or a comma, if it is not empty.
    const [directive, isNext, names = ''] = groupsOf(DIRECTIVE, comment.slice(0, 500))
    if (directive === undefined) continue
    const rules = names === '' ? ALL_RULES : names.split(/[\s,]+/).slice(1)
    const { line: startLine = 1 } = at(index)
    const { line: endLine = 1 } = at(index + comment.length)
    const [firstIgnored, lastIgnored] = isNext ? [endLine + 1, endLine + 1] : [startLine, endLine]
    for (let line = firstIgnored; line <= lastIgnored; line++)
      ignored.set(line, new Set([...(ignored.get(line) ?? []), ...rules]))
  }
  return ignored
}

/** The ignored rules of lines; a file that cannot be read is never ignored. */
export type IgnoredLines = ReadonlyMap<number, ReadonlySet<string>>

const ALL_RULES = keysOf(LINT_RULES).filter(rule => rule !== 'unreadable')

/**
 * Comments of CSS, HTML and SCSS (`/* … *\/`, `<!-- … -->`, `// …`) that begin with `housestyle-ignore`. One that is not
 * closed reaches to the end of the text.
 */
const COMMENT =
  /\/\*\s*housestyle-ignore\b(?:.*?\*\/|.*)|<!--\s*housestyle-ignore\b(?:.*?-->|.*)|\/\/[ \t]*housestyle-ignore\b[^\n\r\f]*/gs
/** `housestyle-ignore-next-line color-off, font-off legacy page`: the first words are rules, the others are a reason. */
const DIRECTIVE = new RegExp(
  String.raw`housestyle-ignore(-next-line)?(?![\w-])((?:[\s,]+(?:${ALL_RULES.join('|')})(?![\w-]))*)`,
)
