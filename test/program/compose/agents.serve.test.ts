import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { readSettings } from '#platform/settings/settings.ts'
import { startService } from '#program/compose/compose.ts'
import { withStore } from '#program/compose/store.ts'
import { startPostgres } from '../../support/postgres.ts'
import { needs } from '../../support/programs.ts'
import { silent } from '../../support/service.ts'
import { SMALL_BRAND } from '../../support/small-brand.ts'
import { temporaryFolder, writeFolder } from '../../support/temporary.ts'
import { commandsWith } from '../cli/housestyle.ts'

const CALLS = [
  { name: 'search', arguments: { query: 'colour' } },
  { name: 'list_pages', arguments: { project: 'guidelines' } },
  { name: 'get_page', arguments: { project: 'guidelines', page: 'index' } },
  { name: 'lint', arguments: { project: 'guidelines', content: 'a { color: red }', kind: 'css' } },
]

test('a message of an agent that needs a killed database gets 503', needs('postgres'), async () => {
  const postgres = await startPostgres()
  const folder = await temporaryFolder()
  const flags = { database: await postgres.newDatabase(), data: join(folder, 'data') }
  const run = commandsWith('--database', flags.database, '--data', flags.data)
  await writeFolder(join(folder, 'acme'), SMALL_BRAND)
  await run('import', join(folder, 'acme'))
  await run('publish', 'acme/guidelines')
  const token = (await run('token', 'issue', 'acme')).trim()
  const sources = { environment: {}, file: {}, trust: [], readSecret: () => '' }
  const settings = readSettings({ ...sources, flags: { ...flags, port: '0', rate: 'off' } })
  await withStore(settings, async store => {
    const { url, stop } = await startService(settings, store, silent)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const ask = async (call: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
      const reply = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
      return {
        status: reply.status,
        retryAfter: reply.headers.get('retry-after'),
        body: JSON.parse(await reply.text()),
      }
    }
    assert.equal((await ask({ name: 'list_projects', arguments: {} })).status, 200)
    await postgres.stop()
    for (const call of CALLS) {
      const { status, retryAfter, body } = await ask(call)
      assert.deepEqual([status, retryAfter, body.error], [503, '1', 'temporarily_unavailable'], call.name)
    }
    await stop()
  })
})
