import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Something that operators want to know of who may read what: never with a token or a secret in it. */
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

/** Takes an event down: one line of the log, and one more in its count. */
export type Audit = (event: AccessEvent) => void

/** Takes events down in a log and, where there are, in metrics. */
export function openAudit(log: Log, metrics?: Pick<Metrics, 'countAccess'>): Audit {
  return event => {
    metrics?.countAccess(event.event, event.reason ?? '')
    log.info(event, event.event)
  }
}
