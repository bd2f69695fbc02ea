import type { Client } from 'pg'
import type { Lock, Locks } from './locks.ts'

/**
 * Uses advisory locks of Postgres, each on a connection of its own: the lock ends with it. One connection would get a
 * lock that it holds already.
 */
export function openPostgresLocks(connect: () => Promise<Client>): Locks {
  return {
    remove: () => undefined,
    tryAcquire: async (name, mode) => {
      const client = await connect()
      try {
        const acquire = mode === 'exclusive' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared'
        const { rows } = await client.query(`SELECT ${acquire}(${LOCK_KEY}) AS acquired`, [name])
        if (rows[0]?.acquired === true) return heldBy(client)
        await client.end()
        return undefined
      } catch (error) {
        await client.end().catch(() => undefined)
        throw error
      }
    },
  }
}

function heldBy(client: Client): Lock {
  return {
    assertHeld: async () => void (await client.query('SELECT 1')),
    release: () => client.end().catch(() => undefined),
  }
}

/** The number of a lock by its name, the parameter: stores in several schemas of one database have locks of their own. */
export const LOCK_KEY = `hashtextextended('housestyle ' || current_schema() || ' ' || $1, 0)`
