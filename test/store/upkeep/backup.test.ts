import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '#store/store.ts'
import { backUp } from '#store/upkeep/backup.ts'
import { restore } from '#store/upkeep/restore.ts'
import { connect, guest, REDIRECT, refreshRequest, registerProgram, shareLink } from '../../support/agent-program.ts'
import { postForm } from '../../support/authorization.ts'
import { testService, URL_OF_SERVICE } from '../../support/service.ts'
import { publishedStore, SMALL_BRAND } from '../../support/temporary-store.ts'
import { UPKEEP } from './options.ts'

test('a backup keeps share links, but no session and no connection of a program, and their tokens do not work', async () => {
  const here = await publishedStore('acme/guidelines', SMALL_BRAND)
  const { service } = await testService(here)
  const program = {
    clientId: await registerProgram(here.store),
    redirectUri: REDIRECT,
    resource: `${URL_OF_SERVICE}/acme/guidelines/-/mcp`,
  }
  const link = await shareLink(here.store)
  const tokens = await connect(service, await guest(service, link), program)
  const { database } = here.store
  await database.run(
    `INSERT INTO session (id, workspace, signin, secret_hash, subject, email, drafts, created_at, expires_at)
      VALUES ('a-session', 'acme', 'x', 'hash-of-session', 'x', 'anna@example.com', 0, 0, ?)`,
    Date.now() + 3_600_000,
  )
  const tables = ['session', 'connection', 'authorization_state']
  const counts = async ({ get }: typeof database) =>
    Promise.all(tables.map(async table => Number((await get(`SELECT COUNT(*) AS count FROM ${table}`))?.count)))
  assert.ok((await counts(database)).every(count => count > 0))

  const file = join(here.folder, 'backup.tar')
  await backUp(here.store, file, UPKEEP)
  assert.ok((await counts(database)).every(count => count > 0))
  const bytes = await readFile(file, 'latin1')
  for (const secret of ['hash-of-session', 'anna@example.com', 'codeChallenge'])
    assert.ok(!bytes.includes(secret), secret)
  const data = join(here.folder, 'restored')
  await restore(file, data, UPKEEP)
  const store = await openStore(data)
  assert.deepEqual(await counts(store.database), [0, 0, 0])
  const restored = await testService({ store })
  const page = '/beta/workspace/acme/project/guidelines/pages'
  assert.equal((await restored.ask(page, { token: tokens.access_token })).status, 401)
  const refreshed = await postForm(restored.service, '/oauth/token', refreshRequest(program, tokens.refresh_token))
  assert.equal(refreshed.body.error, 'invalid_grant')
  assert.equal((await restored.ask(link.path)).status, 303)
  await store.close()
})
