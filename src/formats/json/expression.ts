import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type AnyNode, Parser, type Program } from 'acorn'
import jsx from 'acorn-jsx'
import { isObject, listIn } from '#platform/base/object.ts'
import { wordSet } from '#platform/base/text.ts'
import { type Budget, spend } from './budget.ts'

/** The parser of JavaScript with the elements of JSX. */
export const JavaScript = Parser.extend(jsx())

/** The languages of modules. */
export type ScriptKind = 'js' | 'ts' | 'tsx'

const PARSERS = {
  js: JavaScript,
  ts: Parser.extend(tsPlugin()),
  tsx: Parser.extend(tsPlugin({ jsx: true })),
} as const

/** @throws {SyntaxError} if it is no module */
export function parseModule(text: string, kind: ScriptKind): Program {
  const options = { ecmaVersion: 'latest', sourceType: 'module', allowReturnOutsideFunction: true } as const
  return PARSERS[kind].parse(text, { ...options, locations: true })
}

/** The types of nodes of JSX, which `acorn` does not know. */
export const ELEMENTS = wordSet('JSXElement JSXFragment')

/** Gives the value of a part of an expression, by default with the same meanings. */
export type Inner = (part: AnyNode | null, meanings?: Meanings) => unknown

/** Gives the value of what is no literal, list or object, such as a name or a call; undefined if it is unknown. */
export type Meanings = (node: AnyNode, inner: Inner) => unknown

/**
 * The value of an expression without running it, and whether all of it is known. Unknown items of lists are undefined,
 * unknown fields of objects are absent, and unknown parts of texts are empty.
 */
export function evaluate(
  expression: AnyNode,
  given: Meanings,
  budget: Budget = { left: MAX_PARTS },
): { value: unknown; isWhole: boolean } {
  let unknown = 0
  const valueIn = (node: AnyNode | null, meanings: Meanings, depth: number): unknown => {
    const isRead = node !== null && depth <= MAX_DEPTH && spend(budget, 1)
    const value = isRead ? read(node, meanings, (part, own = meanings) => valueIn(part, own, depth + 1)) : undefined
    unknown += Number(value === undefined)
    return value
  }
  return { value: valueIn(expression, given, 0), isWhole: unknown === 0 }
}

/** The parts that one module may have, whose names can repeat each other. */
export const MAX_PARTS = 50_000
const MAX_DEPTH = 40

function read(node: AnyNode, meanings: Meanings, inner: Inner): unknown {
  switch (node.type) {
    case 'Literal':
      return node.regex || node.bigint ? undefined : node.value
    case 'TemplateLiteral': {
      const texts = [...node.expressions.map(part => asText(inner(part))), '']
      return node.quasis.map(({ value }, at) => `${value.cooked}${texts[at]}`).join('')
    }
    case 'ArrayExpression':
      return node.elements.flatMap(item =>
        item?.type === 'SpreadElement' ? listIn(inner(item.argument)) : [inner(item)],
      )
    case 'ObjectExpression':
      return objectOf(node.properties, inner)
    default:
      return isTyped(node) ? inner(node.expression) : meanings(node, inner)
  }
}

/** Whether a node is a value with a type: `… as const`, `… satisfies Config`, `…!`. */
function isTyped(node: { type: string }): node is { type: string; expression: AnyNode } {
  return TYPED.has(node.type)
}

const TYPED = wordSet('TSAsExpression TSSatisfiesExpression TSNonNullExpression TSTypeAssertion')

/** A value as a part of a text, which is empty if it is no text or number. */
function asText(value: unknown): string {
  return TEXTS.has(typeof value) ? `${value}` : ''
}

const TEXTS: ReadonlySet<string> = new Set(['string', 'number'])

/** The known fields of an object, also of objects that it spreads; methods are left out. */
function objectOf(properties: readonly AnyNode[], inner: Inner): Record<string, unknown> {
  const pairs = properties.flatMap((property): (readonly [string, unknown])[] => {
    if (property.type === 'SpreadElement') return entriesIn(inner(property.argument))
    if (property.type !== 'Property' || property.value.type === 'FunctionExpression') return []
    const { key, computed } = property
    const name = key.type === 'Identifier' && !computed ? key.name : asText(inner(key))
    return [[name, inner(property.value)]]
  })
  return Object.fromEntries(pairs.filter(([name, value]) => name !== '' && value !== undefined))
}

function entriesIn(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

/** The names that a statement declares, also if it exports them, with the functions or expressions that they stand for. */
export function declarationsIn(statement: AnyNode): (readonly [name: string, value: AnyNode])[] {
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration) return declarationsIn(statement.declaration)
  if (statement.type === 'FunctionDeclaration' && statement.id) return [[statement.id.name, statement]]
  const declared = statement.type === 'VariableDeclaration' ? statement.declarations : []
  return declared.flatMap(({ id, init }) => (id.type === 'Identifier' && init ? [[id.name, init]] : []))
}
