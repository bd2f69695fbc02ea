import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** An event that concerns access, for operators. It never holds a token or a secret. */
export type AccessEvent = {
  event:
    | 'token-refused'
    | 'scope-refused'
    | 'place-refused'
    | 'limit-refused'
    | 'client-refused'
    | 'token-issued'
    | 'token-revoked'
    | 'client-created'
    | 'client-changed'
    | 'client-deleted'
    | 'key-made'
    | 'key-retired'
    | 'share-created'
    | 'share-revoked'
    | 'share-refused'
    | 'files-rotated'
  reason?: string
  client?: string | undefined
  workspace?: string | undefined
  project?: string
  jti?: string | undefined
  kid?: string
  /** The id of a share link. */
  share?: string
  operation?: string
  /** Where the request came from. */
  address?: string
}

/** Records an event: a line of the log, and one more in its count. */
export type Audit = (event: AccessEvent) => void

/**
 * Records events in a log and, if given, in metrics. Anyone can cause refusals, so the log has at most 30 a minute of each
 * event and reason, then one line with the number of the others. At the level `debug` it has each; metrics count them all.
 */
export function openAudit(log: Log, metrics?: Pick<Metrics, 'countAccess'>): Audit {
  const minutes = new Map<string, Minute>()
  return event => {
    const { event: name, reason = '' } = event
    metrics?.countAccess(name, reason)
    if (!name.endsWith('-refused')) return log.info(event, name)
    const key = `${name} ${reason}`
    const minute = minutes.get(key) ?? { lines: 0, unlogged: 0 }
    if (minute.lines === 0) {
      minutes.set(key, minute)
      setTimeout(() => {
        minutes.delete(key)
        const { unlogged } = minute
        if (unlogged > 0) log.info({ event: name, ...(reason && { reason }), unlogged }, `more ${name} in a minute`)
      }, MINUTE_MS).unref()
    }
    const isLogged = minute.lines < MAX_LINES
    minute[isLogged ? 'lines' : 'unlogged']++
    log[isLogged ? 'info' : 'debug'](event, name)
  }
}

/** The lines of one kind of refusal in a minute, and how many refusals have none. */
type Minute = { lines: number; unlogged: number }

const MINUTE_MS = 60_000
const MAX_LINES = 30
