import { withoutUndefined } from '#platform/base/object.ts'
import { groupsOf } from '#platform/base/text.ts'

/** The last reply of a host by https or http, as git traces it. */
export type GitReply = {
  status: number
  /** The address without query to which the host redirects. */
  target?: string
  /** The time for which the host asks not to be asked again (RFC 9110 §10.2.3). */
  waitMs?: number
}

/** The environment that makes git write the header fields of replies to its errors, with redacted credentials. */
export const TRACE = { GIT_TRACE_CURL: '1', GIT_TRACE_CURL_NO_DATA: '1', GIT_TRACE_REDACT: '1' } as const

/** Whether a line is of such a trace: `12:34:56.789012 http.c:845 …`. */
export function isTraced(line: string): boolean {
  return /^\d\d:\d\d:\d\d\.\d+ [\w.-]+:\d+ /.test(line)
}

/** Reads the last reply from a command's errors; undefined if the host did not reply. */
export function readReply(stderr: string, url: string, now: Date): GitReply | undefined {
  const received = stderr.split(/[\r\n]+/).flatMap(line => groupsOf(RECEIVED, line)[1] ?? [])
  const statusAt = received.findLastIndex(line => STATUS.test(line))
  if (statusAt === -1) return undefined
  const fields = received.slice(statusAt + 1)
  const fieldOf = (name: string) =>
    fields
      .find(line => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      ?.trim()
  const location = fieldOf('location')
  const retryAfter = fieldOf('retry-after')
  const target = location === undefined ? undefined : targetOf(location, url)
  const waitMs = retryAfter === undefined ? undefined : waitOf(retryAfter, now)
  const status = Number(groupsOf(STATUS, received[statusAt] ?? '')[1])
  return { status, ...withoutUndefined({ target, waitMs }) }
}

const RECEIVED = /^\d\d:\d\d:\d\d\.\d+ http\.c:\d+ +<= Recv header: ?(.*)$/
const STATUS = /^HTTP\/[\d.]+ (\d{3})/

/** The new address of a repository from that of its first request, which git asks for `/info/refs?…`. */
function targetOf(location: string, url: string): string | undefined {
  const base = `${url}/`
  if (!URL.canParse(location, base)) return undefined
  const { protocol, host, pathname } = new URL(location, base)
  return /^https?:$/.test(protocol) ? `${protocol}//${host}${pathname.replace(/\/info\/refs$/, '')}` : undefined
}

/** The milliseconds of `Retry-After`, which are seconds or a date (RFC 9110 §10.2.3); at most a day. */
function waitOf(text: string, now: Date): number | undefined {
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return ms > 0 ? Math.min(ms, MAX_WAIT_MS) : undefined
}

const MAX_WAIT_MS = 24 * 60 * 60_000
