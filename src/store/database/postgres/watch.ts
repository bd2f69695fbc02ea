import { setTimeout as sleep } from 'node:timers/promises'
import type { OutageReporter } from '#platform/telemetry/outage-log.ts'
import type { Row } from '../database.ts'
import type { Connection, Servers } from './connect.ts'
import { explainError, isLostConnection } from './outages.ts'

/**
 * Listens for commits of any process, and also queries the latest change twice a second, because a lost connection
 * loses notifications. Reconnects if a connection ends or does not answer.
 */
export function watchPostgres(
  { connect, place }: Servers,
  changed: (isReplaced: boolean) => void,
  reporter: OutageReporter,
): () => void {
  const stopped = new AbortController()
  const compare = compareLatest(changed)
  const pause = (...signals: AbortSignal[]) =>
    sleep(POLL_MS, undefined, { ref: false, signal: AbortSignal.any([stopped.signal, ...signals]) }).catch(
      () => undefined,
    )
  /** Reports changes until the connection fails. A notification ends the pause, or the next one if there is none now. */
  const follow = async (connection: Connection, answered: () => void) => {
    let wake = new AbortController()
    for (const event of ['notification', 'end', 'error'] as const) connection.client.on(event, () => wake.abort())
    await connection.ask(WATCH_ANSWER_MS, `LISTEN ${CHANNEL}`)
    while (!stopped.signal.aborted) {
      wake = new AbortController()
      const [now = {}] = await connection.ask(WATCH_ANSWER_MS, LATEST)
      answered()
      compare(now)
      await pause(wake.signal)
    }
  }
  const connectAndFollow = async () => {
    while (!stopped.signal.aborted) {
      let hasAnswered = false
      try {
        const connection = await connect()
        await follow(connection, () => {
          hasAnswered = true
          reporter.worked()
        }).finally(connection.end)
      } catch (error) {
        // Reconnects at once after a lost connection; only a failure of that is an outage.
        if (hasAnswered && isLostConnection(error)) continue
        if (!stopped.signal.aborted) reporter.failed(explainError(error, place))
      }
      await pause()
    }
  }
  void connectAndFollow()
  return () => stopped.abort()
}

/** Makes a function that compares the latest change with the previous one, and calls `changed` if it is another. */
function compareLatest(changed: (isReplaced: boolean) => void): (now: Row) => void {
  let latest: Row = {}
  return now => {
    const isReplaced = latest.server !== undefined && now.server !== latest.server
    // Also the first time: something may have been committed since the caller read the database.
    if (isReplaced || now.number !== latest.number) changed(isReplaced)
    latest = now
  }
}

/** After a failover or a restored backup, new changes may have the numbers of lost ones, but the server is another one. */
const LATEST = `SELECT COALESCE(MAX(number), 0) AS number,
  pg_postmaster_start_time()::text || 'change'::regclass::oid AS server FROM change`
const POLL_MS = 500
const WATCH_ANSWER_MS = 3000

const CHANNEL = 'housestyle'

/**
 * Notifies all listeners when a transaction that has recorded a change is committed. Leases, which nodes renew
 * constantly, would otherwise wake every node.
 */
export const NOTIFY = `SELECT pg_notify('${CHANNEL}', '') FROM change
  WHERE number = (SELECT MAX(number) FROM change) AND xmin = pg_current_xact_id_if_assigned()::xid`
