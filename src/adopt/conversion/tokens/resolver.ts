import { basename, dirname, join, normalize } from 'node:path/posix'
import { keysOf } from '#brand/fields.ts'
import { addNote, type TokenFileRole } from '#brand/tokens/found-styles.ts'
import { mergeGroups, pointerKeys, type TokenFile, valueAt } from '#brand/tokens/token-tree.ts'
import type { Budget } from '#formats/json/budget.ts'
import { isObject, type Json, type JsonObject, member, objectIn, textIn, textMember } from '#formats/json/json.ts'
import { listIn, withoutUndefined } from '#platform/base/object.ts'

/**
 * Merges the sources of each resolver document (Resolver 2025.10) in the default contexts, also from the other files. A
 * file that a document names is only a part of it, and empty.
 */
export function withResolved(files: readonly TokenFile[], budget: Budget): (TokenFile & { role?: TokenFileRole })[] {
  const roles: Roles = {
    resolver: new Set(files.filter(({ root }) => Array.isArray(root.get('resolutionOrder')))),
    default: new Set(),
    other: new Set(),
  }
  const merged = new Map(Array.from(roles.resolver, file => [file, resolve(file, files, roles, budget)]))
  for (const file of files) if (file.isApart) roles.other.add(file)
  return files.map(file => {
    const role = keysOf(roles).find(each => roles[each].has(file))
    const own = role === undefined ? file.root : NOTHING
    return withoutUndefined({ ...file, root: merged.get(file) ?? own, role })
  })
}

/** The files of each role, the first one that a file has first. */
type Roles = Record<TokenFileRole, Set<TokenFile>>

const NOTHING: JsonObject = new Map()

function resolve(file: TokenFile, files: readonly TokenFile[], roles: Roles, budget: Budget): JsonObject {
  const { root, notes, path } = file
  const references = new Set<string>()
  let left = MAX_SOURCES
  const sourcesIn = (list: Json | undefined, role: TokenFileRole, open: readonly string[] = []): JsonObject[] =>
    listIn(list).flatMap(source => {
      left = budget.left < 0 ? Math.min(left, 1) - 1 : left - 1
      if (left === 0) addNote(notes, path, 'tooManySources', `${MAX_SOURCES}`)
      const reference = textIn(source, '$ref')
      if (left <= 0 || open.includes(reference)) return []
      if (reference === '') return [source].filter(isObject)
      references.add(reference)
      const inside = valueAt(root, pointerKeys(reference))
      if (reference.startsWith('#')) return sourcesIn(member(inside, 'sources'), role, [...open, reference])
      const target = fileAt(reference, path, files)
      if (target) roles[role].add(target)
      else addNote(notes, reference, 'partOfResolver')
      return target ? [target.root] : []
    })
  let merged = NOTHING
  for (const item of listIn(root.get('resolutionOrder'))) {
    const reference = textIn(item, '$ref')
    references.add(reference)
    const entry = reference === '' ? item : valueAt(root, pointerKeys(reference))
    if (entry === undefined) addNote(notes, reference, 'notInResolver')
    const contexts = objectIn(entry, 'contexts')
    const [chosen = [...contexts.keys()][0], name = reference.split('/').at(-1)] = ['default', 'name'].map(key =>
      textMember(entry, key),
    )
    for (const [context, list] of contexts) {
      if (context === chosen) continue
      sourcesIn(list, 'other')
      addNote(notes, `${name}.${context}`, 'otherContext', chosen)
    }
    for (const list of [contexts.get(chosen ?? ''), member(entry, 'sources')])
      for (const source of sourcesIn(list, 'default')) merged = mergeGroups(merged, source, budget)
  }
  for (const kind of ['sets', 'modifiers'])
    for (const key of objectIn(root, kind).keys())
      if (!references.has(`#/${kind}/${key}`)) addNote(notes, `${kind}.${key}`, 'notInOrder')
  return merged
}

/** Sets can contain others, so a short file can expand to more than fit into memory. */
const MAX_SOURCES = 1000

/** The given file at a relative path, or else the only one with its name. */
function fileAt(reference: string, from: string, files: readonly TokenFile[]): TokenFile | undefined {
  const [target = ''] = reference.split('#')
  const wanted = join(dirname(from), target)
  const sameName = files.filter(({ path }) => basename(path) === basename(target))
  return files.find(({ path }) => normalize(path) === wanted) ?? (sameName.length === 1 ? sameName[0] : undefined)
}
