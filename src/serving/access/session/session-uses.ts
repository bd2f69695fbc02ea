import type { Log } from '#platform/telemetry/log.ts'
import { recordSessionUses, type SessionRecord } from '#store/access/sessions.ts'
import type { Database } from '#store/database/database.ts'
import { openMinuteWriter } from '#store/minute-writer.ts'

export type SessionUses = {
  /** Marks a request. The store learns of it soon, in the background. */
  mark: (session: StoredUse) => void
  /** Whether a session has had no request for too long, as far as this process and this record of it know. */
  isIdle: (session: StoredUse) => boolean
  /** The limit with its tolerance, in milliseconds; undefined: none. */
  endsAfterMs: number | undefined
  write: () => Promise<void>
  stop: () => Promise<void>
}

type StoredUse = Pick<SessionRecord, 'id' | 'usedAt' | 'createdAt'>

type Options = {
  database: Database
  /** Milliseconds since 1970. */
  clock: () => number
  log: Pick<Log, 'error'>
  /** How long a session lasts without a request, in seconds; undefined: no limit. */
  idleSeconds: number | undefined
}

/** The time of the last request in this process, and the time in the store, in milliseconds. */
type Use = { usedMs: number; storedMs: number }

/**
 * Opens the uses of sessions. At most one write for a session begins in half a tolerance, so the time in the store is
 * never behind by a whole one: other processes never end a session in use. While the store cannot be written, sessions
 * end only when they expire.
 */
export function openSessionUses(options: Options): SessionUses {
  const { clock, idleSeconds } = options
  const writeAfterMs = toleranceMs(idleSeconds) / 2
  const endsAfterMs = endsAfter(idleSeconds)
  const uses = new Map<string, Use>()
  const { writeSoon, hasFailed, write, stop } = openWriter(options, uses)
  return {
    endsAfterMs,
    mark: session => {
      const { id } = session
      const now = clock()
      const readMs = storedMs(session)
      // This process may have written a later use than the one that was read with the session.
      const use = { usedMs: now, storedMs: Math.max(readMs, uses.get(id)?.storedMs ?? readMs) }
      addLatest(uses, id, use)
      if (now - use.storedMs >= writeAfterMs) writeSoon(id)
    },
    isIdle: session => {
      if (idleSeconds === undefined || endsAfterMs === undefined || hasFailed()) return false
      const now = clock()
      const usedHereMs = uses.get(session.id)?.usedMs ?? 0
      const isIdleHere = now - usedHereMs >= idleSeconds * 1000
      // The store may lack a later use in another process, so the tolerance counts for it.
      return isIdleHere && now - storedMs(session) >= endsAfterMs
    },
    write,
    stop,
  }
}

/** Adds a use as the last in order. Beyond the limit, drops the first, which had no request for the longest time. */
function addLatest(uses: Map<string, Use>, id: string, use: Use): void {
  uses.delete(id)
  uses.set(id, use)
  const [oldestId] = uses.keys()
  if (uses.size > MAX_SESSIONS && oldestId !== undefined) uses.delete(oldestId)
}

/** Writes the latest uses of sessions to the store, in the background. `hasFailed`: the last write failed. */
function openWriter({ database, log }: Options, uses: Map<string, Use>) {
  const dueIds = new Set<string>()
  let failed = false
  let timer: NodeJS.Timeout | undefined
  const writeDue = async () => {
    const ids = dueIds.values().take(MAX_AT_ONCE).toArray()
    if (ids.length === 0) return
    const written = ids.map(id => ({ id, usedMs: uses.get(id)?.usedMs ?? 0 }))
    await recordSessionUses(database, written).catch((error: unknown) => {
      failed = true
      throw error
    })
    failed = false
    for (const { id, usedMs } of written) {
      dueIds.delete(id)
      const use = uses.get(id)
      if (use) use.storedMs = usedMs
    }
  }
  const { write, stop } = openMinuteWriter(writeDue, log, 'cannot record the last uses of sessions')
  return {
    writeSoon: (id: string) => {
      if (dueIds.has(id) || dueIds.size >= MAX_SESSIONS) return
      dueIds.add(id)
      timer ??= setTimeout(() => {
        timer = undefined
        void write()
      }, MAX_WAIT_MS).unref()
    },
    hasFailed: () => failed,
    write,
    stop: () => {
      clearTimeout(timer)
      return stop()
    },
  }
}

/** The time without a request after which a session has ended in every process; undefined: never. */
export function endsAfter(idleSeconds: number | undefined): number | undefined {
  return idleSeconds === undefined ? undefined : idleSeconds * 1000 + toleranceMs(idleSeconds)
}

/** The most by which the store may be behind: a twentieth of the limit, at most five minutes. */
function toleranceMs(idleSeconds: number | undefined): number {
  const idleMs = (idleSeconds ?? Number.POSITIVE_INFINITY) * 1000
  return Math.min(MAX_TOLERANCE_MS, idleMs / 20)
}

const MAX_TOLERANCE_MS = 300_000

function storedMs({ usedAt, createdAt }: StoredUse): number {
  return (usedAt ?? createdAt).getTime()
}

/** Collects the uses of a moment, and lets the replies go first. */
const MAX_WAIT_MS = 500
/** Others wait for the next write, so that a transaction stays short. */
const MAX_AT_ONCE = 10_000
/** More people than use a process within a session's time; about 20 MB. */
const MAX_SESSIONS = 100_000
