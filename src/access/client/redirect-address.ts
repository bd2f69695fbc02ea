/**
 * Whether a program may receive codes at an address: https, http on this machine, whose port may differ (RFC 8252
 * §7.3), or its own scheme (§7.1), such as `com.example.app:/callback`.
 */
export function isRedirectAddress(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#') || text.length > MAX_LENGTH) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return !LOOPBACK.has(hostname)
  if (protocol === 'http:') return LOOPBACK.has(hostname)
  return !NOT_FOR_PROGRAMS.has(protocol)
}

const MAX_LENGTH = 2000
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Schemes that browsers handle themselves. */
const NOT_FOR_PROGRAMS: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'mailto:',
  'tel:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
])
