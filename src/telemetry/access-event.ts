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

/** Records events in a log and, if given, in metrics. */
export function openAudit(log: Log, metrics?: Pick<Metrics, 'countAccess'>): Audit {
  return event => {
    metrics?.countAccess(event.event, event.reason ?? '')
    log.info(event, event.event)
  }
}
