import type { AnyNode, CallExpression } from 'acorn'
import { isObject } from '#platform/base/object.ts'
import { wordSet } from '#platform/base/text.ts'
import {
  declarationsIn,
  evaluate,
  type Inner,
  MAX_PARTS,
  type Meanings,
  parseModule,
  type ScriptKind,
} from './expression.ts'

/**
 * Reads a module in JavaScript or TypeScript, such as the configuration of a site generator, without running it: the
 * object that it exports, or else the values of all its names; in both cases with the strings in its calls under `CALLS`.
 * A list that it exports is in `ITEMS`. Unknown parts are absent. If a condition decides between two lists, the value has
 * the items of both.
 *
 * @throws if it is no module
 */
export function moduleValue(source: string, kind: ScriptKind): unknown {
  const { body } = parseModule(source, kind)
  const names = new Map(body.flatMap(declarationsIn))
  // All values share one budget, since names can repeat each other.
  const [meanings, budget] = [meaningsOf(names), { left: MAX_PARTS }]
  const valueIn = (node: AnyNode) => evaluate(node, meanings, budget).value
  const calls = callsIn(body, source, valueIn)
  const [exported] = body.flatMap(node => exportedIn(node, source)).slice(-1)
  // A component returns elements, whose value is unknown.
  const value =
    (exported && valueIn(exported)) ?? Object.fromEntries([...names].map(([name, node]) => [name, valueIn(node)]))
  return { ...(isObject(value) ? value : { [ITEMS]: value }), [CALLS]: calls }
}

/** What a statement exports: `export default …` or `module.exports = …`. */
function exportedIn(node: AnyNode, source: string): AnyNode[] {
  if (node.type === 'ExportDefaultDeclaration') return [node.declaration]
  const assigned = node.type === 'ExpressionStatement' ? node.expression : node
  if (assigned.type !== 'AssignmentExpression') return []
  return EXPORTS.has(source.slice(assigned.left.start, assigned.left.end)) ? [assigned.right] : []
}

const EXPORTS = wordSet('exports module.exports')

/**
 * The key of the strings that a module gives to functions, by the names of these: `{ 'ignores.add': ['README.md'] }`.
 */
export const CALLS = '@calls'
/** The key of a list that a module exports. */
export const ITEMS = '@items'

/** The meanings of names in a module, and of conditions, calls and functions; a function stands for what it returns. */
function meaningsOf(names: ReadonlyMap<string, AnyNode>): Meanings {
  return (node, inner) => {
    switch (node.type) {
      case 'Identifier':
        return inner(names.get(node.name) ?? null)
      case 'BinaryExpression':
        return node.operator === '+' ? textsIn([inner(node.left), inner(node.right)]).join('') : undefined
      case 'ConditionalExpression':
        return either(inner(node.consequent), inner(node.alternate))
      case 'LogicalExpression':
        return either(inner(node.left), inner(node.right))
      case 'AwaitExpression':
        return inner(node.argument)
      case 'CallExpression':
        return calledValue(node, inner)
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return returnValue(node.body, names, inner)
      default:
        return undefined
    }
  }
}

function textsIn(values: readonly unknown[]): string[] {
  return values.filter(value => typeof value === 'string')
}

/** A value that depends on a condition: all items of both lists, else the first that is known. */
function either(a: unknown, b: unknown): unknown {
  return Array.isArray(a) && Array.isArray(b) ? [...a, ...b] : (a ?? b)
}

/**
 * The probable result of a call, by its arguments: the first object or list (`defineConfig({ … })`), or else the strings
 * as a path (`path.join(__dirname, 'docs')`). `withNextra({ … })({ … })` calls the result of a call: it has the fields of
 * both.
 */
function calledValue({ callee, arguments: given }: CallExpression, inner: Inner): unknown {
  const values = given.map(argument => inner(argument))
  const calleeValue = callee.type === 'CallExpression' ? inner(callee) : undefined
  const argument = values.find(value => isObject(value) || Array.isArray(value))
  if (isObject(calleeValue) && isObject(argument)) return { ...calleeValue, ...argument }
  const texts = textsIn(values)
  return argument ?? calleeValue ?? (texts.length > 0 ? texts.join('/') : undefined)
}

/** The value of the last `return` of a function, with the names that it declares. */
function returnValue(body: AnyNode, names: ReadonlyMap<string, AnyNode>, inner: Inner): unknown {
  if (body.type !== 'BlockStatement') return inner(body)
  const own = meaningsOf(new Map([...names, ...body.body.flatMap(declarationsIn)]))
  const [last = null] = body.body
    .flatMap(node => (node.type === 'ReturnStatement' ? (node.argument ?? []) : []))
    .slice(-1)
  return inner(last, own)
}

/** The strings that functions get anywhere in a module, by the last two words of their names, such as `ignores.add`. */
function callsIn(
  body: readonly AnyNode[],
  source: string,
  valueIn: (node: AnyNode) => unknown,
): Record<string, string[]> {
  // The list grows while it is read, until it has all nodes.
  const nodes: object[] = [...body]
  for (const node of nodes) nodes.push(...Object.values(node).flat().filter(isObject))
  const texts = nodes.filter(isCall).flatMap(({ callee, arguments: given }) => {
    const name = source.slice(callee.start, callee.end).split('.').slice(-2).join('.')
    return textsIn(given.map(valueIn)).map(text => ({ name, text }))
  })
  const named = Map.groupBy(texts, ({ name }) => name)
  const calls = Array.from(named, ([name, own]) => [name, own.map(({ text }) => text)] as const)
  return Object.fromEntries(calls.filter(([name]) => name.length < MAX_NAME))
}

/** A longer callee is an expression, not a name. */
const MAX_NAME = 50

function isCall(node: object): node is CallExpression {
  return 'type' in node && node.type === 'CallExpression'
}
