import { type AnyNode, type CallExpression, Parser } from 'acorn'
import jsx from 'acorn-jsx'
import { isObject, listIn } from '#platform/base/object.ts'

/**
 * Reads a module in JavaScript or TypeScript, such as the configuration of a site generator, without running it: the
 * object that it exports, or else the values of all its names; in both cases with the strings in its calls under `CALLS`.
 * A list that it exports is in `ITEMS`. Unknown parts are absent. If a condition decides between two lists, the value has
 * the items of both.
 *
 * @throws if it is no module
 */
export function moduleValue(text: string, isTyped: boolean): unknown {
  const source = isTyped ? withoutTypes(text) : text
  const { body } = MODULES.parse(source, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    allowReturnOutsideFunction: true,
  })
  const names: Names = { values: new Map(), budget: { left: MAX_PARTS } }
  let exported: AnyNode | undefined
  for (const node of body) {
    declare(node, names)
    if (node.type === 'ExportDefaultDeclaration') exported = node.declaration
    // module.exports = …
    if (node.type === 'ExpressionStatement' && node.expression.type === 'AssignmentExpression') {
      const { left, right } = node.expression
      if (/^(?:module\.)?exports$/.test(source.slice(left.start, left.end))) exported = right
    }
  }
  // The calls come first: they and the value share one budget.
  const calls = callsIn(body, source, names)
  const named = () => Object.fromEntries([...names.values].map(([name, node]) => [name, evaluate(node, names, 0)]))
  // A component returns elements, whose value is unknown.
  const value = (exported && evaluate(exported, names, 0)) ?? named()
  return { ...(isObject(value) ? value : { [ITEMS]: value }), [CALLS]: calls }
}

const MODULES = Parser.extend(jsx())

/**
 * The key of the strings that a module gives to functions, by the names of these: `{ 'ignores.add': ['README.md'] }`.
 */
export const CALLS = '@calls'
/** The key of a list that a module exports. */
export const ITEMS = '@items'

/** The nodes that names stand for, and how many more nodes may be read, since names can repeat each other. */
type Names = { values: Map<string, AnyNode>; budget: { left: number } }

const MAX_PARTS = 50_000

/** Replaces types by blanks, so that places stay. Strings keep words that look like types. */
function withoutTypes(text: string): string {
  return text.replace(STRING_OR_TYPE, part => (/^["']/.test(part) ? part : part.replace(/[^\n]/g, ' ')))
}

const STRING_OR_TYPE = new RegExp(
  [
    /(["'])(?:\\.|(?!\1)[^\\\n]){0,1000}\1/,
    // import type { Config } from 'x'
    /^import\s+type\b[^\n]*/,
    // import { type Config, make } from 'x'
    /\btype\s+(?=\w+\s*[,}])/,
    // const config: Config = …
    /(?<=\b(?:const|let)\s+\w{1,50})\s*:[^=\n]{1,1000}(?==)/,
    // (name: string) => …
    /(?<=\(\w{1,50})\s*:\s*[\w.]+(?=\s*\))/,
    // … as const, … satisfies Config<Name>[]
    /\s(?:satisfies|as)\s+(?:const\b|[\w$.]+(?:<[^<>\n]*>)?(?:\[\])*)(?=\s*[,;)}\]\n]|$)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)

/** Notes what a statement gives a name to: a function, or the values of `const`, `let` and `var`. */
function declare(node: AnyNode, names: Names): void {
  if (node.type === 'ExportNamedDeclaration' && node.declaration) {
    declare(node.declaration, names)
    return
  }
  if (node.type === 'FunctionDeclaration' && node.id) names.values.set(node.id.name, node)
  if (node.type !== 'VariableDeclaration') return
  for (const { id, init } of node.declarations) if (id.type === 'Identifier' && init) names.values.set(id.name, init)
}

const MAX_DEPTH = 40

/** The value of an expression, as far as it is known; undefined if it is not. A function stands for what it returns. */
function evaluate(node: AnyNode | null | undefined, names: Names, depth: number): unknown {
  if (!node || depth > MAX_DEPTH || names.budget.left <= 0) return undefined
  names.budget.left--
  const inner: Inner = child => evaluate(child, names, depth + 1)
  switch (node.type) {
    case 'Literal':
      return node.value instanceof RegExp || typeof node.value === 'bigint' ? undefined : node.value
    case 'TemplateLiteral':
      return node.quasis.map(({ value }, at) => `${value.cooked}${asText(inner(node.expressions[at]))}`).join('')
    case 'BinaryExpression':
      return node.operator === '+' ? asText(inner(node.left)) + asText(inner(node.right)) : undefined
    case 'Identifier':
      return inner(names.values.get(node.name))
    case 'ArrayExpression':
      return node.elements.flatMap(each =>
        each?.type === 'SpreadElement' ? listOf(inner(each.argument)) : [inner(each)],
      )
    case 'ObjectExpression':
      return objectOf(node.properties, inner)
    case 'ConditionalExpression':
      return either(inner(node.consequent), inner(node.alternate))
    case 'LogicalExpression':
      return either(inner(node.left), inner(node.right))
    case 'AwaitExpression':
      return inner(node.argument)
    case 'CallExpression':
      return calledValue(node.arguments, node.callee, inner)
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return returnValue(node.body, names, depth + 1)
    default:
      return undefined
  }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): unknown[] => listIn(value)

/** A value that depends on a condition: all items of both lists, else the first that is known. */
function either(a: unknown, b: unknown): unknown {
  return Array.isArray(a) && Array.isArray(b) ? [...a, ...b] : (a ?? b)
}

/** Gives the value of a part of an expression. */
type Inner = (child: AnyNode | null | undefined) => unknown

/** The known fields of an object, also of objects that it spreads; methods are left out. */
function objectOf(properties: readonly AnyNode[], inner: Inner): Record<string, unknown> {
  const pairs = properties.flatMap((property): (readonly [string, unknown])[] => {
    if (property.type === 'SpreadElement') {
      const value = inner(property.argument)
      return isObject(value) ? Object.entries(value) : []
    }
    if (property.type !== 'Property' || property.value.type === 'FunctionExpression') return []
    const { key, computed } = property
    const name = key.type === 'Identifier' && !computed ? key.name : inner(key)
    return typeof name === 'string' || typeof name === 'number' ? [[String(name), inner(property.value)]] : []
  })
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined))
}

