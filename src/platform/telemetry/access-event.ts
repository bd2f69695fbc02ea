import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** An access event, for operators. It never contains a token or a secret. */
export type AccessEvent = {
  event:
    | 'token-refused'
    | 'scope-refused'
    | 'place-refused'
    | 'limit-refused'
    | 'client-refused'
    | 'agent-refused'
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
    | 'host-added'
    | 'host-removed'
    | 'host-refused'
    | 'form-refused'
    | 'page-refused'
    | 'draft-reviewed'
    | 'dismissed'
    | 'publication-planned'
    | 'publication-cancelled'
    | 'signed-in'
    | 'sign-in-refused'
    | 'signed-out'
    | 'sessions-ended'
    | 'signin-added'
    | 'signin-removed'
    | 'connection-allowed'
    | 'connection-refused'
    | 'connection-ended'
    | 'webhook-created'
    | 'webhook-rotated'
    | 'webhook-deleted'
    | 'hook-refused'
    | 'edit_saved'
    | 'edit_refused'
    | 'published'
    | 'restored'
    | 'unpublished'
  reason?: string
  /** The number of a revision that was published, and how: by a command, on a page, at a planned time, or after a push. */
  revision?: number
  via?: 'command' | 'page' | 'plan' | 'push'
  /** The translations that have a revision with the styles and files of a publication. */
  translations?: readonly string[]
  /** The keys of `workspace.yaml` that a publication changed. */
  workspaceChanges?: readonly string[]
  client?: string | undefined
  workspace?: string | undefined
  project?: string | undefined
  jti?: string | undefined
  kid?: string
  share?: string
  signin?: string
  sessions?: number
  /** A keyed hash of the issuer and its name for a person, or a share link. */
  subject?: string | undefined
  /** The hash of the person who ended the connection of another one. */
  by?: string
  /** The person's address, only if the operator wants it in the log. */
  email?: string
  /** The address that an issuer states without verifying it, in the same case. */
  unverifiedEmail?: string
  connection?: string
  webhook?: string
  /** Why a change was not saved, in words for operators. */
  problem?: string
  /** The commit of saved changes. */
  commit?: string
  /** The paths of the files that someone changed, or tried to change. */
  paths?: readonly string[]
  operation?: string
  /** The status of the reply to a refused request. */
  status?: number
  /** The host that was added or removed, or that a request names, if it is not that of the service. */
  host?: string
  address?: string
}

export type Audit = (event: AccessEvent) => void

/**
 * Records events in a log and, if given, in metrics. Anyone can cause refusals, so the log has at most 30 lines per
 * minute for each event and reason, one for each host that is refused, then one line with the number of the others. The
 * level `debug` logs each one; metrics count them all.
 */
export function openAudit(log: Log, metrics?: Pick<Metrics, 'countAccess'>): Audit {
  const minutes = new Map<string, { lines: number; unlogged: number; hosts: Set<string> }>()
  return event => {
    const { event: name, reason = '' } = event
    metrics?.countAccess(name, reason)
    if (!/[-_]refused$/.test(name)) return log.info(event, name)
    const key = `${name} ${reason}`
    const minute = minutes.get(key) ?? { lines: 0, unlogged: 0, hosts: new Set() }
    // The first line begins the minute.
    if (minute.lines === 0) {
      minutes.set(key, minute)
      setTimeout(() => {
        minutes.delete(key)
        const { unlogged } = minute
        if (unlogged > 0) log.info({ event: name, ...(reason && { reason }), unlogged }, `more ${name} in a minute`)
      }, MINUTE_MS).unref()
    }
    const host = event.host?.toLowerCase()
    const isLogged = minute.lines < MAX_LINES && (host === undefined || !minute.hosts.has(host))
    if (isLogged && host !== undefined) minute.hosts.add(host)
    minute[isLogged ? 'lines' : 'unlogged']++
    log[isLogged ? 'info' : 'debug'](event, name)
  }
}

const MINUTE_MS = 60_000
const MAX_LINES = 30
