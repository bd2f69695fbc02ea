import { isIP } from 'node:net'
import { ENCODE_PASSWORD, hasRawPassword } from '../base/server-url.ts'
import { fieldText, groupsOf, percentDecode, wordSet } from '../base/text.ts'

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
  const given = new Map(new URLSearchParams(query))
  const isRepeated = new URLSearchParams(query).size > given.size
  if (bucket === undefined || isRepeated || [...given.keys()].some(name => !PARAMETERS.has(name))) return undefined
  const segments = path.split('/').filter(segment => segment !== '')
  const endpoint = parseEndpoint(
    given.get('endpoint') ?? environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL,
  )
  const region = given.get('region') ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION
  const pathStyle = given.get('path-style') ?? `${endpoint !== undefined}`
  if (endpoint === false || !BOOLEANS.has(pathStyle)) return undefined
  if (segments.some(segment => !SEGMENT.test(segment)) || (region !== undefined && !/^[\w-]+$/.test(region)))
    return undefined
  const isOther = endpoint !== undefined
  return {
    bucket,
    prefix: segments.map(segment => `${segment}/`).join(''),
    ...(region !== undefined ? { region } : isOther && { region: 'us-east-1' }),
    ...(isOther && { endpoint }),
    isPathStyle: pathStyle === 'true',
  }
}

/** No user and password: keys belong where AWS tools look for them. */
const BUCKET_ADDRESS = /^[sS]3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[^?#]*)?(?:\?([^#]*))?$/
const PARAMETERS = wordSet('region endpoint path-style')
const BOOLEANS = wordSet('true false')
/** Characters that are equal in keys and in URLs; neither `.` nor `..`. */
const SEGMENT = /^(?!\.{1,2}$)[\w.!*'()-]+$/

/** False if it is not an http or https address of a server. */
function parseEndpoint(text = ''): string | undefined | false {
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  // A password may begin anywhere before an `@`, also in what looks like a path.
  if (!url || !/^https?:$/.test(url.protocol) || text.includes('@') || url.search + url.hash) return false
  return url.href.replace(/\/$/, '')
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

/** A host, without brackets, and a port. */
type Place = { host: string; port: number }

/**
 * Reads `redis://user:password@host:port/database`, or
 * `redis+sentinel://user:password@host:port,host:port/name/database?sentinel_username=…&sentinel_password=…`; `rediss`
 * instead of `redis` uses TLS. Undefined if it is invalid or has an unknown part.
 */
export function parseLimitsAddress(text: string): LimitsAddress | undefined {
  const [, scheme = '', user = '', secret = '', hosts = '', path = '', query = ''] = groupsOf(LIMITS_ADDRESS, text)
  const [protocol, kind = 'server'] = scheme.toLowerCase().split('+')
  const places = hosts.split(',').flatMap(host => serverPlace(host, kind === 'sentinel' ? 26_379 : 6379) ?? [])
  const [username, password] = [percentDecode(user), percentDecode(secret)]
  const target = targetOf(kind, path, query)
  if (username === undefined || password === undefined || !target) return undefined
  if (places.length < hosts.split(',').length) return undefined
  if (target.kind === 'server' && places.length > 1) return undefined
  return { isEncrypted: protocol === 'rediss', username, password, places, ...target }
}

/** The valid form, as the end of a sentence. */
export function limitsForm(text: string): string {
  return hasRawPassword(text) ? `an address as in redis://user:a%40b@host: ${ENCODE_PASSWORD}` : LIMITS_FORM
}

const LIMITS_FORM =
  'an address as in redis://user:password@host:6379/0, or rediss://…, or redis+sentinel://host:26379,host:26379/name/0'

const LIMITS_ADDRESS =
  /^(rediss?(?:\+sentinel)?):\/\/(?:([^,:/?#]*)(?::([^/?#]*))?@)?([^/?#@]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/i

function targetOf(kind: string, path: string, query: string) {
  if (kind === 'server') {
    return query === '' && DATABASE.test(path) ? ({ kind, database: Number(path) } as const) : undefined
  }
  const [name = '', database = '', ...others] = path.split('/')
  const sentinel = sentinelAccess(query)
  if (!sentinel || !NAME.test(name) || !DATABASE.test(database) || others.length > 0) return undefined
  return { kind: 'sentinel', name, database: Number(database), ...sentinel } as const
}

const DATABASE = /^\d{0,4}$/
/** A server name that sentinels accept. */
const NAME = /^[\w.-]{1,200}$/

const SENTINEL_FIELDS = wordSet('sentinel_username sentinel_password')

function sentinelAccess(query: string) {
  const given = new URLSearchParams(query.replaceAll('+', '%2B'))
  const fields = new Map(given)
  if (fields.size < given.size || [...fields.keys()].some(name => !SENTINEL_FIELDS.has(name))) return undefined
  return {
    sentinelUsername: fieldText(fields, 'sentinel_username'),
    sentinelPassword: fieldText(fields, 'sentinel_password'),
  }
}

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
  const [user, from = ''] = [percentDecode(name), percentDecode(sender)]
  return server && user !== undefined && MAILBOX.test(from) ? { ...server, isSecure, user, from } : undefined
}

const SMTP_ADDRESS = /^(smtps?):\/\/(?:([^:/?#]+)@)?([^/?#@]+)\/?\?from=([^&#]+)$/i
/** Without the characters that separate addresses and lines in a header. */
const MAILBOX = /^[^\s@<>,;:"()[\]\\\p{C}]+@[^\s@<>,;:"()[\]\\\p{C}]+$/u