/**
 * The probable result of a call, by its arguments: the first object or list (`defineConfig({ … })`), or else the strings
 * as a path (`path.join(__dirname, 'docs')`). `withNextra({ … })({ … })` calls the result of a call: it has the fields of
 * both.
 */
function calledValue(args: readonly AnyNode[], callee: AnyNode, inner: Inner): unknown {
  const values = args.map(inner)
  const calleeValue = callee.type === 'CallExpression' ? inner(callee) : undefined
  const argument = values.find(value => isObject(value) || Array.isArray(value))
  if (isObject(calleeValue) && isObject(argument)) return { ...calleeValue, ...argument }
  const texts = values.filter(value => typeof value === 'string')
  return argument ?? calleeValue ?? (texts.length > 0 ? texts.join('/') : undefined)
}

/** The value of the last `return` of a function, with the names that it declares. */
function returnValue(body: AnyNode, names: Names, depth: number): unknown {
  if (body.type !== 'BlockStatement') return evaluate(body, names, depth)
  const inside: Names = { ...names, values: new Map(names.values) }
  for (const node of body.body) declare(node, inside)
  const last = body.body.findLast(node => node.type === 'ReturnStatement')
  return last?.type === 'ReturnStatement' ? evaluate(last.argument, inside, depth) : undefined
}

/** The strings that functions get anywhere in a module, by the last two words of their names, such as `ignores.add`. */
function callsIn(body: readonly AnyNode[], source: string, names: Names): Record<string, string[]> {
  const calls = new Map<string, string[]>()
  // The list grows while it is read, until it has all nodes.
  const nodes: unknown[] = [...body]
  for (const node of nodes) {
    if (!isObject(node)) continue
    for (const value of Object.values(node)) if (typeof value === 'object') nodes.push(...[value].flat())
    if (!isCall(node)) continue
    const name = source.slice(node.callee.start, node.callee.end).split('.').slice(-2).join('.')
    const texts = node.arguments.map(each => evaluate(each, names, 0)).filter(value => typeof value === 'string')
    if (texts.length > 0 && name.length < MAX_NAME) calls.set(name, [...(calls.get(name) ?? []), ...texts])
  }
  return Object.fromEntries(calls)
}

/** A longer callee is an expression, not a name. */
const MAX_NAME = 50

function isCall(node: object): node is CallExpression {
  return 'type' in node && node.type === 'CallExpression'
}
