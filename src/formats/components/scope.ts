import type { AnyNode, Pattern } from 'acorn'
import { field, isObject, listIn } from '#platform/base/object.ts'

/** The values of names, which are read when they are first used, and those around them. */
export type Scope = { own: Map<string, () => unknown>; outer?: Scope | undefined }

/** Reads the value of an expression with the names of a scope. */
export type Read = (node: AnyNode, scope: Scope) => unknown

export function innerScope(outer?: Scope): Scope {
  return { own: new Map(), outer }
}

export function lookUp(scope: Scope, name: string): unknown {
  const get = scope.own.get(name)
  if (get) return get()
  return scope.outer && lookUp(scope.outer, name)
}

/** A value that is read once; undefined while it is read, so that values that need themselves end. */
export function once(read: () => unknown): () => unknown {
  let value: unknown
  let isRead = false
  return () => {
    if (isRead) return value
    isRead = true
    value = read()
    return value
  }
}

/** Gives the names of a pattern their parts of a value: `{ title, size = 'small', ...rest }`. */
export function bind(pattern: Pattern, get: () => unknown, scope: Scope, read: Read): void {
  switch (pattern.type) {
    case 'Identifier':
      scope.own.set(pattern.name, get)
      break
    case 'AssignmentPattern':
      bind(
        pattern.left,
        once(() => get() ?? read(pattern.right, scope)),
        scope,
        read,
      )
      break
    case 'ArrayPattern':
      for (const [at, item] of pattern.elements.entries())
        if (item)
          bind(
            item,
            once(() => listIn(get())[at]),
            scope,
            read,
          )
      break
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') bind(property.argument, get, scope, read)
        else
          bind(
            property.value,
            once(() => memberOf(get(), keyOf(property.key))),
            scope,
            read,
          )
      }
      break
    default:
  }
}

function keyOf(key: AnyNode): string {
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? `${key.value}` : ''
}

/** A field of an object, or an item or the length of a list; the address of a picture is its `src`. */
export function memberOf(owner: unknown, name: string): unknown {
  if (typeof owner === 'string') return name === 'src' ? owner : undefined
  const isOwn = (isObject(owner) || Array.isArray(owner)) && Object.hasOwn(owner, name)
  return isOwn ? field(owner, name) : undefined
}

/** Declares the names of a statement, also if it exports them. */
export function declare(statement: AnyNode, scope: Scope, read: Read): void {
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration) declare(statement.declaration, scope, read)
  if (statement.type === 'ExportDefaultDeclaration') {
    const { declaration } = statement
    if (declaration.type === 'FunctionDeclaration' && declaration.id) declare(declaration, scope, read)
    scope.own.set(
      'default',
      once(() => read(declaration, scope)),
    )
  }
  if (statement.type === 'FunctionDeclaration' && statement.id)
    scope.own.set(
      statement.id.name,
      once(() => read(statement, scope)),
    )
  if (statement.type !== 'VariableDeclaration') return
  for (const { id, init } of statement.declarations) {
    const value = once(() => (init ? read(init, scope) : undefined))
    bind(id, value, scope, read)
  }
}
