import { globTokens, isCovered } from '#brand/glob.ts'
import { pick } from '#platform/base/object.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { Reason } from '../report/report.ts'

/** A line of a `.gitignore`, or a glob: the last one that covers a path decides. Paths begin at `base`. */
export type Rule = { base: string; tokens: readonly string[]; literal: string; isNegated: boolean; isFolder: boolean }

/** Why a source does not publish what these rules cover. */
export type Hiding = Reason & { rules: readonly Rule[] }

/** The rules of lines as in `.gitignore`, which cover what is in `base` and below. */
export function ignoreLines(text: string, base: string): Rule[] {
  return text
    .split('\n', MAX_LINES)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#') && line.length < MAX_LENGTH)
    .flatMap(line => {
      const glob = line.replace(/^!/, '').replace(/\\(.)/g, '$1')
      const isAnywhere = !glob.slice(0, -1).includes('/')
      return ruleOf(isAnywhere ? `**/${glob}` : glob, base, line.startsWith('!'))
    })
}

/** The rules of globs that begin at `base`; one with `!` takes back what others cover. */
export function globRules(globs: readonly string[], base: string): Rule[] {
  const usable = globs.filter(glob => glob !== '' && glob.length < MAX_LENGTH).slice(0, MAX_LINES)
  return usable.flatMap(withoutBraces).flatMap(glob => ruleOf(glob.replace(/^!/, ''), base, glob.startsWith('!')))
}

/** Globs for what regular expressions cover at least: their literal text, with anything where they have signs. */
export function patternRules(patterns: readonly string[], base: string): Rule[] {
  const globs = patterns.filter(({ length }) => length < MAX_LENGTH).map(globOfPattern)
  return globRules(
    globs.filter(glob => /\w{2}/.test(glob)),
    base,
  )
}

function globOfPattern(pattern: string): string {
  const signs = pattern.replace(/^\^/, '').replace(/\$$/, '')
  const glob = signs.replace(
    /\\([^\w\s])|\\\w|\[(?<!(?<!\\)\[[^\]]*?\[)[^\]]*\]|\((?<!(?<!\\)\([^)]*?\()[^)]*\)|[.*+?{}|()[\]]|\w(?=[*?])/g,
    (_, literal?: string) => literal ?? '**',
  )
  const end = pattern.endsWith('$') ? '' : '**'
  return `${pattern.startsWith('^') ? '' : '**'}${glob}${end}`.replaceAll(/\*{2,}/g, '**')
}

/** Each choice of the first braces of a glob as its own: `*.{md,mdx}`. */
function withoutBraces(glob: string): string[] {
  const [, before = '', choices = '', after = ''] = groupsOf(/^([^{]*)\{([^{}]*)\}(.*)$/s, glob)
  return choices === ''
    ? [glob]
    : choices
        .split(',')
        .flatMap(choice => [`${before}${choice}${after}`])
        .slice(0, 50)
}

function ruleOf(glob: string, base: string, isNegated: boolean): Rule[] {
  const plain = glob
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/(?:\*\*)?$/, '')
    .replace(/\[(?<!\[[^\]]*?\[)[^\]]*\]/g, '?')
  if (plain === '') return []
  const literals = plain.split(/(?:\*\*\/|[*?])+/).toSorted((a, b) => b.length - a.length)
  const start = base === '' ? '' : `${base}/`
  return [
    { base: start, tokens: globTokens(plain), literal: literals[0] ?? '', isNegated, isFolder: glob.endsWith('/') },
  ]
}

const MAX_LINES = 1000
const MAX_LENGTH = 500

/** The reason of the first hiding that covers a path itself; folders above it are asked for on their own. */
export function hiddenBy(hidings: readonly Hiding[], path: string, isFolder: boolean): Reason | undefined {
  const covering = hidings.find(({ rules }) => {
    const last = rules.findLast(rule => covers(rule, path, isFolder))
    return last !== undefined && !last.isNegated
  })
  return covering && pick(covering, ['reason', 'detail'])
}

function covers({ base, tokens, literal, isFolder: needsFolder }: Rule, path: string, isFolder: boolean): boolean {
  if (!path.startsWith(base) || (needsFolder && !isFolder) || !path.includes(literal)) return false
  return isCovered(path.slice(base.length), tokens, { isFolder: false })
}
