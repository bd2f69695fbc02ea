import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withStore } from '../../src/compose/store.ts'
import { startService } from '../../src/compose.ts'
import { readSettings } from '../../src/settings.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { silent } from './service.ts'

/** The `/metrics` of a service after some requests, with its catalogue in Postgres and a shared limit. */
export async function servedMetrics(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-metrics-'))
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  try {
    const engines = { database: await postgres.newDatabase(), limits: redis.url }
    const flags = { data: join(folder, 'data'), port: '0', git: 'http://127.0.0.1:1/brand.git', ...engines }
    const settings = readSettings({ environment: {}, file: {}, trust: [], readSecret: () => '', flags })
    return await withStore(settings, async store => {
      const options = {
        build: { version: '0.1.0', node: '26.0.0' },
        kill: (id: number, signal: NodeJS.Signals) => void process.kill(id, signal),
      }
      const { url, stop } = await startService(settings, store, silent, options)
      for (const path of ['/', '/beta/workspace/acme/projects', '/nowhere']) await (await fetch(url + path)).text()
      const text = await (await fetch(`${url}/metrics`)).text()
      await stop()
      return text
    })
  } finally {
    await Promise.all([postgres.stop(), redis.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}
