import { basename, dirname, join, normalize } from 'node:path/posix'
import { addNote, type TokenFileRole } from '#brand/tokens/found-styles.ts'
import { mergeGroups, pointerKeys, type TokenFile, valueAt } from '#brand/tokens/token-tree.ts'
import type { Budget } from '#formats/json/budget.ts'
import { isObject, type Json, type JsonObject, member, objectMember, textMember } from '#formats/json/json.ts'
import { listIn, withoutUndefined } from '#platform/base/object.ts'

/**
 * Merges the sources of each resolver document (Resolver 2025.10) in the default contexts, also from the other files. A
 * file that a document names is only a part of it, and empty.
 */
export function withResolved(files: readonly TokenFile[], budget: Budget): (TokenFile & { role?: TokenFileRole })[] {
  const named: Named = new Map()
  const roots = files.map(file => (isResolver(file.root) ? resolve(file, files, named, budget) : file.root))
  return files.map((file, at) => {
    const role: TokenFileRole | undefined = isResolver(file.root)
      ? 'resolver'
      : (named.get(file) ?? (file.isApart ? 'other' : undefined))
    const root = role === 'default' || role === 'other' ? NOTHING : (roots[at] ?? file.root)
    return withoutUndefined({ ...file, root, role })
  })
}

type Named = Map<TokenFile, 'default' | 'other'>

const NOTHING: JsonObject = new Map()

function isResolver(root: JsonObject): boolean {
  return Array.isArray(root.get('resolutionOrder'))
}

function resolve(file: TokenFile, files: readonly TokenFile[], named: Named, budget: Budget): JsonObject {
  const { root, notes, path } = file
  const order = root.get('resolutionOrder')
  const references = new Set<string>()
  let left = MAX_SOURCES
  const sourcesIn = (list: Json | undefined, use: 'default' | 'other', open: readonly string[] = []): JsonObject[] =>
    listIn(list).flatMap(source => {
      left = budget.left < 0 ? Math.min(left, 1) - 1 : left - 1
      if (left === 0) addNote(notes, path, 'tooManySources', `${MAX_SOURCES}`)
      const reference = textMember(source, '$ref')
      if (left <= 0 || (reference !== undefined && open.includes(reference))) return []
      if (reference === undefined) return isObject(source) ? [source] : []
      references.add(reference)
      const inside = valueAt(root, pointerKeys(reference))
      if (reference.startsWith('#')) return sourcesIn(member(inside, 'sources'), use, [...open, reference])
      const target = fileAt(reference, path, files)
      if (target === undefined) addNote(notes, reference, 'partOfResolver')
      else if (use === 'default' || !named.has(target)) named.set(target, use)
      return target === undefined ? [] : [target.root]
    })
  let merged = NOTHING
  for (const item of listIn(order)) {
    const reference = textMember(item, '$ref') ?? ''
    references.add(reference)
    const entry = reference === '' ? item : valueAt(root, pointerKeys(reference))
    if (entry === undefined) addNote(notes, reference, 'notInResolver')
    const contexts = objectMember(entry, 'contexts') ?? NOTHING
    const chosen = textMember(entry, 'default') ?? [...contexts.keys()][0]
    const name = textMember(entry, 'name') ?? reference.split('/').at(-1)
    const lists = [...contexts, [chosen, member(entry, 'sources')] as const]
    for (const [context, list] of lists) {
      const sources = sourcesIn(list, context === chosen ? 'default' : 'other')
      if (context === chosen) for (const source of sources) merged = mergeGroups(merged, source, budget)
      else addNote(notes, `${name}.${context}`, 'otherContext', chosen)
    }
  }
  for (const kind of ['sets', 'modifiers']) {
    const entries = objectMember(root, kind) ?? NOTHING
    for (const key of entries.keys())
      if (!references.has(`#/${kind}/${key}`)) addNote(notes, `${kind}.${key}`, 'notInOrder')
  }
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
