/**
 * Whether a program may receive codes at an address: https, http on this machine, whose port may differ (RFC 8252
 * §7.3), or the scheme of a program: one with a dot (§7.1), such as `com.example.app:/callback`, or a known one. Browsers
 * and operating systems open any number of other schemes themselves, such as `search-ms:`.
 */
export function isRedirectAddress(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#') || text.length > MAX_LENGTH) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return !LOOPBACK.has(hostname)
  if (protocol === 'http:') return LOOPBACK.has(hostname)
  return KNOWN_PROGRAMS.has(protocol) || WITH_DOT.test(protocol)
}

const MAX_LENGTH = 2000
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const WITH_DOT = /^[a-z][a-z\d-]*(?:\.[a-z\d-]+)+:$/

/** Schemes without a dot that widely used programs register. */
const KNOWN_PROGRAMS: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:'])
