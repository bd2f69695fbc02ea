import { serial } from '../../../base/promise.ts'
import type { Lock, Locks } from '../locks.ts'
import type { Connection, Servers } from './connect.ts'
import { explainError } from './outages.ts'

/**
 * Uses Postgres advisory locks, each on its own connection: the lock ends with its connection. A shared connection
 * would be granted a lock that it already holds.
 */
export function openPostgresLocks({ connect, place }: Servers): Locks {
  return {
    tryAcquire: async (name, mode) => {
      const connection = await connect()
      try {
        await connection.ask(ANSWER_MS, NOTICE_LOSS)
        const acquire = mode === 'exclusive' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared'
        const [row] = await connection.ask(ANSWER_MS, `SELECT ${acquire}(${lockKey('$1')}) AS acquired`, [name])
        if (row?.acquired === true) return heldBy(connection, place)
        await connection.end()
        return undefined
      } catch (error) {
        connection.drop()
        throw explainError(error, place)
      }
    },
  }
}

/**
 * After a power or network failure of a machine, Postgres keeps its locks until it notices, by default after two hours;
 * with this setting, after 25 seconds.
 */
const NOTICE_LOSS = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3'

/** The time limit for statements that wait for no lock. */
const ANSWER_MS = 10_000

function heldBy({ ask, end }: Connection, place: string): Lock {
  const inTurn = serial() // The client accepts only one query at a time.
  const askServer = async () => {
    try {
      await ask(ANSWER_MS, 'SELECT 1')
    } catch (error) {
      throw explainError(error, place)
    }
  }
  return { assertHeld: () => inTurn(askServer), release: end }
}

/** An SQL expression that turns the name of a lock into its number. Stores in different schemas of one database have separate locks. */
export function lockKey(name: string): string {
  return `hashtextextended('housestyle ' || current_schema() || ' ' || ${name}, 0)`
}
