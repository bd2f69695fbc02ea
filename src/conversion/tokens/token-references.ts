import { withoutUndefined } from '../../base/object.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { isObject, type Json, type JsonObject, member } from '../json.ts'
import { nameOf, pointerKeys, type Token } from './token-tree.ts'

/** A value without references, and the type of the token that it comes from. */
type Resolved = { value: Json; type?: string }

export type ResolvedToken = Token & Resolved

export type References = {
  /** The value of a token. The problem is the end of a sentence. */
  resolve: (token: Token) => Result<Resolved, string>
  /** The tokens that others have referenced so far. */
  used: ReadonlySet<Token>
}

/** Resolves `{group.token}`, where it is a whole value, and `{"$ref": "#/group/token/$value"}`. */
export function tokenReferences(root: JsonObject, tokens: readonly Token[]): References {
  const used = new Set<Token>()
  const search: Search = { root, find: tokenFinder(tokens), used, known: new Map(), open: new Set() }
  return { resolve: token => resolveToken(token, search), used }
}

type Search = {
  root: JsonObject
  find: (name: string, from: Token) => Token | undefined
  used: Set<Token>
  known: Map<Token | string, Result<Resolved, string>>
  /** The tokens and pointers on the current chain. */
  open: Set<Token | string>
}

function resolveToken(token: Token, search: Search): Result<Resolved, string> {
  return resolveOnce(token, search, () => {
    const resolution = resolveValue(token.value, token, search)
    const type = token.type ?? (resolution.ok ? resolution.value.type : undefined)
    return resolution.ok ? ok(withoutUndefined({ value: resolution.value.value, type })) : resolution
  })
}

/** Resolves each token or pointer once, since thousands of others may refer to it. */
function resolveOnce(
  place: Token | string,
  { known, open }: Search,
  follow: () => Result<Resolved, string>,
): Result<Resolved, string> {
  const before = known.get(place)
  if (before) return before
  if (open.has(place)) return failed('refers to itself; left out')
  if (open.size >= MAX_CHAIN) return TOO_LONG
  open.add(place)
  const resolution = follow()
  open.delete(place)
  // A later part of a chain that is too long may itself be short enough.
  if (resolution !== TOO_LONG) known.set(place, resolution)
  return resolution
}

const MAX_CHAIN = 64
const TOO_LONG = failed(`refers to others through more than ${MAX_CHAIN} tokens; left out`)

function resolveValue(value: Json, from: Token, search: Search): Result<Resolved, string> {
  if (typeof value === 'string') return resolveText(value, from, search)
  if (Array.isArray(value)) return resolveEntries(value.entries(), from, search, each => [...each.values()])
  if (!isObject(value)) return ok({ value })
  const reference = value.get('$ref')
  if (typeof reference === 'string') return resolvePointer(reference, from, search)
  return resolveEntries(value.entries(), from, search, each => each)
}

function resolveText(text: string, from: Token, search: Search): Result<Resolved, string> {
  if (!text.includes('{')) return ok({ value: text })
  const name = /^\s*\{([^{}]+)\}\s*$/.exec(text)?.[1]?.trim()
  if (name === undefined) return failed(`is computed (${quote(text)}); write the value itself; left out`)
  const token = search.find(name, from)
  if (token === undefined) return failed(`refers to ${quote(name)}, which is not a token of the file; left out`)
  search.used.add(token)
  return resolveToken(token, search)
}

function resolvePointer(reference: string, from: Token, search: Search): Result<Resolved, string> {
  const keys = pointerKeys(reference)
  const names = keys?.filter(key => !key.startsWith('$')) ?? []
  const token = keys?.includes('$value') ? undefined : search.find(nameOf(names), from)
  if (token) search.used.add(token)
  if (token) return resolveToken(token, search)
  const place = placeAt(search.root, keys)
  if (place === undefined) return failed(`refers to ${quote(reference)}, which does not exist in the file; left out`)
  return resolveOnce(reference, search, () => resolveValue(place, from, search))
}

function placeAt(root: JsonObject, keys: readonly string[] | undefined): Json | undefined {
  let place: Json | undefined = keys && root
  for (const key of keys ?? []) place = Array.isArray(place) ? place[Number(key)] : member(place, key)
  return place
}

function resolveEntries<Key>(
  entries: Iterable<[Key, Json]>,
  from: Token,
  search: Search,
  gather: (resolved: Map<Key, Json>) => Json,
): Result<Resolved, string> {
  const resolved = new Map<Key, Json>()
  for (const [key, inner] of entries) {
    const resolution = resolveValue(inner, from, search)
    if (!resolution.ok) return resolution
    resolved.set(key, resolution.value.value)
  }
  return ok({ value: gather(resolved) })
}

/** Finds a token in the set of the reference, or in the first with it. Older files omit the set, or add `.value`. */
function tokenFinder(tokens: readonly Token[]): Search['find'] {
  const inSets = new Map<string, Map<string, Token>>()
  const whole = new Map<string, Token>()
  const inner = new Map<string, Token>()
  for (const token of tokens) {
    const name = nameOf(token.path)
    const set = inSets.get(nameOf(token.set)) ?? new Map<string, Token>()
    inSets.set(nameOf(token.set), set.set(name, token))
    if (!whole.has(name)) whole.set(name, token)
    const short = nameOf(token.path.slice(1))
    if (short !== '' && !inner.has(short)) inner.set(short, token)
  }
  return (reference, from) => {
    const plain = reference.replace(/\.(?:value|\$root)$/, '')
    const candidates = [reference, plain].map(
      name => inSets.get(nameOf(from.set))?.get(name) ?? whole.get(name) ?? inner.get(name),
    )
    return candidates.find(token => token !== undefined)
  }
}
