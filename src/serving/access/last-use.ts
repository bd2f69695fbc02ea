import type { Log } from '#platform/telemetry/log.ts'
import { type LastUse, recordLastUses, type UsedKind } from '#store/access/last-uses.ts'
import type { Database } from '#store/database/database.ts'
import { type MinuteWriter, openMinuteWriter } from '#store/minute-writer.ts'

/** Marks the use of a stored item, such as a token by its `jti`; cheap enough for each request. */
export type MarkUse = (kind: UsedKind, id: string, nowMs: number) => void

/**
 * The uses that are not in the store yet. They are kept to the hour, so each item is written at most once an hour: a write
 * for each request would cost more than the request. Writing them records no change, so no process reloads anything.
 */
export type Uses = {
  mark: MarkUse
  /** The first uses that are not yet written. */
  due: (limit: number) => LastUse[]
  /** Forgets uses that are written, unless a later hour has replaced them. */
  written: (uses: readonly LastUse[]) => void
}

/** Opens the uses of this process. Beyond `maxItems` in an hour, or unwritten, further items are not recorded. */
export function openUses(maxItems = MAX_ITEMS): Uses {
  const unwritten = new Map<string, LastUse>()
  let hourMs = 0
  let marked = emptySets()
  return {
    mark: (kind, id, nowMs) => {
      if (nowMs < hourMs || nowMs >= hourMs + HOUR_MS) {
        hourMs = startOfHour(nowMs)
        marked = emptySets()
      }
      const ids = marked[kind]
      if (ids.has(id) || ids.size >= maxItems) return
      ids.add(id)
      const key = `${kind} ${id}`
      if (unwritten.has(key) || unwritten.size < maxItems) unwritten.set(key, { kind, id, hourMs })
    },
    due: limit => unwritten.values().take(limit).toArray(),
    written: uses => {
      for (const use of uses) {
        const key = `${use.kind} ${use.id}`
        if (unwritten.get(key) === use) unwritten.delete(key)
      }
    },
  }
}

/** The start of the hour after a time, in milliseconds. */
export function nextHour(nowMs: number): number {
  return startOfHour(nowMs) + HOUR_MS
}

function startOfHour(nowMs: number): number {
  return nowMs - (nowMs % HOUR_MS)
}

function emptySets(): Record<UsedKind, Set<string>> {
  return { token: new Set(), client: new Set(), share: new Set(), connection: new Set() }
}

const HOUR_MS = 3_600_000
/** More live tokens or links than a service sees in an hour; about 20 MB. */
const MAX_ITEMS = 100_000

export function openUseWriter(database: Database, uses: Uses, log: Pick<Log, 'error'>): MinuteWriter {
  const writeDue = async () => {
    const due = uses.due(MAX_AT_ONCE)
    if (due.length === 0) return
    await recordLastUses(database, due)
    uses.written(due)
  }
  return openMinuteWriter(writeDue, log, 'cannot record the last uses of tokens and links')
}

/** Others wait for the next minute, so that a transaction stays short. */
const MAX_AT_ONCE = 10_000
