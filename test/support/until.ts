import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { latestChange } from '../../src/store/catalogue/changes.ts'
import type { Store } from '../../src/store/store.ts'

/** Waits until something holds: for a minute at most, which is long on a busy machine, too. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!(await holds())) {
    assert.ok(performance.now() < endMs, 'it did not come to that within a minute')
    await sleep(20)
  }
}

/** Waits until a service at an address has noticed all that has changed in its store. */
export async function caughtUp(url: string, { database }: Store): Promise<void> {
  const latest = await latestChange(database)
  const noticed = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return Number(/^housestyle_store_change (\d+)$/m.exec(metrics)?.[1]) >= latest
  }
  await until(noticed)
}
