import { isIP } from 'node:net'
import { withoutUndefined } from '../base/object.ts'
import { ENCODE_PASSWORD, hasRawPassword } from '../base/server-url.ts'
import { fieldText, groupsOf, percentDecode, withoutLastSlash, wordSet } from '../base/text.ts'

export type BucketAddress = {
  bucket: string
  /** The start of every key: empty, or ending in a slash. */
  prefix: string
  /** Absent if an AWS profile may set it. */
  region?: string
  /** The server's address; absent for AWS in the region. */
  endpoint?: string
  /** Whether requests have the bucket in the path instead of the host. */
  isPathStyle: boolean
}

/** Reads `s3://bucket/prefix?region=…&endpoint=https://…&path-style=true`; AWS variables give missing parts. */
export function parseBucketAddress(
  text: string,
  environment: Readonly<Partial<Record<string, string>>>,
): BucketAddress | undefined {
  const [, bucket, path = '', query = ''] = groupsOf(BUCKET_ADDRESS, text)
  const parameters = new Map(new URLSearchParams(query))
  const isRepeated = new URLSearchParams(query).size > parameters.size
  if (bucket === undefined || isRepeated || [...parameters.keys()].some(name => !PARAMETERS.has(name))) return undefined
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION } = environment
  const endpoint = parseEndpoint(parameters.get('endpoint') ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL)
  if (endpoint === false) return undefined
  // Without an endpoint, the server is AWS, which has the bucket in the host, and whose region a profile may set.
  const isAws = endpoint === undefined
  const pathStyle = parameters.get('path-style') ?? String(!isAws)
  const region = parameters.get('region') ?? AWS_REGION ?? AWS_DEFAULT_REGION ?? (isAws ? undefined : 'us-east-1')
  const isRegionRight = region === undefined || /^[\w-]+$/.test(region)
  const segments = path.split('/').filter(segment => segment !== '')
  if (!BOOLEANS.has(pathStyle) || !isRegionRight || segments.some(segment => !SEGMENT.test(segment))) return undefined
  return {
    bucket,
    prefix: segments.map(segment => `${segment}/`).join(''),
    ...withoutUndefined({ region, endpoint }),
    isPathStyle: pathStyle === 'true',
  }
}

