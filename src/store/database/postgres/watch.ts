import { setTimeout as sleep } from 'node:timers/promises'
import type { OutageReporter } from '../../../telemetry/outage-log.ts'
import { awaitAnswer, type Connection, type Servers } from './connect.ts'
import { explainError, isLostConnection } from './outages.ts'

const CHANNEL = 'housestyle'

/**
 * Tells all who listen that a transaction is committed, as soon as it is, if it has recorded a change: the leases that
 * nodes renew all the time would otherwise wake every node of a fleet.
 */
export const NOTIFY = `SELECT pg_notify('${CHANNEL}', '') FROM change
  WHERE number = (SELECT MAX(number) FROM change) AND xmin = pg_current_xact_id_if_assigned()::xid`

/**
 * Listens for transactions of any process, and asks twice a second for the latest change besides: a notification is lost
 * if the connection was. A connection that has ended or does not answer is made again.
 */
export function watchPostgres({ connect, place }: Servers, changed: () => void, reporter: OutageReporter): () => void {
  const stopped = new AbortController()
  const follow = async (connection: Connection, answered: () => void) => {
    const { client } = connection
    const query = (sql: string) => awaitAnswer(ANSWER_MS, connection, client.query(sql))
    let wake = new AbortController()
    for (const event of ['notification', 'end', 'error'] as const) client.on(event, () => wake.abort())
    await query(`LISTEN ${CHANNEL}`)
    while (!stopped.signal.aborted) {
      wake = new AbortController()
      const { rows } = await query('SELECT COALESCE(MAX(number), 0) AS number FROM change')
      const number = rows[0]?.number
      answered()
      // Also at first: something may have been committed since the caller has read.
      if (number !== latest) changed()
      latest = number
      await pause(wake.signal)
    }
  }
  let latest: unknown
  const pause = (...signals: AbortSignal[]) =>
    sleep(POLL_MS, undefined, { ref: false, signal: AbortSignal.any([stopped.signal, ...signals]) }).catch(
      () => undefined,
    )
  const loop = async () => {
    while (!stopped.signal.aborted) {
      let hasAnswered = false
      try {
        const connection = await connect()
        await follow(connection, () => {
          hasAnswered = true
          reporter.worked()
        }).finally(connection.end)
      } catch (error) {
        // A connection that was lost is made again at once: it is an outage if that fails.
        if (hasAnswered && isLostConnection(error)) continue
        if (!stopped.signal.aborted) reporter.failed(explainError(error, place))
      }
      await pause()
    }
  }
  void loop()
  return () => stopped.abort()
}

const POLL_MS = 500
const ANSWER_MS = 3000
