import { type AnyNode, type CallExpression, parse } from 'acorn'
import { isObject, listIn } from '#platform/base/object.ts'

/**
 * What a module in JavaScript or TypeScript says without running it: the object that it exports, or the values that it names, with all that it calls
 * by name under `CALLS`. Unknown parts are absent; of a condition, both lists.
 *
 * @throws if it is no module
 */
export function moduleValue(text: string, isTyped: boolean): unknown {
  const source = isTyped ? withoutTypes(text) : text
  const { body } = parse(source, { ecmaVersion: 'latest', sourceType: 'module', allowReturnOutsideFunction: true })
  const names: Names = { values: new Map(), budget: { left: MAX_PARTS } }
  let exported: AnyNode | undefined
  for (const node of body) {
    declare(node, names)
    if (node.type === 'ExportDefaultDeclaration') exported = node.declaration
    if (node.type === 'ExpressionStatement' && node.expression.type === 'AssignmentExpression') {
      const { left, right } = node.expression
      if (/^(?:module\.)?exports$/.test(source.slice(left.start, left.end))) exported = right
    }
  }
  const calls = callsIn(body, source, names)
  const named = () => Object.fromEntries([...names.values].map(([name, node]) => [name, evaluate(node, names, 0)]))
  const value = exported ? evaluate(exported, names, 0) : named()
  return { ...(isObject(value) ? value : { [ITEMS]: value }), [CALLS]: calls }
}

/** The key of the texts that a module gives to functions, by the names of these. */
export const CALLS = '@calls'
/** The key of a list that a module exports. */
export const ITEMS = '@items'

/** The values of names, and how many more parts may be read, since names can repeat each other. */
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

function evaluate(node: AnyNode | null, names: Names, depth: number): unknown {
  if (node === null || depth > MAX_DEPTH || names.budget.left-- <= 0) return undefined
  const inner = (child: AnyNode | null) => evaluate(child, names, depth + 1)
  switch (node.type) {
    case 'Literal':
      return node.value instanceof RegExp || typeof node.value === 'bigint' ? undefined : node.value
    case 'TemplateLiteral':
      return node.quasis
        .map(({ value }, at) => `${value.cooked ?? ''}${asText(inner(node.expressions[at] ?? null))}`)
        .join('')
    case 'BinaryExpression':
      return node.operator === '+' ? asText(inner(node.left)) + asText(inner(node.right)) : undefined
    case 'Identifier':
      return inner(names.values.get(node.name) ?? null)
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

type Inner = (child: AnyNode | null) => unknown

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

/** The first object among what a function gets, or the path that it joins of texts; of one that is called again, both. */
function calledValue(given: readonly AnyNode[], callee: AnyNode, inner: Inner): unknown {
  const values = given.map(inner)
  const first = callee.type === 'CallExpression' ? inner(callee) : undefined
  const object = values.find(value => isObject(value) || Array.isArray(value))
  if (isObject(first) && isObject(object)) return { ...first, ...object }
  const texts = values.filter(value => typeof value === 'string')
  return object ?? first ?? (texts.length > 0 ? texts.join('/') : undefined)
}

/** What a function gives back, with the names that it declares. */
function returnValue(body: AnyNode, names: Names, depth: number): unknown {
  if (body.type !== 'BlockStatement') return evaluate(body, names, depth)
  const inside: Names = { ...names, values: new Map(names.values) }
  for (const node of body.body) declare(node, inside)
  const last = body.body.findLast(node => node.type === 'ReturnStatement')
  return last?.type === 'ReturnStatement' ? evaluate(last.argument ?? null, inside, depth) : undefined
}

/** The texts that functions get anywhere in a module, such as `ignores.add`. */
function callsIn(body: readonly AnyNode[], source: string, names: Names): Record<string, string[]> {
  const found = new Map<string, string[]>()
  const waiting: unknown[] = [...body]
  for (const node of waiting) {
    if (!isObject(node)) continue
    for (const value of Object.values(node)) if (typeof value === 'object') waiting.push(...[value].flat())
    if (!isCall(node)) continue
    const name = source.slice(node.callee.start, node.callee.end).split('.').slice(-2).join('.')
    const texts = node.arguments.map(each => evaluate(each, names, 0)).filter(value => typeof value === 'string')
    if (texts.length > 0 && name.length < 50) found.set(name, [...(found.get(name) ?? []), ...texts])
  }
  return Object.fromEntries(found)
}

function isCall(node: object): node is CallExpression {
  return 'type' in node && node.type === 'CallExpression'
}
