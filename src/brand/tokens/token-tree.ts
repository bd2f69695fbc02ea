import { type Budget, spend } from '#formats/json/budget.ts'
import {
  isObject,
  type Json,
  type JsonObject,
  jsonOf,
  jsonText,
  member,
  objectIn,
  objectMember,
  parseJson,
  textIn,
  textMember,
} from '#formats/json/json.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { groupsOf, percentDecode } from '#platform/base/text.ts'
import { TOKEN_EXTENSION } from '../fields.ts'
import { isStyleId, type StyleId } from '../ids.ts'
import { addNote, type FoundStyle, type Notes, type SheetFacts } from './found-styles.ts'
import { isOtherScheme } from './scheme.ts'
import { withoutReplaced } from './token-order.ts'

/**
 * A file of tokens; `path` is as the user gave it. One that `isApart` is read only by a resolver document. Of two with a
 * `rank`, the higher one counts.
 */
export type TokenFile = {
  path: string
  root: JsonObject
  notes: Notes
  isApart?: boolean
  rank?: number | undefined
  sheet?: SheetFacts
}

export type Token = {
  /** The root of its file. */
  root: JsonObject
  /** The names of its groups, outermost first, and its own name; a `$root` token has the path of its group. */
  path: readonly string[]
  /** Its Tokens Studio set; empty in other files. */
  set: readonly string[]
  /** The keys from the root of the file to its value. */
  keys: readonly string[]
  /** Its own type, or that of the nearest group with one. */
  type?: string
  value: Json
  /** The token that it is where its value refers to none, as in `var(--sea, navy)`. */
  fallback?: JsonObject
  /** Its written name, which is none of the path. */
  name?: string
  description?: string
  extensions?: JsonObject
}

/** Reads the tokens of a file in order, in the `$value` or `value` form. Groups may extend those of all `roots`. */
export function readTokenTree({ root, notes }: TokenFile, roots: readonly JsonObject[], budget: Budget): Token[] {
  const walk: Walk = { roots: [root, ...roots], notes, tokens: [], budget }
  const { sets: setNames, isOrdered } = setsOf(root)
  const themes = root.get('$themes')
  if (Array.isArray(themes) && themes.length > 0) addNote(notes, '$themes', 'choicesOfSets')
  if (setNames === undefined) readGroup(root, { path: [], set: [], keys: [] }, walk)
  const sets = (setNames ?? []).map(name => {
    const set = root.get(name)
    const tokens: Token[] = []
    if (isObject(set)) readGroup(set, { path: [], set: name.split('/'), keys: [name] }, { ...walk, tokens })
    return { name, tokens, notes }
  })
  if (budget.left < 0) addNote(notes, 'the file', 'tooManyTokens')
  const tokensOfSets = isOrdered ? withoutReplaced(sets, themes) : sets.map(({ tokens }) => tokens)
  return [...walk.tokens, ...tokensOfSets.flat()]
}

/** What reading a tree needs; its tokens are added to `tokens`. The first of `roots` is that of the file. */
type Walk = { roots: readonly JsonObject[]; notes: Notes; tokens: Token[]; budget: Budget }
type Place = Pick<Token, 'path' | 'set' | 'keys' | 'type'>

/** The sets of a Tokens Studio file, which has an order of them or not; no `sets` for other files. */
function setsOf(root: JsonObject): { sets?: string[]; isOrdered: boolean } {
  const order = member(root.get('$metadata'), 'tokenSetOrder')
  const isOrdered = Array.isArray(order)
  if (!isOrdered && !root.has('$themes')) return { isOrdered }
  const orderedNames = isOrdered ? order.filter(name => typeof name === 'string' && root.has(name)) : []
  // Sets that are not in the order come last.
  return { sets: [...new Set([...orderedNames, ...root.keys()])].filter(name => !name.startsWith('$')), isOrdered }
}

/** Whether an object is a token, and not a group with tokens called `value`. */
function isToken(node: JsonObject): boolean {
  if (node.has('$value')) return true
  if (typeof node.get('$ref') === 'string' && ![...node.values()].some(isObject)) return true
  const value = node.get('value')
  // { value: { value: '#fff' } } is a group; { value: { family: 'Inter', size: 16 } } is a token.
  if (value === undefined || (isObject(value) && isToken(value))) return false
  return !isObject(value) || typeof node.get('type') === 'string' || ![...value.values()].some(isObject)
}

/** The work that reading an object costs for each group around it. */
const WORK_PER_LEVEL = 50

