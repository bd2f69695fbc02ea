import assert from 'node:assert/strict'
import test from 'node:test'
import { ok } from '#platform/base/result.ts'
import { unwrap } from '#program/cli/failure.ts'
import { history, retract, rollback } from '#publishing/history.ts'
import { testService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const place = { workspace: 'acme', project: 'guide' }

test('a retracted revision stays in the history, is not served by number, and cannot be rolled back to', async () => {
  const temporary = await temporaryStore()
  const { store } = temporary
  for (const word of ['one', 'two', 'three']) {
    await temporary.publishing('acme/guide', {
      'guide/project.yaml': 'revisions: served\n',
      'guide/pages/a.md': `# ${word}\n`,
    })
  }
  const { ask, follow } = await testService(temporary)
  const { token } = await temporary.issue('acme')
  const page = async (revision: number) => {
    await follow()
    return (await ask(`/revision/${revision}/beta/workspace/acme/project/guide/page/a`, { token })).status
  }
  assert.deepEqual([await page(1), await page(2), await page(3)], [200, 200, 200])
  const now = new Date()
  assert.deepEqual(await retract(store, place, 2, now), ok({ done: true }))
  assert.deepEqual([await page(1), await page(2), await page(3)], [200, 404, 200])
  const current = await retract(store, place, 3, now)
  assert.equal(!current.ok && current.problem.code, 'revision_current')
  const before = unwrap(await history(store, place))
  const seen = before.map(({ revision, retractedAt }) => [revision, retractedAt])
  assert.deepEqual(seen, [
    [3, undefined],
    [2, now.toISOString()],
    [1, undefined],
  ])
  await retract(store, place, 2, new Date(now.getTime() + 1000))
  assert.deepEqual(await history(store, place), ok(before))
  const named = await rollback(store, place, 2, now)
  assert.equal(!named.ok && named.problem.code, 'revision_retracted')
  const { revision, snapshot } = unwrap(await rollback(store, place, undefined, now))
  assert.deepEqual([revision, snapshot], [4, before[2]?.snapshot])
})
