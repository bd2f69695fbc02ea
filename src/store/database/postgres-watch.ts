import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { OutageReporter } from '../../telemetry/outage-log.ts'

const CHANNEL = 'housestyle'

/** Tells all who listen that a transaction is committed, as soon as it is. */
export const NOTIFY = `NOTIFY ${CHANNEL}`

/**
 * Listens for transactions of any process, and asks twice a second for the latest change besides: a notification is lost
 * if the connection was. A connection that has ended is made again.
 */
export function watchPostgres(connect: () => Client, changed: () => void, reporter: OutageReporter): () => void {
  const stopped = new AbortController()
  const follow = async (client: Client) => {
    let wake = new AbortController()
    client.on('notification', () => wake.abort())
    client.on('end', () => wake.abort())
    client.on('error', () => wake.abort())
    await client.connect()
    await client.query(`LISTEN ${CHANNEL}`)
    while (!stopped.signal.aborted) {
      wake = new AbortController()
      const number = await latestChange(client)
      reporter.worked()
      if (latest !== undefined && number !== latest) changed()
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
      const client = connect()
      await follow(client).catch(error => {
        if (!stopped.signal.aborted) reporter.failed(error)
      })
      await client.end().catch(() => undefined)
      await pause()
    }
  }
  void loop()
  return () => stopped.abort()
}

const POLL_MS = 500

async function latestChange(client: Client): Promise<unknown> {
  const { rows } = await client.query('SELECT COALESCE(MAX(number), 0) AS number FROM change')
  return rows[0]?.number
}