function readNode(node: JsonObject, place: Place, walk: Walk): void {
  if (!spend(walk.budget, WORK_PER_LEVEL * place.path.length)) return
  if (isToken(node)) readToken(node, place, walk)
  else readGroup(node, place, walk)
}

function readToken(node: JsonObject, { path, set, keys, type: inherited }: Place, walk: Walk): void {
  const isLegacy = !node.has('$value') && node.has('value')
  const valueKey = isLegacy ? 'value' : '$value'
  const value = node.get(valueKey) ?? node
  const type = textMember(node, '$type') ?? (isLegacy ? textMember(node, 'type') : undefined) ?? inherited
  const descriptionKey = DESCRIPTION_KEYS.find(key => textIn(node, key).trim() !== '')
  const description = descriptionKey && textMember(node, descriptionKey)
  const name = textIn(node, 'name').trim() || undefined
  const extensions = objectMember(node, '$extensions')
  const writtenFallback = objectMember(node, '$fallback')
  const fallback = writtenFallback?.has('$value') ? writtenFallback : undefined
  const readKeys = [...VALUE_KEYS, valueKey, descriptionKey, fallback && '$fallback', name && 'name']
  const subject = tokenName([...set, ...path])
  for (const [key, unread] of node)
    if (!readKeys.includes(key) && unread !== '') noteUnread(walk.notes, subject, key, unread)
  noteExtensions(extensions, subject, walk.notes)
  const root = walk.roots[0] ?? node
  const place = { root, path, set, keys: [...keys, valueKey] }
  walk.tokens.push(withoutUndefined({ ...place, value, type, fallback, name, description, extensions }))
}

/** The members of tokens that describe their use, the preferred one first. */
const DESCRIPTION_KEYS = ['$description', 'description', 'comment'] as const
const VALUE_KEYS: readonly string[] = ['$value', '$type', 'type', '$ref', '$extensions']

function noteUnread(notes: Notes, name: string, key: string, value: Json): void {
  addNote(notes, { name, value: jsonText(value) }, 'unreadKey', key)
}

/**
 * Notes each kind of data of other tools once; of an object, each of its members. Our own data are read elsewhere, as is
 * `studio.tokens.modify`, a change of a colour.
 */
function noteExtensions(extensions: JsonObject | undefined, subject: string, notes: Notes): void {
  for (const [key, value] of extensions ?? []) {
    const kinds: [string, Json][] = isObject(value)
      ? Array.from(value, ([memberKey, memberValue]) => [`${key}.${memberKey}`, memberValue])
      : [[key, value]]
    for (const [kind, data] of kinds) {
      if (READ_ELSEWHERE.some(start => `${kind}.`.startsWith(start))) continue
      // Modes as Terrazzo has them.
      const isScheme = kind.startsWith('mode.') && isOtherScheme(kind)
      const note = { name: subject, value: jsonText(data) }
      if (isScheme) addNote(notes, note, 'otherScheme', kind.replace('mode.', ''))
      else addNote(notes, note, 'unreadKey', `$extensions.${kind}`)
    }
  }
}

/** The beginnings of our own data, and of a change of a colour. */
const READ_ELSEWHERE = [`${TOKEN_EXTENSION}.`, 'studio.tokens.modify.']

function readGroup(group: JsonObject, { path, set, keys, type: inherited }: Place, walk: Walk): void {
  const node = withExtended(group, path, walk)
  const type = textMember(node, '$type') ?? inherited
  const placeOf = (childPath: readonly string[], key: string) =>
    withoutUndefined({ path: childPath, set, keys: [...keys, key], type })
  const extensions = objectMember(node, '$extensions')
  const subject = tokenName([...set, ...path]) || 'the file'
  noteExtensions(extensions, subject, walk.notes)
  const isOwnExport = extensions?.has(TOKEN_EXTENSION)
  for (const [key, child] of node) {
    if (walk.budget.left < 0) return
    if (key === '$root' && isObject(child)) readNode(child, placeOf(path, key), walk)
    else if (key.startsWith('$')) {
      if (!GROUP_KEYS.includes(key) && !isOwnExport) noteUnread(walk.notes, subject, key, child)
    } else if (isObject(child)) readNode(child, placeOf([...path, key], key), walk)
    else if (key !== 'type' && child !== '')
      addNote(walk.notes, { name: tokenName([...path, key]), value: jsonText(child) }, 'neitherTokenNorGroup')
  }
}

