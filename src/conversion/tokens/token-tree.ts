import { withoutUndefined } from '../../base/object.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import { TOKEN_EXTENSION } from '../../brand/fields.ts'
import { isStyleId, type StyleId } from '../../brand/ids.ts'
import { addNote, type FoundStyle, type Notes } from '../found-styles.ts'
import { isObject, type Json, type JsonObject, member, textMember } from '../json.ts'

export type Token = {
  /** The names of its groups, outermost first, and its own name; a `$root` token has the path of its group. */
  path: readonly string[]
  /** Its Tokens Studio set; empty in other files. */
  set: readonly string[]
  /** Its own type, or that of the nearest group with one. */
  type?: string
  value: Json
  description?: string
  extensions?: JsonObject
}

/** Reads the tokens of a file in order, in the `$value` or the `value` form. The problem ends a sentence. */
export function readTokenTree(root: JsonObject, notes: Notes): Result<Token[], string> {
  const walk: Walk = { root, notes, tokens: [], left: MAX_NODES }
  const sets = setsOf(root)
  if (sets === undefined) readGroup(root, { path: [], set: [] }, walk)
  for (const name of sets ?? []) {
    const set = root.get(name)
    if (isObject(set)) readGroup(set, { path: [], set: name.split('/') }, walk)
  }
  if (walk.left < 0) return failed(`has more than ${MAX_NODES.toLocaleString('en')} groups and tokens; split it`)
  return ok(walk.tokens)
}

/** Groups can extend others, so a short file can expand to more groups than fit into memory. */
const MAX_NODES = 1_000_000

type Walk = { root: JsonObject; notes: Notes; tokens: Token[]; left: number }
type Place = { path: readonly string[]; set: readonly string[]; type?: string }

/** The sets of a Tokens Studio file, in order; undefined for other files. */
function setsOf(root: JsonObject): string[] | undefined {
  const order = member(root.get('$metadata'), 'tokenSetOrder')
  if (!Array.isArray(order) && !root.has('$themes')) return undefined
  const names = Array.isArray(order) ? order.filter(name => typeof name === 'string' && root.has(name)) : []
  return [...new Set([...names, ...root.keys()])].filter(name => !name.startsWith('$'))
}

/** Whether an object is a token, and not a group with tokens called `value`. */
function isToken(node: JsonObject): boolean {
  if (node.has('$value')) return true
  if (typeof node.get('$ref') === 'string' && ![...node.values()].some(isObject)) return true
  const value = node.get('value')
  if (value === undefined || (isObject(value) && isToken(value))) return false
  return !isObject(value) || typeof node.get('type') === 'string' || ![...value.values()].some(isObject)
}

function readNode(node: JsonObject, place: Place, walk: Walk): void {
  walk.left -= 1
  if (walk.left < 0) return
  if (isToken(node)) readToken(node, place, walk)
  else readGroup(node, place, walk)
}

function readToken(node: JsonObject, { path, set, type: inherited }: Place, walk: Walk): void {
  const isLegacy = !node.has('$value') && node.has('value')
  const value = node.get(isLegacy ? 'value' : '$value') ?? node
  const type = textMember(node, '$type') ?? (isLegacy ? textMember(node, 'type') : undefined) ?? inherited
  const text = textMember(node, '$description') ?? textMember(node, isLegacy ? 'description' : '$description')
  const description = text?.trim() === '' ? undefined : text
  const members = node.get('$extensions')
  const extensions = isObject(members) ? members : undefined
  walk.tokens.push(withoutUndefined({ path, set, value, type, description, extensions }))
}

function readGroup(group: JsonObject, { path, set, type: inherited }: Place, walk: Walk): void {
  const node = withExtended(group, path, walk)
  const type = textMember(node, '$type') ?? inherited
  const place = (further: readonly string[]) => withoutUndefined({ path: further, set, type })
  for (const [key, child] of node) {
    if (walk.left < 0) return
    if (key === '$root' && isObject(child)) readNode(child, place(path), walk)
    else if (key.startsWith('$')) {
      if (!GROUP_KEYS.includes(key)) addNote(walk.notes, nameOf([...path, key]), 'unknown key; left out')
    } else if (isObject(child)) readNode(child, place([...path, key]), walk)
    else if (!PLAIN_KEYS.includes(key))
      addNote(walk.notes, nameOf([...path, key]), 'this is neither a token nor a group; left out')
  }
}

