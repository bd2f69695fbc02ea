import type { AnyNode, CallExpression, FunctionDeclaration } from 'acorn'
import { isObject, listIn } from '#platform/base/object.ts'
import { type Budget, spend } from '../json/budget.ts'
import { ELEMENTS, evaluate, type Inner, type Meanings } from '../json/expression.ts'
import { type Markup, markupOf } from './markup.ts'
import { bind, declare, innerScope, lookUp, memberOf, type Scope } from './scope.ts'

/** What the readers of a component share: the work left, and how elements become markup. */
export type Reader = { budget: Budget; depth: number; element: (node: AnyNode, scope: Scope) => Markup }

/** A function of a component, which is a component if it gives markup. */
export type Callable = (given: readonly unknown[]) => unknown

export function isCallable(value: unknown): value is Callable {
  return typeof value === 'function'
}

/** The value of an expression in a component without running it; undefined if it is unknown. */
export function readExpression(node: AnyNode, scope: Scope, reader: Reader): unknown {
  return evaluate(node, meaningsIn(scope, reader), reader.budget).value
}

function meaningsIn(scope: Scope, reader: Reader): Meanings {
  return (node, inner) => {
    switch (node.type) {
      case 'Identifier':
        return paid(lookUp(scope, node.name), reader)
      case 'MemberExpression':
        return memberOf(inner(node.object), node.computed ? `${inner(node.property)}` : nameOf(node.property))
      case 'ChainExpression':
        return inner(node.expression)
      case 'AwaitExpression':
        return inner(node.argument)
      case 'UnaryExpression':
        return node.operator === '!' ? negated(inner(node.argument)) : undefined
      case 'BinaryExpression':
        return paid(OPERATORS.get(node.operator)?.(inner(node.left), inner(node.right)), reader)
      case 'LogicalExpression':
        return logicalValue(node.operator, inner(node.left), () => inner(node.right))
      case 'ConditionalExpression':
        return chosen(
          inner(node.test),
          () => inner(node.consequent),
          () => inner(node.alternate),
        )
      case 'CallExpression':
        return calledValue(node, inner)
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return functionIn(node, scope, reader)
      default:
        return ELEMENTS.has(node.type) ? reader.element(node, scope) : undefined
    }
  }
}

/** A value whose copies cost as much as it has: a short text can expand to more than fits into memory. */
function paid(value: unknown, { budget }: Reader): unknown {
  const size = typeof value === 'string' || Array.isArray(value) ? value.length : 0
  return spend(budget, size / 50) ? value : undefined
}

function nameOf(node: AnyNode): string {
  return node.type === 'Identifier' ? node.name : ''
}

function negated(value: unknown): boolean | undefined {
  return value === undefined ? undefined : !value
}

/** Operators of values that are all known. */
const OPERATORS = new Map<string, (a: unknown, b: unknown) => unknown>([
  ['+', (a, b) => (typeof a === 'number' && typeof b === 'number' ? a + b : `${textOf(a)}${textOf(b)}`)],
  ['===', (a, b) => (a === undefined || b === undefined ? undefined : a === b)],
  ['<', (a, b) => (typeof a === 'number' && typeof b === 'number' ? a < b : undefined)],
  ['>', (a, b) => (typeof a === 'number' && typeof b === 'number' ? a > b : undefined)],
  ['!==', (a, b) => (a === undefined || b === undefined ? undefined : a !== b)],
])

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
}

/** Unknown conditions are those of a state, which readers can change: what they show is shown. */
function logicalValue(operator: string, left: unknown, right: () => unknown): unknown {
  if (operator === '&&') return left === undefined || left ? right() : undefined
  return left || right()
}

function chosen(test: unknown, consequent: () => unknown, alternate: () => unknown): unknown {
  if (test !== undefined) return test ? consequent() : alternate()
  const [first, second] = [consequent(), alternate()]
  return markupOf(first) && markupOf(second) ? [first, second] : (second ?? first)
}

