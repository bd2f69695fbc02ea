import { isIP } from 'node:net'
import { ENCODE_PASSWORD, hasRawPassword, urlsOfHosts } from '../base/server-url.ts'
import { groupsOf, quote, wordSet } from '../base/text.ts'

/* Every function parses the value of a setting, and returns undefined if it is invalid. */

/** Parses entries between commas. */
export function parseList<Entry>(
  text: string,
  parse: (entry: string) => Entry | undefined,
): readonly Entry[] | undefined {
  const entries = text.split(',').flatMap(entry => entry.trim() || [])
  const parsed = entries.map(entry => parse(entry)).filter(entry => entry !== undefined)
  return parsed.length === entries.length ? parsed : undefined
}

export function parseWholeNumber(text: string, min: number, max: number): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return number >= min && number <= max ? number : undefined
}

export function parseConnectionCount(text: string): number | undefined {
  return parseWholeNumber(text, 1, MAX_CONNECTIONS)
}

/** More than systems allow a process by default. */
export const MAX_CONNECTIONS = 1_000_000

/** Parses a URL and removes final slashes. */
export function parsePublicUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain = /^https?:$/.test(url.protocol) && !/[?#@]/.test(text)
  return isPlain ? url.href.replace(/(?<!\/)\/+$/, '') : undefined
}

/** Like libpq, rejects unknown parameters: a misspelt `sslmod=verify-full` would disable TLS. */
export function parseDatabase(text: string): string | undefined {
  return MISREAD.test(text) || !parametersOf(text)?.every(isDatabaseParameter) ? undefined : text
}

/**
 * A password with unencoded signs, whose rest would be parsed as something else: `user:a#b@host/x` (fragment) or
 * `user:a/b@host/x` (database); or a database with an invalid escape, `host/x%zz`.
 */
const MISREAD = /#|^[^:]*:\/\/[^/?]*\/[^?]*(?:@|%(?![\da-f]{2}))/i

/** The form of a database address, and the parameter that `parseDatabase` rejected. */
export function databaseForm(text: string): string {
  if (hasRawPassword(text)) return `an address as in postgres://user:a%40b@host/housestyle: ${ENCODE_PASSWORD}`
  const rejected = rejectedParameter(text)
  return rejected === undefined ? DATABASE_FORM : `${DATABASE_FORM}: see ${quote(rejected)}`
}

const DATABASE_FORM =
  'an address as in postgres://user:password@host:5432/housestyle, or postgres://user@host,other/housestyle?target_session_attrs=read-write (which may also be primary or any), with the parameters in docs/several-nodes.md'

/** The name of the first rejected parameter; undefined if it might be part of a password. */
function rejectedParameter(text: string): string | undefined {
  if (/#|^[^?]*\?.*(?:@|password)/is.test(text)) return undefined
  return parametersOf(text)?.find(each => !isDatabaseParameter(each))?.[0]
}

type Parameter = [name: string, value: string]

/** The parameters of a database address; undefined if it is not one. All its hosts have the same. */
function parametersOf(text: string): Parameter[] | undefined {
  const [first] = (/^postgres(?:ql)?:\/\//i.test(text) && urlsOfHosts(text)) || []
  return first === undefined ? undefined : [...new URL(first).searchParams]
}

function isDatabaseParameter([name, value]: Parameter): boolean {
  const text = `${name}=${value}`
  return FREE_PARAMETERS.has(name) || CHOICES.has(text) || /^connect_timeout=\d*$/.test(text)
}

/** The supported parameters, with their values if not all are. housestyle only works with writable servers. */
const FREE_PARAMETERS = wordSet(`
  host port user password options application_name client_encoding
  sslrootcert sslcert sslkey sslnegotiation ssl uselibpqcompat
  statement_timeout lock_timeout idle_in_transaction_session_timeout`)
const CHOICES = wordSet(`
  target_session_attrs= target_session_attrs=any target_session_attrs=read-write target_session_attrs=primary
  sslmode=disable sslmode=allow sslmode=prefer sslmode=require sslmode=verify-ca sslmode=verify-full sslmode=no-verify`)

/** Parses `300/60`: 300 requests in 60 seconds. */
export function parseRate(text: string): { requests: number; seconds: number } | undefined {
  const [, requests, seconds] = groupsOf(/^(\d{1,7})\/(\d{1,5})$/, text)
  const rate = { requests: Number(requests), seconds: Number(seconds) }
  return rate.requests > 0 && rate.seconds > 0 ? rate : undefined
}

/** An issuer of tokens that is trusted for one workspace. */
export type TrustSetting = {
  issuer: string
  workspace: string
  /** Default: the API's base URL, if a public URL is set. */
  audience?: string
  jwks?: string
  scopeClaim?: string
  /** Scopes of this service, separated by spaces, keyed by the issuer's scope that grants them. */
  scopes?: Readonly<Record<string, string>>
  /** Default: `at+jwt` (RFC 9068). */
  typ?: string
}

/** Parses `https://issuer.example=acme,…`. */
export function parseTrust(text: string): readonly TrustSetting[] | undefined {
  return parseList(text, entry => {
    const [, issuer = '', workspace = ''] = groupsOf(/^(\S+)=([a-z0-9-]+)$/, entry)
    return issuer === '' ? undefined : { issuer, workspace }
  })
}

export function parseOrigins(text: string): readonly string[] | undefined {
  return parseList(text.toLowerCase(), entry => (URL.parse(entry)?.origin === entry ? entry : undefined))
}

/** A network in CIDR notation (RFC 4632): all addresses that start with the same `prefix` bits as this one. */
export type Network = { address: string; prefix: number; family: 'ipv4' | 'ipv6' }

export function parseNetworks(text: string): readonly Network[] | undefined {
  return parseList(text, parseNetwork)
}

function parseNetwork(text: string): Network | undefined {
  const [, address = '', bits] = groupsOf(/^([\da-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i, text)
  // `isIP` gives 0 for what is not an address.
  const maxPrefix = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const prefix = bits === undefined ? maxPrefix : Number(bits)
  if (maxPrefix === -1 || prefix > maxPrefix) return undefined
  return { address, prefix, family: maxPrefix === 32 ? 'ipv4' : 'ipv6' }
}

/** Parses `90s`, `15m` or `12h`. */
export function parseSeconds(text: string): number | undefined {
  const seconds = amountIn(text, /^(\d{1,6})([smh])$/, SECONDS)
  return seconds >= 0 ? seconds : undefined
}

const SECONDS: Units = { s: 1, m: 60, h: 3600 }

/** Parses bytes: `512`, `512 B`, `64 MiB`, `1GiB`. */
export function parseSize(text: string, min = 1): number | undefined {
  const bytes = amountIn(text, /^(\d{1,15})\s*((?:[KMG]i)?B|)$/, BYTES)
  return bytes >= min ? bytes : undefined
}

const BYTES: Units = { '': 1, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

type Units = Readonly<Record<string, number>>

/** The number of a text times its unit; NaN if the text has another form. */
function amountIn(text: string, form: RegExp, units: Units): number {
  const [, number, unit = ''] = groupsOf(form, text)
  return Number(number) * Number(units[unit])
}