const GROUP_KEYS: readonly string[] =
  '$type $description $extensions $extends $deprecated $schema $themes $metadata $name $version'.split(' ')
/** Other keys of groups in older forms. */
const PLAIN_KEYS: readonly string[] = ['description', 'comment', 'type']

/** A group merged with the groups that it `$extends` (Format 2025.10, "Extending groups"); its own tokens win. */
function withExtended(group: JsonObject, path: readonly string[], { root, notes }: Walk): JsonObject {
  const seen = new Set<JsonObject>([group])
  let node = group
  for (let reference = node.get('$extends'); reference !== undefined; reference = node.get('$extends')) {
    const base = typeof reference === 'string' ? groupAt(root, reference) : undefined
    if (base === undefined || seen.has(base)) {
      addNote(notes, nameOf(path), 'its "$extends" names no group, or is circular; ignored')
      return node
    }
    seen.add(base)
    node = mergeGroups(base, new Map([...node].filter(([key]) => key !== '$extends')))
  }
  return node
}

function groupAt(root: JsonObject, reference: string): JsonObject | undefined {
  const inBraces = /^\{([^{}]+)\}$/.exec(reference)?.[1]
  const keys = inBraces === undefined ? pointerKeys(reference) : inBraces.split('.')
  let node: Json | undefined = keys && root
  for (const key of keys ?? []) node = member(node, key)
  return isObject(node) && !isToken(node) ? node : undefined
}

function mergeGroups(base: JsonObject, own: JsonObject): JsonObject {
  const both = new Map(base)
  for (const [key, value] of own) {
    const below = both.get(key)
    const areGroups = isObject(value) && isObject(below) && !key.startsWith('$') && !isToken(value) && !isToken(below)
    both.set(key, areGroups ? mergeGroups(below, value) : value)
  }
  return both
}

/** The keys of a JSON pointer in a fragment (RFC 6901 §6), such as `#/color/blue/$value`; undefined if it is invalid. */
export function pointerKeys(reference: string): string[] | undefined {
  if (!reference.startsWith('#/')) return undefined
  try {
    const keys = decodeURIComponent(reference.slice(2)).split('/')
    return keys.map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return undefined // Invalid percent encoding.
  }
}

export function nameOf(path: readonly string[]): string {
  return path.join('.')
}

/** The data that an export of a guide adds to a token: the id, the name, and values under the guide's own keys. */
export type Authored = { id?: StyleId; name?: string; fields: Map<string, Json> }

/** The authored values of a token; undefined if it has none. */
export function authoredValues({ path, extensions }: Token): Authored | undefined {
  const extension = extensions?.get(TOKEN_EXTENSION)
  return isObject(extension) ? authoredOf(path.at(-1) ?? '', extension) : undefined
}

/** The type styles of an export without a token, since none of their values fits into one. */
export function stylesWithoutToken(root: JsonObject): FoundStyle[] {
  const types = member(member(member(root, '$extensions'), TOKEN_EXTENSION), 'types')
  return [...(isObject(types) ? types : [])].flatMap(([key, extension]) => {
    const { id, name, fields } = isObject(extension) ? authoredOf(key, extension) : NOTHING
    return id !== undefined && name !== undefined ? [{ id, name, fields }] : []
  })
}

function authoredOf(id: string, extension: JsonObject): Authored {
  const name = textMember(extension, 'name')
  const fields = new Map([...extension].filter(([key]) => key !== 'id' && key !== 'name'))
  return withoutUndefined({ id: isStyleId(id) ? id : undefined, name, fields })
}

const NOTHING: Authored = { fields: new Map() }
