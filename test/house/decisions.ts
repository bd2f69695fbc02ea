import { stripTypeScriptTypes } from 'node:module'
import { parse } from 'acorn'
import { isObject } from '#platform/base/object.ts'
import type { Source } from './modules.ts'

/** How many lines of code a file has, and how many decisions: places at which the program goes one way or another. */
export type Density = { path: string; lines: number; decisions: number }

/**
 * Counts the decisions of a file: each condition, loop, case, catch, choice of a value and alternative of a pattern.
 * Lines of code can be packed, decisions cannot.
 */
export function densityOf({ path, text }: Source): Density {
  const lines = text.split('\n').filter(line => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line)).length
  return { path, lines, decisions: decisionsIn(syntaxOf(text)) }
}

/** Decisions in 100 lines. */
export function rateOf({ lines, decisions }: Density): number {
  return (decisions / lines) * 100
}

/** A reader stops where more is decided in each line. */
const MAX_RATE = 55
/** The lines of code that a rate needs. */
const MIN_LINES = 20

/** Grammars and tables of cases are few. */
const MAX_DENSE_FILES = 12

/** Files that are denser than others may be, each with what it is. */
const DENSE_FILES: Readonly<Record<string, string>> = {
  'src/brand/glob.ts': 'a grammar of globs',
  'src/formats/markdown/link-syntax.ts': 'a grammar of links',
  'src/platform/settings/git-source.ts': 'a grammar of the addresses of git',
  'src/site/markdown/composition.ts': 'a grammar of layout comments',
  'src/site/thumbnails/drawable-svg.ts': 'a grammar of drawings',
}

/** Files that are too dense and not listed, listed ones that no longer are, and a list that is too long. */
export function findDense(sources: readonly Source[]): string[] {
  const dense = new Set(
    densestOf(sources.map(densityOf))
      .filter(density => rateOf(density) > MAX_RATE)
      .map(({ path }) => path),
  )
  const listed = new Set(Object.keys(DENSE_FILES))
  const tooMany = `DENSE_FILES has ${listed.size} files, more than ${MAX_DENSE_FILES}`
  return [
    ...(listed.size > MAX_DENSE_FILES ? [tooMany] : []),
    ...[...dense.difference(listed)].map(path => `${path} decides too much in each line`),
    ...[...listed.difference(dense)].map(path => `${path} is no longer dense: remove it from DENSE_FILES`),
  ]
}

/** The files that are long enough to be compared, the densest first. */
export function densestOf(densities: readonly Density[]): Density[] {
  return densities.filter(({ lines }) => lines > MIN_LINES).sort((a, b) => rateOf(b) - rateOf(a))
}

/** The decisions in 100 lines that half of the files have at most. */
export function medianOf(densities: readonly Density[]): number {
  const densest = densestOf(densities)
  const middle = densest[densest.length >> 1]
  return middle ? rateOf(middle) : 0
}

export function sumOf(densities: readonly Density[]): number {
  return densities.reduce((sum, { decisions }) => sum + decisions, 0)
}

const CHOICES: ReadonlySet<unknown> = new Set(
  [
    'IfStatement ConditionalExpression LogicalExpression ForStatement ForInStatement ForOfStatement',
    'WhileStatement DoWhileStatement CatchClause',
  ].flatMap(list => list.split(' ')),
)

function decisionsIn(node: unknown): number {
  if (Array.isArray(node)) return node.reduce((sum: number, each) => sum + decisionsIn(each), 0)
  if (!isObject(node) || typeof node.type !== 'string') return 0
  const inside = Object.values(node).reduce((sum: number, each) => sum + decisionsIn(each), 0)
  return inside + (isChoice(node) ? 1 : 0) + alternativesIn(node)
}

function isChoice({ type, test, operator, optional }: Readonly<Record<string, unknown>>): boolean {
  const isCase = type === 'SwitchCase' && Boolean(test)
  const isAssignment = type === 'AssignmentExpression' && /^(?:\?\?|\|\||&&)=$/.test(`${operator}`)
  return CHOICES.has(type) || optional === true || isCase || isAssignment
}

/** The alternatives of a pattern; those of a pattern that is made at run time are unknown, and count as one. */
function alternativesIn({ type, regex, callee }: Readonly<Record<string, unknown>>): number {
  if (isObject(regex))
    return `${regex.pattern}`
      .replaceAll(/\\./gs, '')
      .replaceAll(/\[[^\]]*\]/g, '')
      .split('|').length
  return type === 'NewExpression' && isObject(callee) && callee.name === 'RegExp' ? 1 : 0
}

/** The syntax tree of TypeScript. Types are replaced by blanks, so that lines stay. */
function syntaxOf(text: string): unknown {
  const code = stripTypeScriptTypes(text).replaceAll(/\b(?:await )?using\b(?= \w+ =)/g, word =>
    'const'.padEnd(word.length),
  )
  return parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
}
