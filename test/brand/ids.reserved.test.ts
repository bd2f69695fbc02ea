import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand, temporaryStore } from '../support/temporary-store.ts'

const CONTENTS = { 'guide/pages/index.md': '# Guide\n', 'guide/files/a.txt': 'a', 'two/pages/index.md': '# Two\n' }

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
