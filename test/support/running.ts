import { readSettings } from '#platform/settings/settings.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { startService } from '#program/compose/compose.ts'
import { silent } from './service.ts'
import type { TemporaryStore } from './temporary-store.ts'
import { until } from './until.ts'

/** A service in this process on a free port; it stops with the tests. */
export type RunningService = { url: string; port: number; stop: () => Promise<void> }

/** Starts the service of a store as `serve` does. */
export async function runningService(
  { store, data, beforeEnd }: Pick<TemporaryStore, 'store' | 'data' | 'beforeEnd'>,
  flags: Readonly<Record<string, string>> = {},
  log: Log = silent,
): Promise<RunningService> {
  const sources = { environment: {}, file: {}, trust: [], readSecret: () => '' }
  const settings = readSettings({ ...sources, flags: { port: '0', rate: 'off', data, ...flags } })
  const { url, localUrl, stop } = await startService(settings, store, log, {
    environment: { PATH: process.env.PATH },
    kill: (id, name) => void process.kill(id, name),
  })
  let stopping: Promise<void> | undefined
  const stopOnce = () => {
    stopping ??= stop()
    return stopping
  }
  beforeEnd(stopOnce)
  return { url, port: Number(new URL(localUrl).port), stop: stopOnce }
}

/** Waits until the guide at an address can be searched: on a busy machine, the first searches get 503. */
export async function searchable(guide: string): Promise<void> {
  await until(async () => (await fetch(`${guide}/-/search?q=a`)).ok)
}