/** `s3://acme-brand/some/prefix?region=…`. No user and password: keys belong where AWS tools look for them. */
const BUCKET_ADDRESS = /^[sS]3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[^?#]*)?(?:\?([^#]*))?$/
const PARAMETERS = wordSet('region endpoint path-style')
const BOOLEANS = wordSet('true false')
/** Characters that are equal in keys and in URLs; neither `.` nor `..`. */
const SEGMENT = /^(?!\.{1,2}$)[\w.!*'()-]+$/

/** An http or https address of a server, without a final slash. Undefined if none is given, false if it is invalid. */
function parseEndpoint(text = ''): string | undefined | false {
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  // A password may begin anywhere before an `@`, also in what looks like a path.
  if (!url || !/^https?:$/.test(url.protocol) || text.includes('@') || url.search + url.hash) return false
  return withoutLastSlash(url.href)
}

/** The shared counter of requests: a Valkey or Redis server, or a server named by sentinels. */
export type LimitsAddress = Access & (ServerAddress | SentinelAddress)

type Access = {
  isEncrypted: boolean
  /** Names and passwords are empty if not given. */
  username: string
  password: string
}

type ServerAddress = { kind: 'server'; places: readonly Place[]; database: number }

type SentinelAddress = {
  kind: 'sentinel'
  places: readonly Place[]
  /** The server's name on the sentinels. */
  name: string
  database: number
  sentinelUsername: string
  sentinelPassword: string
}

/** A host, of which IPv6 is without brackets, and a port. */
type Place = { host: string; port: number }

/**
 * Reads `redis://user:password@host:port/database`, or
 * `redis+sentinel://user:password@host:port,host:port/name/database?sentinel_username=…&sentinel_password=…`; `rediss`
 * instead of `redis` uses TLS. Undefined if it is invalid or has an unknown part.
 */
export function parseLimitsAddress(text: string): LimitsAddress | undefined {
  const [, scheme = '', user = '', secret = '', hosts = '', path = '', query = ''] = groupsOf(LIMITS_ADDRESS, text)
  const [protocol, kind = 'server'] = scheme.toLowerCase().split('+')
  const hostTexts = hosts.split(',')
  const places = hostTexts.flatMap(host => serverPlace(host, kind === 'sentinel' ? 26_379 : 6379) ?? [])
  const username = percentDecode(user)
  const password = percentDecode(secret)
  const target = targetOf(kind, path, query)
  if (username === undefined || password === undefined || !target) return undefined
  // A host was invalid.
  if (places.length < hostTexts.length) return undefined
  if (target.kind === 'server' && places.length > 1) return undefined
  return { isEncrypted: protocol === 'rediss', username, password, places, ...target }
}

/** The form of a valid address, as the end of a sentence: for a password with an unencoded sign, how to encode it. */
export function limitsForm(text: string): string {
  return hasRawPassword(text) ? `an address as in redis://user:a%40b@host: ${ENCODE_PASSWORD}` : LIMITS_FORM
}

const LIMITS_FORM =
  'an address as in redis://user:password@host:6379/0, or rediss://…, or redis+sentinel://host:26379,host:26379/name/0'

/** The groups: scheme, user, password, hosts with commas, path, query. */
const LIMITS_ADDRESS =
  /^(rediss?(?:\+sentinel)?):\/\/(?:([^,:/?#]*)(?::([^/?#]*))?@)?([^/?#@]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/i

/** The database of a server (`0`), or the server and database behind sentinels (`name/0`). Undefined if it is invalid. */
function targetOf(kind: string, path: string, query: string) {
  if (kind === 'server') {
    return query === '' && DATABASE.test(path) ? ({ kind, database: Number(path) } as const) : undefined
  }
  const [name = '', database = '', ...others] = path.split('/')
  const sentinel = sentinelAccess(query)
  if (!sentinel || !NAME.test(name) || !DATABASE.test(database) || others.length > 0) return undefined
  return { kind: 'sentinel', name, database: Number(database), ...sentinel } as const
}

/** The number of a database. An empty one is 0. */
const DATABASE = /^\d{0,4}$/
/** A server name that sentinels accept. */
const NAME = /^[\w.-]{1,200}$/

const SENTINEL_FIELDS = wordSet('sentinel_username sentinel_password')

function sentinelAccess(query: string) {
  // In a form, `+` would be a space, but passwords are pasted as they are.
  const parameters = new URLSearchParams(query.replaceAll('+', '%2B'))
  const fields = new Map(parameters)
  if (fields.size < parameters.size || [...fields.keys()].some(name => !SENTINEL_FIELDS.has(name))) return undefined
  return {
    sentinelUsername: fieldText(fields, 'sentinel_username'),
    sentinelPassword: fieldText(fields, 'sentinel_password'),
  }
}

/** Reads `host`, `host:port`, `[::1]` or `[::1]:port`. */
function serverPlace(text: string, defaultPort: number): Place | undefined {
  const [, inBrackets, name = '', digits] = groupsOf(/^(?:\[([^\]]*)\]|([\w.-]{1,253}))(?::(\d{1,5}))?$/, text)
  const port = digits === undefined ? defaultPort : Number(digits)
  const host = inBrackets ?? name
  const isHost = inBrackets === undefined ? host !== '' : isIP(inBrackets) === 6
  return isHost && port > 0 && port <= 65_535 ? { host, port } : undefined
}

/** A mail server; `user` is empty if it asks for none, and `from` is the address of the sender. */
export type SmtpAddress = Place & { isSecure: boolean; user: string; from: string }

/** Reads `smtps://user@host:465?from=…`, or `smtp` with STARTTLS. A user may be an address. Undefined with a password. */
export function parseSmtpAddress(text: string): SmtpAddress | undefined {
  const [, scheme = '', name = '', place = '', sender = ''] = groupsOf(SMTP_ADDRESS, text)
  const isSecure = scheme.toLowerCase() === 'smtps'
  const server = serverPlace(place, isSecure ? 465 : 587)
  const user = percentDecode(name)
  const from = percentDecode(sender) ?? ''
  return server && user !== undefined && MAILBOX.test(from) ? { ...server, isSecure, user, from } : undefined
}

const SMTP_ADDRESS = /^(smtps?):\/\/(?:([^:/?#]+)@)?([^/?#@]+)\/?\?from=([^&#]+)$/i
/** Without the characters that separate addresses and lines in a header. */
const MAILBOX = /^[^\s@<>,;:"()[\]\\\p{C}]+@[^\s@<>,;:"()[\]\\\p{C}]+$/u
