import type { MaybePromise } from '#platform/base/promise.ts'
import { memoize } from '#platform/base/text.ts'
import type { HeaderList, Reply, Request } from '#platform/exchange/message.ts'
import { noContent } from '#platform/exchange/reply.ts'
import { decodeSegments, pathProblem } from '#platform/exchange/target.ts'
import { API_PATH, type Operation, type Scope } from './operations.ts'
import { type Refusal, refusalReply, refuse, refuseMissingId } from './refusals.ts'

/** A request for an operation, and the place that a token must cover. Without a project, it is the workspace. */
export type Call = { operation: Operation; workspace: string; project: string }

/** A row of the table of addresses: how an address is found, what it is called, who may ask, and what answers. */
export type Route<Context> = {
  /**
   * Words, and ids in braces: `/{workspace}/{project}/-/files/{key}/{filename}`. The last id may have a suffix
   * (`{page}.md`); one in `LONG` takes the rest of the path, with slashes.
   */
  pattern: string
  /** The number of leading segments whose words must be sent without percent-encoding. Default: all. */
  sent?: number
  /** The number of leading segments that are compared one by one. The rest is compared as decoded text. */
  segments?: number
  methods: readonly string[]
  /** Whether the handler itself answers other methods. */
  hasOwnMethods?: boolean
  /** Whether the handler itself answers OPTIONS. */
  hasOwnOptions?: boolean
  /** Whether only the public URL has it, to which the hosts of guides and workspaces redirect. */
  isAtPublicUrl?: true
  /** The name in metrics. Several routes may share it. */
  name: string
  who: Who
  limit: Limit
  /** The largest body, in bytes, if that is more than `MAX_BODY`. Larger ones share a limited memory. */
  maxBody?: number
  /** Whether the handler reads the body itself, once it has checked who sends it. */
  readsBody?: true
  /** The header fields that pages of other origins may send and read; absent if they may not. */
  cors?: CorsFields
  answer: (context: Context, request: Request, ids: Ids) => MaybePromise<Reply>
}

/** A row whose answer is undefined if nothing exists at the address, or nothing that the request may see. */
export type HiddenRoute<Context> = Omit<Route<never>, 'answer'> & {
  answer: (context: Context, request: Request, ids: Ids) => MaybePromise<Reply | undefined>
}

/** The largest body of most addresses, in bytes. */
export const MAX_BODY = 64 << 10

/** The groups that may ask, apart from tokens with the scope of an operation. */
export const WHO = {
  everyone: 'everyone',
  link: 'everyone who has the address',
  agent: 'a token; each tool needs its scope',
  guest: 'everyone if the guide is public, else a token with `document.read`',
  reader: 'readers of the guide; a token needs `document.read`',
  downloader: 'readers of the guide; a token needs `document.read` and `files.read`',
  exporter: 'readers of the guide; a token needs `document.read` and the scopes of the export',
  reviewer: 'readers of the draft: with its share link, or a sign-in that includes drafts',
  manager: 'signed-in people who manage it',
  writer: 'signed-in people who may edit it, with `--edit`; everyone in `dev`',
  mailed: 'signed-in people who manage guides or see drafts, and everyone with the address in a mail to one of them',
  person: 'signed-in people, except behind an identity-aware proxy',
  client: 'a client with its secret, or a program of a person',
  host: 'the git host, which knows the secret',
  network: 'everyone; proxies should hide it',
} as const

export type Who = keyof typeof WHO | Scope

/** The limit that a request counts for. */
export const LIMITS = {
  none: 'none',
  workspace: '`--rate` of the workspace',
  address: '`--rate-public` of the network address',
  query: '`--rate-public`, if it has a query',
  messages: '`--rate-public` for each message with POST; with a token also `--rate`',
  failures: 'failed attempts of the client and of the network address',
} as const

export type Limit = keyof typeof LIMITS

/** The header fields that pages of other origins may send, and the reply fields that they may read. */
export type CorsFields = { sent: string; read: string; methods?: string }

/** The fields of a reply that pages of an origin may read, or of all if it is `*`. */
export function corsHeaders(
  origin: string,
  { sent, read, methods = 'GET, HEAD' }: CorsFields,
  isPreflight: boolean,
): HeaderList {
  const allowed = ['Access-Control-Allow-Origin', origin]
  if (!isPreflight) return [...allowed, 'Access-Control-Expose-Headers', read]
  const preflight = ['Access-Control-Allow-Methods', methods, 'Access-Control-Allow-Headers', sent]
  return [...allowed, ...preflight, 'Access-Control-Max-Age', '600']
}

/** The fields of metadata, and of addresses with which programs get and revoke tokens. */
export const OAUTH_FIELDS: CorsFields = {
  sent: 'Authorization, Content-Type, MCP-Protocol-Version',
  read: 'Retry-After, WWW-Authenticate',
}

/** The ids of a path; an absent one is empty. */
export type Ids = Readonly<Record<IdName, string>>

const NO_IDS = {
  workspace: '',
  project: '',
  page: '',
  revision: '',
  rest: '',
  key: '',
  filename: '',
  width: '',
  secret: '',
  id: '',
  issuer: '',
  file: '',
  name: '',
  color: '',
  pair: '',
  list: '',
  folder: '',
  format: '',
  font: '',
  path: '',
}

type IdName = keyof typeof NO_IDS

/** Ids that take the rest of a path. */
const LONG: readonly string[] = ['page', 'rest']

/** The form of an id, if another form is another address. */
const FORMS: Partial<Record<IdName, RegExp>> = {
  revision: /^[1-9]\d*$/,
  id: /^[\w-]+$/,
  issuer: /^[\w-]{16}$/,
  file: /\./,
}

