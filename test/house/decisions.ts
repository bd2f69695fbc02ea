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
