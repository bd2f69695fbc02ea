import { urlsOfHosts } from '../../../base/server-url.ts'

export type PostgresAddress = {
  /** One address per host, in the order of connection attempts. */
  hosts: readonly HostAddress[]
  /** The kind of server to connect to. */
  target: SessionTarget
  /** The time limit for a host to answer, in milliseconds. */
  connectMs: number
}

/** A host: its name in messages, and its URL for the client. */
type HostAddress = { name: string; url: string }

/** The supported values of `target_session_attrs`. */
export type SessionTarget = 'any' | 'read-write' | 'primary'

/**
 * Parses an address as libpq does (PostgreSQL 17, §34.1.1.2 and §34.1.1.3), with several hosts, `target_session_attrs`
 * and `connect_timeout`. With several hosts, the default is to connect only to a writable one.
 */
export function readPostgresAddress(text: string): PostgresAddress {
  const urls = urlsOfHosts(text) ?? [text]
  const { searchParams } = new URL(urls[0] ?? text)
  const named = searchParams.get('target_session_attrs')
  const seconds = Number(searchParams.get('connect_timeout'))
  return {
    hosts: urls.map(url => ({ name: hostName(new URL(url)), url: urlForClient(url) })),
    target: TARGETS.find(each => each === named) ?? (urls.length > 1 ? 'read-write' : 'any'),
    connectMs: seconds > 0 ? seconds * 1000 : CONNECT_MS,
  }
}

const TARGETS: readonly SessionTarget[] = ['any', 'read-write', 'primary']
const CONNECT_MS = 5000

function hostName({ hostname, port, searchParams }: URL): string {
  const host = searchParams.get('host') ?? (hostname || 'localhost')
  return host.startsWith('/') ? host : `${host}:${searchParams.get('port') ?? (port || '5432')}`
}

/**
 * Gives `sslmode` the meaning it has in libpq (§34.19.3), except that `prefer` and `allow` require TLS. By default, the
 * client means `verify-full` by `require`.
 */
function urlForClient(url: string): string {
  const read = new URL(url)
  const mode = read.searchParams.get('sslmode')
  if (mode === null) return read.href
  read.searchParams.set('sslmode', ANY_CERTIFICATE.has(mode) ? 'prefer' : mode)
  read.searchParams.set('uselibpqcompat', 'true')
  return read.href
}

const ANY_CERTIFICATE: ReadonlySet<string> = new Set(['prefer', 'allow', 'no-verify'])
