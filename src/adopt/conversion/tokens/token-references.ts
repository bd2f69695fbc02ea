import { type NoteKind, noteText } from '#brand/tokens/found-styles.ts'
import { pointerKeys, referenceIn, type Token, tokenName, valueAt } from '#brand/tokens/token-tree.ts'
import { type Budget, spend } from '#formats/json/budget.ts'
import { isObject, type Json, type JsonObject, member, objectMember, textMember } from '#formats/json/json.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'

/** A value without references, its size, the type of the token that it comes from, and the problems of members it has lost. */
type Resolved = { value: Json; size: number; type?: string; problems?: readonly Problem[] }

/** A kind of note, and its detail. */
type Problem = readonly [kind: NoteKind, detail?: string]

export type ResolvedToken = Token & Resolved & { origin: Token }

export type Resolution = Result<Resolved, Problem>

export type References = {
  resolve: (token: Token) => Resolution
  /** The tokens that others have referenced so far. */
  used: ReadonlySet<Token>
}

/**
 * Resolves `{group.token}`, where it is a whole value, and `{"$ref": "#/group/token/$value"}`. A token of the same file
 * comes first, then that of the last file.
 */
export function tokenReferences(tokens: readonly Token[], budget: Budget): References {
  const used = new Set<Token>()
  const roots = [...new Set(tokens.map(({ root }) => root))].toReversed()
  const search: Search = { roots, find: tokenFinder(tokens, roots), used, known: new Map(), open: new Set(), budget }
  return { resolve: token => resolveToken(token, search), used }
}

type Search = {
  /** The files, the last one first. */
  roots: readonly JsonObject[]
  find: (name: string, from: Token) => Token | undefined
  used: Set<Token>
  known: Map<Token | string, Resolution>
  /** The tokens and pointers on the current chain. */
  open: Set<Token | string>
  budget: Budget
}

function resolveToken(token: Token, search: Search): Resolution {
  return resolveOnce(token, search, () => {
    const { value, extensions } = token
    // Tokens Studio computes the value from another one.
    if (member(extensions?.get('studio.tokens'), 'modify') !== undefined) return failed(['modified'])
    const isWhole = isObject(value) && textMember(value, '$ref') === undefined
    const own = isWhole ? resolveEntries(value, token, search, each => each, []) : resolveValue(value, token, search)
    const resolution = own.ok || LIMITS.has(own) ? own : (resolveFallback(token, search) ?? own)
    if (!resolution.ok) return resolution
    return ok(withoutUndefined({ ...resolution.value, type: token.type ?? resolution.value.type }))
  })
}

function resolveFallback({ fallback, ...token }: Token, search: Search): Resolution | undefined {
  const value = fallback?.get('$value')
  if (value === undefined) return undefined
  const type = textMember(fallback, '$type') ?? token.type
  const further = objectMember(fallback, '$fallback')
  return resolveToken(withoutUndefined({ ...token, value, type, fallback: further }), search)
}

/** Resolves each token or pointer once, since thousands of others may refer to it. */
function resolveOnce(place: Token | string, { known, open, budget }: Search, follow: () => Resolution): Resolution {
  const before = known.get(place)
  if (before) return before
  if (open.has(place)) return failed(['refersToItself'])
  if (open.size >= MAX_CHAIN) return TOO_LONG
  open.add(place)
  const followed = follow()
  open.delete(place)
  const isSmall = !followed.ok || (followed.value.size <= MAX_SIZE && spend(budget, followed.value.size))
  const resolution = isSmall ? followed : TOO_LARGE
  // A later part of a chain that is too long may itself be short enough.
  if (resolution !== TOO_LONG) known.set(place, resolution)
  return resolution
}

const MAX_CHAIN = 64
/** The most values, and characters, that references may make of a token: each of a few can name the next one twice. */
const MAX_SIZE = 10_000
const TOO_LARGE = failed<Problem>(['refersToTooMuch', `${MAX_SIZE}`])
const TOO_LONG = failed<Problem>(['refersTooFar', `${MAX_CHAIN}`])
const LIMITS: ReadonlySet<Resolution> = new Set([TOO_LARGE, TOO_LONG])

