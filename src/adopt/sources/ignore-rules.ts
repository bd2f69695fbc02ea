import { globTokens, isCovered } from '#brand/glob.ts'
import { pick } from '#platform/base/object.ts'
import { countWords } from '#platform/base/text.ts'
import type { Reason } from '../report/report.ts'
import { inFolder } from './settings.ts'

/** A line of a `.gitignore`, or a glob: the last one that covers a path decides. `literal` is a part of each such path. */
export type Rule = { tokens: readonly string[]; literal: string; isNegated: boolean; isFolder: boolean }

/** Why a source does not publish what these rules cover. */
export type Hiding = Reason & { rules: readonly Rule[] }

/** The rules of lines as in `.gitignore`, which cover what is in `base` and below. */
export function ignoreLines(text: string, base: string): Rule[] {
  const lines = text.split('\n', MAX_RULES).map(line => line.trim())
  return globRules(lines.filter(line => line !== '' && !line.startsWith('#')).map(anywhere), base)
}

/** A line of a `.gitignore` as a glob: without `/`, except at its end, it covers names in any folder. */
function anywhere(line: string): string {
  const glob = line.replaceAll('\\', '')
  const [start, name] = glob.startsWith('!') ? ['!', glob.slice(1)] : ['', glob]
  return name.slice(0, -1).includes('/') ? glob : `${start}**/${name}`
}

/** The rules of globs that begin at `base`; one with `!` takes back what others cover. */
export function globRules(globs: readonly string[], base: string): Rule[] {
  const usable = globs.filter(({ length }) => length < MAX_LENGTH).slice(0, MAX_RULES)
  return usable.flatMap(withoutBraces).flatMap(glob => ruleOf(glob, base))
}

/** Globs for what regular expressions cover at least: their literal text, with anything where they have signs. */
export function patternRules(patterns: readonly string[], base: string): Rule[] {
  const globs = patterns.map(pattern => {
    const [signs, end] = pattern.endsWith('$') ? [pattern.slice(0, -1), ''] : [pattern, '**']
    const literals = signs.split('\\.').map(part => part.replaceAll(SIGNS, '**'))
    return `**${literals.join('.')}${end}`
  })
  return globRules(
    globs.filter(glob => countWords(glob) > 0),
    base,
  )
}

/** Classes, groups and other signs of a regular expression. */
const SIGNS = /\\\w|\[[^\]]{0,99}\]|\([^)]{0,99}\)|[^\w/-]+/g

/** Each choice of the first braces of a glob as its own: `*.{md,mdx}`. */
function withoutBraces(glob: string): string[] {
  const [before = '', choices = '', ...after] = glob.replaceAll('}', '{').split('{')
  return choices.split(',', MAX_CHOICES).map(choice => before + choice + after.join(''))
}

function ruleOf(written: string, base: string): Rule[] {
  const [isNegated, isFolder] = [written.startsWith('!'), written.endsWith('/')]
  const glob = written.slice(Number(isNegated)).replace(/\[[^\]]{1,99}\]/g, '?')
  const whole = inFolder('', glob)
  const plain = whole.endsWith('/**') ? whole.slice(0, -'/**'.length) : whole
  if (plain === '') return []
  const [literal = ''] = `/${plain}`
    .replaceAll('?', '*')
    .split('*')
    .sort((a, b) => b.length - a.length)
  return [{ tokens: globTokens(inFolder(base, plain)), literal, isNegated, isFolder }]
}

const MAX_RULES = 1000
const MAX_LENGTH = 500
const MAX_CHOICES = 50

/** The reason of the first hiding that covers a path itself; folders above it are asked for on their own. */
export function hiddenBy(hidings: readonly Hiding[], path: string, isFolder: boolean): Reason | undefined {
  const covering = hidings.find(({ rules }) => {
    const last = rules.findLast(rule => covers(rule, path, isFolder))
    return last?.isNegated === false
  })
  return covering && pick(covering, ['reason', 'detail'])
}

function covers({ tokens, literal, isFolder: needsFolder }: Rule, path: string, isFolder: boolean): boolean {
  return isFolder >= needsFolder && `/${path}`.includes(literal) && isCovered(path, tokens, { isFolder: false })
}
