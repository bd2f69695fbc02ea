import type { AnyNode, Program } from 'acorn'
import { field, isObject, listIn } from '#platform/base/object.ts'
import { wordTable } from '#platform/base/text.ts'
import type { Budget } from '../json/budget.ts'
import { parseModule, type ScriptKind } from '../json/expression.ts'
import { writeElement } from './elements.ts'
import { type Callable, isCallable, type Reader, readExpression } from './expressions.ts'
import { markup, markupOf, shownHtml } from './markup.ts'
import { readComponent } from './plain-markup.ts'
import { declare, innerScope, lookUp, once, type Scope } from './scope.ts'

/** A file with a program: what other files import from it, what it shows by itself, and the paths that it imports. */
export type Component = { exported: (name: string) => unknown; show: () => string; imports: string[] }

/** Gives what a file imports by its path and name, such as `default`. */
export type Load = (path: string, name: string) => unknown

/**
 * Opens a module or component, by its format, to show its markup as HTML with the values that it knows, without running
 * it.
 *
 * @throws {SyntaxError} if it cannot be parsed
 */
export function openComponent(source: string, format: string, load: Load, budget: Budget, partName: string): Component {
  const kind = KINDS.get(format)
  const { script, markup: shown } = kind ? { script: source, markup: '' } : readComponent(source, format)
  const program = parseModule(script, kind ?? 'ts')
  const reader: Reader = { budget, depth: 0, element: (node, scope) => writeElement(node, scope, reader) }
  const names = moduleScope(program, load, reader)
  if (kind === undefined) {
    const template = templateIn(shown)
    const component: Callable = ([props]) => {
      const own = isObject(props) ? props : {}
      const scope = moduleScope(program, load, reader, { Astro: { props: own }, $props: () => own, ...own })
      return markup(shownHtml(readExpression(template, scope, reader)))
    }
    names.own.set('default', () => component)
  }
  const stars = program.body.filter(({ type }) => type === 'ExportAllDeclaration').map(pathOf)
  return {
    exported: name => marked(lookUp(names, name) ?? stars.map(path => load(path, name)).find(Boolean), partName),
    show: () => shownIn(program, names, reader),
    imports: program.body.map(pathOf).filter(Boolean),
  }
}

/** The path of an import or of an export of another file; empty for other statements. */
function pathOf(statement: AnyNode): string {
  return `${field(field(statement, 'source'), 'value') ?? ''}`
}

/**
 * A component whose HTML is between comments with its name: `part` if it is the same wherever it is shown, without texts
 * from outside, else `use`.
 */
function marked(value: unknown, name: string): unknown {
  if (!isCallable(value)) return value
  return (given: readonly unknown[]) => {
    const shown = value(given)
    const html = markupOf(shown)
    if (html === undefined) return shown
    const isWhole = Object.values(given[0] ?? {}).every(prop => shownHtml(prop) === '')
    return markup(`<!--${isWhole ? 'part' : 'use'} ${name}-->${html}<!--end-->`)
  }
}

const KINDS: ReadonlyMap<string, ScriptKind> = wordTable<ScriptKind>([
  ['js', 'js cjs mjs jsx'],
  ['ts', 'ts cts mts'],
  ['tsx', 'tsx'],
])

/** The names that a module declares and imports. Its props replace their defaults. */
function moduleScope(program: Program, load: Load, reader: Reader, props: Record<string, unknown> = {}): Scope {
  const imported = innerScope()
  const scope = innerScope(imported)
  for (const statement of program.body) {
    const path = pathOf(statement)
    for (const { local, name } of path === '' ? [] : importedNames(statement))
      imported.own.set(
        local,
        once(() => load(path, name)),
      )
    declare(statement, scope, (node, own) => readExpression(node, own, reader))
  }
  for (const [name, value] of Object.entries(props)) scope.own.set(name, () => value)
  return scope
}

/** The names of an import, or of an export of another file, here and there. */
function importedNames(statement: AnyNode): { local: string; name: string }[] {
  const specifiers = listIn(field(statement, 'specifiers')).filter(isObject)
  return specifiers.map(specifier => {
    const { type, local, imported = local, exported = local } = specifier
    const isDefault = type === 'ImportDefaultSpecifier'
    return { local: `${field(exported, 'name')}`, name: isDefault ? 'default' : `${field(imported, 'name')}` }
  })
}

function templateIn(markup: string): AnyNode {
  const [statement] = parseModule(`(${markup})`, 'tsx').body
  return statement?.type === 'ExpressionStatement' ? statement.expression : parseModule('0', 'js')
}

/** What a file shows by itself: its default component, else what it draws, and its components that no other one uses. */
function shownIn(program: Program, names: Scope, reader: Reader): string {
  const own = lookUp(names, 'default')
  if (isCallable(own) || markupOf(own) !== undefined) return shownHtml(isCallable(own) ? own([{}]) : own)
  const drawn = program.body.flatMap(statement =>
    statement.type === 'ExpressionStatement' && statement.expression.type === 'CallExpression'
      ? statement.expression.arguments.map(argument => readExpression(argument, names, reader))
      : [],
  )
  const components = [...names.own].filter(([name]) => /^[A-Z]/.test(name)).map(([, get]) => get())
  return [
    ...drawn.filter(value => markupOf(value) !== undefined),
    ...components.filter(isCallable).map(component => component([{}])),
  ]
    .map(shownHtml)
    .join('')
}
