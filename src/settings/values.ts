import { isIP } from 'node:net'
import { urlsOfHosts } from '../base/url-hosts.ts'

/* Every function parses the text of a setting, and returns undefined if the text has another form. */

export function parseWholeNumber(text: string, min: number, max: number): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return number >= min && number <= max ? number : undefined
}

/** An address without a slash at its end, or empty if none is set. */
export function parsePublicUrl(text: string): string | undefined {
  if (text === '') return ''
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain = /^https?:$/.test(url.protocol) && !/[?#@]/.test(text)
  return isPlain ? url.href.replace(/\/+$/, '') : undefined
}

/**
 * An address of a Postgres database (PostgreSQL 17, §34.1.1.2), of one host or of several, or empty if none is set. As
 * libpq does, it refuses a parameter that it does not know: with `sslmod=verify-full` there would be no TLS.
 */
export function parseDatabase(text: string): string | undefined {
  if (text === '') return text
  return parametersOf(text)?.every(isDatabaseParameter) ? text : undefined
}

/** The name of the parameter that `parseDatabase` refuses an address for, unless that might be a part of a password. */
export function refusedParameter(text: string): string | undefined {
  if (/\?.*@/s.test(text)) return undefined
  return parametersOf(text)?.find(each => !isDatabaseParameter(each))?.[0]
}

type Parameter = [name: string, value: string]

function parametersOf(text: string): Parameter[] | undefined {
  const [first] = (/^postgres(?:ql)?:\/\//i.test(text) && urlsOfHosts(text)) || []
  return first === undefined ? undefined : [...new URL(first).searchParams]
}

function isDatabaseParameter([name, value]: Parameter): boolean {
  return DATABASE_PARAMETERS.test(`${name}=${value}`)
}

/** What is heeded, with what it may be. Only servers that can be written to are of use. */
const DATABASE_PARAMETERS =
  /^(?:target_session_attrs=(?:any|read-write|primary)?|sslmode=(?:disable|allow|prefer|require|verify-ca|verify-full|no-verify)|connect_timeout=\d*|(?:host|port|user|password|options|application_name|client_encoding|sslrootcert|sslcert|sslkey|sslnegotiation|ssl|uselibpqcompat|statement_timeout|lock_timeout|idle_in_transaction_session_timeout)=.*)$/s

/** How many requests a workspace may make in how many seconds. */
export type Rate = { requests: number; seconds: number }

export function parseRate(text: string): Rate | 'off' | undefined {
  if (text === 'off') return 'off'
  const [, requests, seconds] = /^(\d{1,7})\/(\d{1,5})$/.exec(text) ?? []
  const rate = { requests: Number(requests), seconds: Number(seconds) }
  return rate.requests > 0 && rate.seconds > 0 ? rate : undefined
}

export function parseTrust(text: string): { issuer: string; workspace: string }[] | undefined {
  const entries = text.split(',').flatMap(entry => entry.trim() || [])
  const parsed = entries.flatMap(entry => {
    const [, issuer, workspace] = /^(\S+)=([a-z0-9-]+)$/.exec(entry) ?? []
    return issuer === undefined || workspace === undefined ? [] : [{ issuer, workspace }]
  })
  return parsed.length === entries.length ? parsed : undefined
}

export function parseOrigins(text: string): string[] | undefined {
  const origins = text.split(',').flatMap(origin => origin.trim() || [])
  return origins.every(origin => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined
}

/** A network in CIDR notation (RFC 4632): all addresses that start with the same `prefix` bits as this one. */
export type Network = { address: string; prefix: number; family: 'ipv4' | 'ipv6' }

export function parseNetworks(text: string): Network[] | undefined {
  const entries = text.split(',').flatMap(entry => entry.trim() || [])
  const networks = entries.flatMap(entry => parseNetwork(entry) ?? [])
  return networks.length === entries.length ? networks : undefined
}

function parseNetwork(text: string): Network | undefined {
  const [, address = '', bits] = /^([\da-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text) ?? []
  const maxPrefix = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const prefix = bits === undefined ? maxPrefix : Number(bits)
  if (maxPrefix === -1 || prefix > maxPrefix) return undefined
  return { address, prefix, family: maxPrefix === 32 ? 'ipv4' : 'ipv6' }
}

export function parseSeconds(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number) * (SECONDS[unit] ?? Number.NaN)
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** A size in bytes, of at least one. */
export function parseSize(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,15})\s*(|B|KiB|MiB|GiB)$/.exec(text) ?? []
  const bytes = Number(number) * (UNITS[unit ?? ''] ?? Number.NaN)
  return bytes > 0 ? bytes : undefined
}

const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }
