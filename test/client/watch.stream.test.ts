import assert from 'node:assert/strict'
import test from 'node:test'
import { createClient } from '../../client/src/client.ts'
import { freePort } from '../support/free-port.ts'
import { resultOf } from '../support/run-command.ts'
import { runningService } from '../support/running.ts'
import { SMALL_BRAND } from '../support/small-brand.ts'
import { temporaryStore } from '../support/temporary-store.ts'

test('watch follows the stream of a project across a restart, until its token is revoked', async () => {
  const temporary = await temporaryStore()
  const publish = async (page: string) => {
    await temporary.publishing('acme/guidelines', { ...SMALL_BRAND, 'guidelines/pages/new.md': page })
  }
  await publish('# One\n')
  const port = String(await freePort())
  const { url, stop } = await runningService(temporary, { port })
  const { token } = await temporary.issue('acme')
  const brand = createClient({ baseUrl: `${url}/beta`, workspace: 'acme', token })
  const steps = [
    async () => {
      await stop()
      await publish('# Two\n')
      await runningService(temporary, { port })
    },
    () => resultOf(temporary.folder, ['unpublish', 'acme/guidelines']),
    () => resultOf(temporary.folder, ['delete', 'acme/guidelines', '--yes']),
    async () => {
      const [{ jti }] = await resultOf(temporary.folder, ['token', 'list'])
      await resultOf(temporary.folder, ['token', 'revoke', jti])
    },
  ]
  const found: string[] = []
  const watching = async () => {
    for await (const { type, project, revision } of brand.watch({ project: 'guidelines', interval: 100 })) {
      found.push(`${type} ${project} ${revision}`)
      await steps.shift()?.()
    }
  }
  await assert.rejects(watching, { status: 401, code: 'invalid_client' })
  assert.deepEqual(found, [
    'state guidelines 1',
    'published guidelines 2',
    'unpublished guidelines 2',
    'deleted guidelines 2',
  ])
})
