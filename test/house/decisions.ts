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

/** Files that are denser than others may be. What is decided in them twice is to be decided once, or by a table. */
const DENSE_FILES: ReadonlySet<string> = new Set([
  'src/formats/html/word.ts',
  'src/formats/json/module-value.ts',
  'src/formats/markdown/mdx-syntax.ts',
  'src/formats/font/font-names.ts',
  'src/formats/css/parse-css.ts',
  'src/formats/markdown/heading-ids.ts',
  'src/formats/markdown/character-reference.ts',
  'src/formats/markdown/link-syntax.ts',
  'src/formats/markdown/template-tags.ts',
  'src/formats/css/css-color.ts',
  'src/intake/yaml/dashes.ts',
  'src/people/editor/edit/form-changes.ts',
  'src/people/editor/edit/form-parts.ts',
  'src/people/editor/source/yaml-nodes.ts',
  'src/platform/settings/git-source.ts',
  'src/serving/usage.ts',
  'src/site/guide/dominant-colors.ts',
  'src/site/guide/picture-look.ts',
  'src/site/markdown/composition.ts',
  'src/site/markdown/forms/code-blocks.ts',
  'src/site/pages/cover.ts',
  'src/site/thumbnails/drawable-svg.ts',
])

/** Files that are too dense and not listed, and listed ones that no longer are. */
export function findDense(sources: readonly Source[]): string[] {
  const dense = new Set(
    sources
      .map(densityOf)
      .filter(density => density.lines > MIN_LINES && rateOf(density) > MAX_RATE)
      .map(({ path }) => path),
  )
  return [
    ...[...dense.difference(DENSE_FILES)].map(path => `${path} decides too much in each line`),
    ...[...DENSE_FILES.difference(dense)].map(path => `${path} is no longer dense: remove it from DENSE_FILES`),
  ]
}

const CHOICES: ReadonlySet<unknown> = new Set([
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'CatchClause',
])

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
  if (isObject(regex)) return `${regex.pattern}`.replaceAll(/\\.|\[[^\]]*\]/gs, '').split('|').length
  return type === 'NewExpression' && isObject(callee) && callee.name === 'RegExp' ? 1 : 0
}

/** The syntax tree of TypeScript. Types are replaced by blanks, so that lines stay. */
function syntaxOf(text: string): unknown {
  const code = stripTypeScriptTypes(text).replaceAll(/\b(?:await )?using\b(?= \w+ =)/g, word =>
    'const'.padEnd(word.length),
  )
  return parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
}
