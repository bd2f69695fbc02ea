import { urlsOfHosts } from '../../../base/url-hosts.ts'

/** Where a catalogue in Postgres is. */
export type PostgresAddress = {
  /** An address for each host, in the order in which they are tried. */
  hosts: readonly HostAddress[]
  /** Which server will do. */
  target: SessionTarget
  /** How long a host has to answer, in milliseconds. */
  connectMs: number
}

/** One host as people call it, and how to connect to it, as the client reads it: the next is for what TLS keeps from the first. */
export type HostAddress = { name: string; urls: readonly string[] }

/** Of `target_session_attrs`: those that can be written to, and `any`. */
export type SessionTarget = 'any' | 'read-write' | 'primary'

/**
 * Reads an address as libpq does (PostgreSQL 17, §34.1.1.2 and §34.1.1.3), with several hosts, `target_session_attrs` and
 * `connect_timeout`. Of several hosts, only one that can be written to will do unless the address says otherwise.
 */
export function readPostgresAddress(text: string): PostgresAddress {
  const urls = (urlsOfHosts(text) ?? [text]).flatMap(oneForEachHostParameter)
  const { searchParams } = new URL(urls[0] ?? text)
  const named = searchParams.get('target_session_attrs')
  const seconds = Number(searchParams.get('connect_timeout'))
  return {
    hosts: urls.map(url => ({ name: hostName(new URL(url)), urls: asClientReads(new URL(url)) })),
    target: TARGETS.find(each => each === named) ?? (urls.length > 1 ? 'read-write' : 'any'),
    connectMs: seconds > 0 ? seconds * 1000 : CONNECT_MS,
  }
}

const TARGETS: readonly SessionTarget[] = ['any', 'read-write', 'primary']
const CONNECT_MS = 5000

/** `?host=a,b&port=5432,5433`; one port is for all of them. */
function oneForEachHostParameter(url: string): string[] {
  const { searchParams } = new URL(url)
  const hosts = searchParams.get('host')?.split(',') ?? []
  if (hosts.length < 2) return [url]
  const ports = searchParams.get('port')?.split(',') ?? []
  return hosts.map((host, at) => {
    const each = new URL(url)
    each.searchParams.set('host', host)
    const port = ports.length > 1 ? ports[at] : ports[0]
    if (port !== undefined) each.searchParams.set('port', port)
    return each.href
  })
}

function hostName({ hostname, port, searchParams }: URL): string {
  const host = searchParams.get('host') ?? (hostname || 'localhost')
  return host.startsWith('/') ? host : `${host}:${searchParams.get('port') ?? (port || '5432')}`
}

/**
 * The names of `sslmode` mean what they mean to libpq (§34.19.3), and not what the client takes them for otherwise. Its own
 * `prefer` is TLS with any certificate, and it knows neither `allow` nor, beside the names of libpq, its `no-verify`.
 */
function asClientReads(url: URL): string[] {
  const mode = url.searchParams.get('sslmode')
  if (mode === null) return [url.href]
  return (ATTEMPTS[mode] ?? [mode]).map(each => {
    const read = new URL(url)
    read.searchParams.set('sslmode', each)
    read.searchParams.set('uselibpqcompat', 'true')
    return read.href
  })
}

const ATTEMPTS: Readonly<Record<string, readonly string[]>> = {
  prefer: ['prefer', 'disable'],
  allow: ['disable', 'prefer'],
  'no-verify': ['prefer'],
}