/** The result of a call of a known function, of a method of lists and texts, or of a function that wraps another one. */
function calledValue({ callee, arguments: given }: CallExpression, inner: Inner): unknown {
  const args = given.map(argument => inner(argument))
  if (callee.type === 'MemberExpression') {
    const method = METHODS.get(nameOf(callee.property))
    const owner = nameOf(callee.object) === 'Object' ? args[0] : inner(callee.object)
    if (method) return method(owner, args)
  }
  const blocks = BLOCKS.get(nameOf(callee))
  if (blocks) return blocks(args[0], args.slice(1))
  const called = inner(callee)
  if (isCallable(called)) return called(args)
  return markupOf(called) ? called : args.find(isCallable)
}

type Method = (owner: unknown, args: readonly unknown[]) => unknown

/** Each result of a function for an item of a list; what it shows of an unknown one, once. */
function eachOf(list: unknown, [make]: readonly unknown[]): unknown {
  if (!isCallable(make)) return undefined
  return Array.isArray(list) ? list.map((item, at) => make([item, at])) : [make([])]
}

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['map', eachOf],
  ['flatMap', (list, args) => listIn(eachOf(list, args)).flat()],
  ['filter', (list, [test]) => listIn(list).filter((item, at) => !isCallable(test) || (test([item, at]) ?? true))],
  [
    'slice',
    (list, [from, to]) =>
      Array.isArray(list) ? list.slice(Number(from ?? 0), to === undefined ? undefined : Number(to)) : list,
  ],
  ['sort', list => list],
  ['toSorted', list => list],
  ['join', (list, [sign]) => listIn(list).map(textOf).join(textOf(sign))],
  ['entries', object => (isObject(object) ? Object.entries(object) : undefined)],
  ['values', object => (isObject(object) ? Object.values(object) : undefined)],
  ['keys', object => (isObject(object) ? Object.keys(object) : undefined)],
  ['toUpperCase', text => textOf(text).toUpperCase()],
  ['toLowerCase', text => textOf(text).toLowerCase()],
  ['trim', text => textOf(text).trim()],
  ['toString', text => textOf(text)],
  ['padStart', (text, [length, sign]) => textOf(text).padStart(Math.min(Number(length), 20), textOf(sign))],
])

/** The calls that blocks of templates are written as. */
const BLOCKS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['$each', eachOf],
  ['$if', (first, others) => branchOf([first, ...others])],
  ['String', text => textOf(text)],
])

/** The first part whose condition holds; those with an unknown one stand with it. */
function branchOf([test, part, ...others]: readonly unknown[]): unknown[] {
  const own = test === undefined || test ? [part] : []
  const isLast = others.length === 0 || (test !== undefined && test)
  return isLast ? own : [...own, ...branchOf(others)]
}

type FunctionNode = Extract<AnyNode, { params: unknown; body: unknown }>

function functionIn(node: FunctionNode | FunctionDeclaration, outer: Scope, reader: Reader): Callable {
  const read = (part: AnyNode, scope: Scope) => readExpression(part, scope, reader)
  return given => {
    if (reader.depth > MAX_DEPTH || !spend(reader.budget, 1)) return undefined
    reader.depth += 1
    const scope = innerScope(outer)
    for (const [at, parameter] of node.params.entries()) bind(parameter, () => given[at], scope, read)
    const value = node.body.type === 'BlockStatement' ? returned(node.body.body, scope, read) : read(node.body, scope)
    reader.depth -= 1
    return value
  }
}

const MAX_DEPTH = 60

/** What statements return: that of the first condition that holds, else the last one. */
function returned(
  statements: readonly AnyNode[],
  scope: Scope,
  read: (part: AnyNode, scope: Scope) => unknown,
): unknown {
  for (const statement of statements) declare(statement, scope, read)
  for (const statement of statements) {
    if (statement.type === 'ReturnStatement') return statement.argument ? read(statement.argument, scope) : undefined
    if (statement.type !== 'IfStatement' || !read(statement.test, scope)) continue
    const { consequent } = statement
    const value = returned(
      consequent.type === 'BlockStatement' ? consequent.body : [consequent],
      innerScope(scope),
      read,
    )
    if (value !== undefined) return value
  }
  return undefined
}
