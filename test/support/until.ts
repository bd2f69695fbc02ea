import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { latestChange } from '#store/catalogue/changes.ts'
import type { Store } from '#store/store.ts'
import { PATIENCE_MS } from './patience.ts'

/** Waits until a condition holds, which is checked every `pauseMs`: rarely if a check is dear. */
export async function until(holds: () => boolean | Promise<boolean>, pauseMs = 20): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS
  while (!(await holds())) {
    assert.ok(performance.now() < endMs, `the condition did not hold within ${PATIENCE_MS} ms`)
    await sleep(pauseMs)
  }
}

/** Waits until a service has noticed all changes in its store. */
export async function caughtUp(url: string, { database }: Store): Promise<void> {
  const latest = await latestChange(database)
  const noticed = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return Number(/^housestyle_store_change (\d+)$/m.exec(metrics)?.[1]) >= latest
  }
  await until(noticed)
}