/** A route, and the ids in the path. */
export type Match<Context> = { route: Route<Context>; ids: Ids }

/**
 * Makes the function that finds the first route whose pattern fits a path. The last one must fit every path
 * (decisions/0622).
 */
export function routeFinder<Context>(routes: readonly Route<Context>[]): (path: string) => Match<Context> {
  const patterns = routes.map(route => ({ route, pattern: compile(route) }))
  return memoize(path => {
    const sent = path.slice(1).split('/')
    const decoded = decodeSegments(path)
    for (const { route, pattern } of patterns) {
      const ids = idsIn({ sent, decoded }, pattern)
      if (ids) return { route, ids }
    }
    throw new Error('the table of addresses has no last row')
  })
}

/** A part of a pattern: a word, or an id with its suffix. */
type Part = { word: string; id: IdName | undefined; suffix: string }

/** The parts that are compared with one segment each, and the part that is compared with the text after them. */
type Pattern = { sentCount: number; parts: readonly Part[]; rest: Part | undefined }

function compile({ pattern, sent = Number.POSITIVE_INFINITY, segments }: Route<never>): Pattern {
  const words = pattern.slice(1).split('/')
  const long = words.findIndex(word => LONG.some(id => word.startsWith(`{${id}}`)))
  const count = segments ?? (long === -1 ? words.length : long)
  return {
    sentCount: sent,
    parts: words.slice(0, count).map(partOf),
    rest: count < words.length ? partOf(words.slice(count).join('/')) : undefined,
  }
}

function partOf(text: string): Part {
  const start = text.indexOf('{')
  const end = text.indexOf('}')
  if (start === -1) return { word: text, id: undefined, suffix: '' }
  const name = text.slice(start + 1, end)
  if (!isIdName(name)) throw new Error(`${text} has an unknown id`)
  return { word: text.slice(0, start), id: name, suffix: text.slice(end + 1) }
}

function isIdName(name: string): name is IdName {
  return Object.hasOwn(NO_IDS, name)
}

/** A path as sent, and its segments; undefined if one of them cannot be decoded. */
type Segments = { sent: readonly string[]; decoded: readonly string[] | undefined }

/**
 * The ids of a path that fits a pattern; undefined if it does not fit. The first `sentCount` segments are compared as
 * sent.
 */
function idsIn({ sent, decoded }: Segments, { sentCount, parts, rest }: Pattern): Ids | undefined {
  if (rest ? sent.length <= parts.length : sent.length !== parts.length) return undefined
  if (!decoded && sentCount < sent.length) return undefined
  const comparedSegment = (at: number) => (at < sentCount ? sent : decoded)?.[at] ?? ''
  if (!parts.every((part, at) => fits(part, comparedSegment(at)))) return undefined
  const restText = (sentCount < sent.length ? decoded : sent)?.slice(parts.length).join('/') ?? ''
  if (rest && !fits(rest, restText)) return undefined
  const ids = { ...NO_IDS }
  // An empty rest ends the path with a slash, with which it cannot be decoded.
  const idSegments = rest && restText === '' ? decodeSegments(`/${sent.slice(0, -1).join('/')}`) : decoded
  for (const [at, part] of parts.entries()) if (part.id) ids[part.id] = idOf(part, idSegments?.[at] ?? '')
  if (!rest) return ids
  ids.rest = restText
  if (rest.id) ids[rest.id] = idOf(rest, restText)
  return ids
}

/**
 * Whether a text has the word, the form and the suffix of a part. Only an id with a suffix, and the rest of a path, may
 * be empty.
 */
function fits(part: Part, text: string): boolean {
  const { word, id, suffix } = part
  if (id === undefined) return text === word
  const isLongEnough = text.length > word.length + (word === '' ? 0 : suffix.length) || id === 'rest'
  return isLongEnough && text.startsWith(word) && text.endsWith(suffix) && FORMS[id]?.test(idOf(part, text)) !== false
}

function idOf({ word, suffix }: Part, text: string): string {
  return text.slice(word.length, text.length - suffix.length)
}

/** The refusal of a path that fits none of these patterns: it cannot be decoded, ends before an id, or is unknown. */
export function refusePath(path: string, patterns: readonly string[]): Refusal {
  const segments = decodeSegments(path)
  if (!segments) return refuse(pathProblem(path))
  for (const pattern of patterns) {
    const words = pattern.slice(1).split('/')
    const next = words[segments.length] ?? ''
    const isStart = segments.every((segment, at) => fits(partOf(words[at] ?? ''), segment))
    if (isStart && next.startsWith('{')) return refuseMissingId(next.slice(1, -1))
  }
  return refuse('not-found')
}

/** Whether a path belongs to the API: it is below `/beta`, or below `/revision/{n}/beta` for one revision. */
export function isApiPath(path: string): boolean {
  return path.startsWith(`${API_PATH}/`) || path.startsWith('/revision/')
}

/** The methods of most addresses, and of addresses that take a message or a form. */
export const READ = ['GET', 'HEAD', 'OPTIONS']
export const POST = ['POST', 'OPTIONS']
export const FORM = ['GET', 'HEAD', 'POST', 'OPTIONS']

/** The reply to a method that has no handler: 204 to OPTIONS if it is allowed, else 405. */
export function refuseMethod(allowed: readonly string[], method: string, publicUrl: string): Reply {
  const allow = ['Allow', allowed.join(', ')]
  if (method === 'OPTIONS' && allowed.includes(method)) return noContent(allow)
  return refusalReply(refuse('method-not-allowed', allow), publicUrl)
}
