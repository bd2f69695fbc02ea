import type { Lock, Locks } from '../locks.ts'
import { awaitAnswer, type Connection, type Servers } from './connect.ts'
import { explainError } from './outages.ts'

/**
 * Uses advisory locks of Postgres, each on a connection of its own: the lock ends with it. One connection would get a
 * lock that it holds already.
 */
export function openPostgresLocks({ connect, place }: Servers): Locks {
  return {
    tryAcquire: async (name, mode) => {
      const connection = await connect()
      try {
        await awaitAnswer(ANSWER_MS, connection, connection.client.query(NOTICE_LOSS))
        const acquire = mode === 'exclusive' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared'
        const asked = connection.client.query(`SELECT ${acquire}(${lockKey('$1')}) AS acquired`, [name])
        const { rows } = await awaitAnswer(ANSWER_MS, connection, asked)
        if (rows[0]?.acquired === true) return heldBy(connection, place)
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
 * A machine that loses its power or its network says no farewell, and Postgres keeps its locks until it misses it, by
 * default after two hours: with this, after 25 seconds.
 */
const NOTICE_LOSS = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3'

/** These statements wait for nobody. */
const ANSWER_MS = 10_000

/** Whoever asks at the same time as others asks after them: the client takes one question at a time. */
function heldBy(connection: Connection, place: string): Lock {
  let last: Promise<unknown> = Promise.resolve()
  const ask = () => awaitAnswer(ANSWER_MS, connection, connection.client.query('SELECT 1'))
  return {
    assertHeld: async () => {
      try {
        last = last.then(ask)
        await last
      } catch (error) {
        throw explainError(error, place)
      }
    },
    release: connection.end,
  }
}

/** The number of a lock by its name, as SQL: stores in several schemas of one database have locks of their own. */
export function lockKey(name: string): string {
  return `hashtextextended('housestyle ' || current_schema() || ' ' || ${name}, 0)`
}
