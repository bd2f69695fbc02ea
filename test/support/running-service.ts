import { after } from 'node:test'
import { startService } from '../../src/compose.ts'
import { readSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store/store.ts'
import { silent } from './service.ts'
import type { TemporaryStore } from './temporary-store.ts'

/**
 * Starts the service of a data folder on this port of this machine, as a process of its own would, until the tests are
 * done; gives its address.
 */
export async function runningService(
  { data }: TemporaryStore,
  port: number,
  flags: Readonly<Record<string, string>> = {},
): Promise<string> {
  const given = { ...flags, port: String(port), data }
  const settings = readSettings({ flags: given, environment: {}, file: {}, trust: [], readSecret: () => '' })
  const store = await openStore(data)
  const { url, stop } = await startService(settings, store, silent)
  after(async () => {
    await stop()
    await store.close()
  })
  return url
}