const GROUP_KEYS: readonly string[] = '$type $extensions $extends $schema $themes $metadata $version'.split(' ')

/** A group merged with the groups that it `$extends` (Format 2025.10, "Extending groups"); its own tokens win. */
function withExtended(group: JsonObject, path: readonly string[], { roots, notes, budget }: Walk): JsonObject {
  const seen = new Set<JsonObject>([group])
  let node = group
  for (
    let reference = node.get('$extends');
    reference !== undefined && budget.left >= 0;
    reference = node.get('$extends')
  ) {
    const base = typeof reference === 'string' ? groupAt(roots, reference) : undefined
    if (base === undefined || seen.has(base)) {
      addNote(notes, tokenName(path), 'brokenExtends')
      return node
    }
    seen.add(base)
    node = mergeGroups(base, new Map([...node].filter(([key]) => key !== '$extends')), budget)
  }
  return node
}

function groupAt(roots: readonly JsonObject[], reference: string): JsonObject | undefined {
  const keys = referenceIn(reference)?.split('.') ?? pointerKeys(reference)
  const groups = roots.map(root => valueAt(root, keys))
  return groups.filter(isObject).find(group => !isToken(group))
}

/** The name of the token in a value that is only a reference, such as `{colors.blue}`. */
export function referenceIn(value: string): string | undefined {
  return groupsOf(/^\{([^{}]+)\}$/, value.trim())[1]?.trim()
}

/** The value under keys; undefined if there is none, or no key. */
export function valueAt(root: JsonObject, keys: readonly string[]): Json | undefined {
  let value: Json | undefined = keys.length > 0 ? root : undefined
  for (const key of keys) value = Array.isArray(value) ? value[Number(key)] : member(value, key)
  return value
}

/** Merges two groups with their subgroups; the tokens of `own` win. */
export function mergeGroups(base: JsonObject, own: JsonObject, budget: Budget): JsonObject {
  if (!spend(budget, base.size + own.size)) return own
  const merged = new Map(base)
  for (const [key, value] of own) {
    const baseValue = merged.get(key)
    const areObjects = isObject(value) && isObject(baseValue)
    const areGroups = areObjects && !key.startsWith('$') && !isToken(value) && !isToken(baseValue)
    merged.set(key, areGroups ? mergeGroups(baseValue, value, budget) : value)
  }
  return merged
}

/** The keys of a JSON pointer in a fragment (RFC 6901 §6), such as `a.json#/color/blue`; none if it is invalid. */
export function pointerKeys(reference: string): string[] {
  const pointers = reference.split('#/').slice(1)
  const keys = pointers.flatMap(pointer => percentDecode(pointer)?.split('/') ?? [])
  return keys.map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function tokenName(path: readonly string[]): string {
  return path.join('.')
}

/** The data that an export of a guide adds to a token: the id, the name, and values under the guide's own keys. */
export type Authored = { id?: StyleId; name?: string; fields: Map<string, Json> }

export function authoredValues({ path, extensions }: Token): Authored | undefined {
  const extension = objectMember(extensions, TOKEN_EXTENSION)
  return extension && authoredOf(path.at(-1) ?? '', extension)
}

/** The type styles of an export without a token, since none of their values fits into one. */
export function stylesWithoutToken(root: JsonObject): FoundStyle[] {
  const types = objectIn(objectIn(root.get('$extensions'), TOKEN_EXTENSION), 'types')
  return [...types].flatMap(([key, extension]) => {
    const { id, name, fields } = isObject(extension) ? authoredOf(key, extension) : NOTHING
    return id !== undefined && name !== undefined ? [{ id, name, fields }] : []
  })
}

function authoredOf(key: string, extension: JsonObject): Authored {
  const values = new Map([...extension, ...encodedValues(extension)])
  const id = textMember(values, 'id') ?? key
  const name = textMember(values, 'name')
  const fields = new Map([...values].filter(([fieldKey]) => !['id', 'name', 'encoded'].includes(fieldKey)))
  return withoutUndefined({ id: isStyleId(id) ? id : undefined, name, fields })
}

/** The values with braces, which an export of a guide encodes; empty if another program has damaged them. */
function encodedValues(extension: JsonObject): JsonObject {
  const json = parseJson(percentDecode(textIn(extension, 'encoded')) ?? '')
  const values = json.ok ? jsonOf(json.value) : undefined
  return isObject(values) ? values : new Map()
}

const NOTHING: Authored = { fields: new Map() }
