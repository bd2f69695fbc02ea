import { urlsOfHosts } from '../../../base/server-url.ts'

export type PostgresAddress = {
  /** One address per host, in the order of connection attempts. */
  hosts: readonly HostAddress[]
  /** The kind of server to connect to. */
  target: SessionTarget
  /** The time limit for a host to answer, in milliseconds. */
  connectMs: number
}

/**
 * A host: its name in messages, and URLs for the client. Each further URL is tried if the previous one fails because of
 * TLS.
 */
export type HostAddress = { name: string; urls: readonly string[] }

/** The supported values of `target_session_attrs`. */
export type SessionTarget = 'any' | 'read-write' | 'primary'

/**
 * Parses an address as libpq does (PostgreSQL 17, §34.1.1.2 and §34.1.1.3), with several hosts, `target_session_attrs`
 * and `connect_timeout`. With several hosts, the default is to connect only to a writable one.
 */
export function readPostgresAddress(text: string): PostgresAddress {
  const urls = (urlsOfHosts(text) ?? [text]).flatMap(oneForEachHostParameter)
  const { searchParams } = new URL(urls[0] ?? text)
  const named = searchParams.get('target_session_attrs')
  const seconds = Number(searchParams.get('connect_timeout'))
  return {
    hosts: urls.map(url => ({ name: hostName(new URL(url)), urls: urlsForClient(new URL(url)) })),
    target: TARGETS.find(each => each === named) ?? (urls.length > 1 ? 'read-write' : 'any'),
    connectMs: seconds > 0 ? seconds * 1000 : CONNECT_MS,
  }
}

const TARGETS: readonly SessionTarget[] = ['any', 'read-write', 'primary']
const CONNECT_MS = 5000

/** `?host=a,b&port=5432,5433`; a single port applies to all hosts. */
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
 * Gives `sslmode` the meaning it has in libpq (§34.19.3). By default, `prefer` of the client means TLS with any
 * certificate. The client does not know `allow`, and in libpq mode it does not know `no-verify`.
 */
function urlsForClient(url: URL): string[] {
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