function resolveValue(value: Json, from: Token, search: Search): Resolution {
  if (typeof value === 'string') return resolveText(value, from, search)
  if (Array.isArray(value)) return resolveEntries(value.entries(), from, search, each => [...each.values()])
  if (!isObject(value)) return ok({ value, size: 1 })
  const reference = textMember(value, '$ref')
  if (reference !== undefined) return resolvePointer(reference, from, search)
  return resolveEntries(value, from, search, each => each)
}

function resolveText(text: string, from: Token, search: Search): Resolution {
  if (!text.includes('{')) return ok({ value: text, size: 1 + text.length / 10 })
  const name = referenceIn(text)
  if (name === undefined) return failed(['computed', text])
  if (!spend(search.budget, 20 + name.length)) return TOO_LARGE
  const token = search.find(name, from)
  if (token === undefined) return failed(['noToken', name])
  search.used.add(token)
  return resolveToken(token, search)
}

function resolvePointer(reference: string, from: Token, search: Search): Resolution {
  const keys = pointerKeys(reference)
  const name = tokenName(keys.filter(key => !key.startsWith('$')))
  const token = keys.includes('$value') ? undefined : search.find(name, from)
  if (token) {
    search.used.add(token)
    return resolveToken(token, search)
  }
  for (const root of [from.root, ...search.roots]) {
    const value = valueAt(root, keys)
    const place = `${search.roots.indexOf(root)} ${reference}`
    if (value !== undefined) return resolveOnce(place, search, () => resolveValue(value, { ...from, root }, search))
  }
  return failed(['noToken', reference])
}

/** With a list for `problems`, a value that cannot be resolved is lost, but not the others. */
function resolveEntries<Key>(
  entries: Iterable<[Key, Json]>,
  from: Token,
  search: Search,
  gather: (resolved: Map<Key, Json>) => Json,
  problems?: Problem[],
): Resolution {
  const resolved = new Map<Key, Json>()
  let size = 1
  for (const [key, inner] of entries) {
    const resolution = resolveValue(inner, from, search)
    if (resolution.ok) {
      size += resolution.value.size
      resolved.set(key, resolution.value.value)
    } else if (problems) problems.push(['lostMember', `${quote(`${key}`)} ${noteText(...resolution.problem)}`])
    else return resolution
  }
  return ok({ value: gather(resolved), size, ...(problems?.length && { problems }) })
}

/**
 * Finds a token by its whole name in the set of the reference, in its file and in the others, then without the first
 * group. Older files omit the set, or add `.value`.
 */
function tokenFinder(tokens: readonly Token[], roots: readonly JsonObject[]): Search['find'] {
  const key = (...place: unknown[]) => JSON.stringify(place)
  const files = [...roots.keys()]
  const placed = tokens.map(token => ({ ...token, token, file: roots.indexOf(token.root) }))
  // The last token with a key counts: in a set the later one, elsewhere the earlier one.
  const places = new Map<string, Token>([
    ...placed.toReversed().flatMap(({ token, file, path }): [string, Token][] => [
      [key('whole', file, tokenName(path)), token],
      [key('inner', file, tokenName(path.slice(1))), token],
    ]),
    ...placed.map(({ token, file, set, path }): [string, Token] => [
      key('set', file, tokenName(set), tokenName(path)),
      token,
    ]),
  ])
  return (reference, from) => {
    const own = roots.indexOf(from.root)
    const candidates = [reference, reference.replace(/\.(?:value|\$root)$/, '')].flatMap(name => [
      key('set', own, tokenName(from.set), name),
      ...['whole', 'inner'].flatMap(kind => [own, ...files].map(file => key(kind, file, name))),
    ])
    return places.get(candidates.find(place => places.has(place)) ?? '')
  }
}
