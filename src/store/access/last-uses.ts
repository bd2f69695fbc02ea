import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database, Queries } from '../database/database.ts'

/** The kinds of items whose last use is recorded, which are the names of their tables. */
const KINDS = ['token', 'client', 'share', 'connection'] as const

export type UsedKind = (typeof KINDS)[number]

/** An item, and the start of the hour in which it was used, in milliseconds since 1970. */
export type LastUse = { kind: UsedKind; id: string; hourMs: number }

/**
 * Records uses in one transaction. A later recorded use stays, and unknown items are ignored. No process needs to know,
 * so this records no change, and a power failure may lose it.
 */
export async function recordLastUses(database: Database, uses: readonly LastUse[]): Promise<void> {
  await database.transaction(
    async queries => {
      for (const kind of KINDS) {
        const usesOfKind = uses.filter(use => use.kind === kind)
        for (const [hourMs, usesOfHour] of Map.groupBy(usesOfKind, use => use.hourMs))
          await recordHour(queries, kind, hourMs, usesOfHour.map(({ id }) => id).sort())
      }
    },
    { durable: false },
  )
}

/** Records the uses of a kind in an hour. The ids are in order, so that two processes do not wait for each other's rows. */
async function recordHour(queries: Queries, kind: UsedKind, hourMs: number, ids: string[]): Promise<void> {
  const key = kind === 'token' ? 'jti' : 'id'
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const batch = ids.slice(at, at + BATCH_SIZE)
    await queries.run(
      `UPDATE ${kind} SET last_used_at = ? WHERE ${key} IN (${batch.map(() => '?').join()})
       AND (last_used_at IS NULL OR last_used_at < ?)`,
      hourMs,
      ...batch,
      hourMs,
    )
    await nextTurn()
  }
}

const BATCH_SIZE = 100
