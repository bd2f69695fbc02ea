import assert from 'node:assert/strict'
import test from 'node:test'
import { isStoredWorkspaceId } from '#brand/ids.ts'
import { saveWorkspace } from '#store/catalogue/pointers.ts'
import { testService } from '../support/service.ts'
import { publishedStore, resultOf, runCommand, temporaryStore } from '../support/temporary-store.ts'

const CONTENTS = { 'guide/pages/index.md': '# Guide\n', 'guide/files/a.txt': 'a', 'two/pages/index.md': '# Two\n' }

test('a workspace with a reserved id of an earlier store is served, and its commands still work', async () => {
  const id = 'schemas'
  const { store, folder, issue } = await publishedStore(['acme/guide', 'acme/two'], CONTENTS)
  assert.ok(isStoredWorkspaceId(id))
  await store.database.transaction(queries => saveWorkspace(queries, { id, name: id }, new Date()))
  for (const project of ['guide', 'two']) await resultOf(folder, ['copy', `acme/${project}`, `${id}/${project}`])
  const { token } = await issue(id)
  const { ask } = await testService({ store })
  for (const path of ['', '/projects', '/project/guide', '/project/guide/page/index', '/project/guide/files'])
    assert.equal((await ask(`/beta/workspace/${id}${path}`, { token })).status, 200, path)
  assert.equal((await ask(`/${id}/guide`, { token })).status, 200)
  const [published] = await resultOf(folder, ['publish', `${id}/guide`])
  assert.equal(published.workspace, id)
  for (const args of ['client create schemas', 'share schemas/guide', 'gc --keep 1', 'backup backup.tar'])
    await resultOf(folder, args.split(' '))
  await resultOf(folder, ['restore', 'backup.tar'], { HOUSESTYLE_DATA: 'restored' })
  const restored = await resultOf(folder, ['status', id], { HOUSESTYLE_DATA: 'restored' })
  const states = restored.map(({ status }: { status: string }) => status)
  assert.deepEqual(states, ['UpToDate', 'UpToDate'])
})

for (const id of ['mcp', 'events', 'hooks', 'schemas'])
  test(`neither import nor copy creates a workspace ${id}`, async () => {
    const { folder, importing } = await temporaryStore()
    await importing('acme', CONTENTS)
    const { workspace, findings } = await importing(id, CONTENTS)
    assert.deepEqual([workspace, findings.map(({ rule }) => rule)], [null, ['id-invalid']])
    const pinned = await importing('other', { ...CONTENTS, 'workspace.yaml': `id: ${id}\n` })
    assert.equal(pinned.workspace, null)
    const { exitCode, err } = await runCommand(folder, ['copy', 'acme/guide', `${id}/guide`, '--json'])
    assert.deepEqual([exitCode, JSON.parse(err).error], [1, 'id_invalid'])
  })
