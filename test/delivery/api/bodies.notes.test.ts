import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { PLAIN_GUIDE, THEMED_GUIDE } from '../../support/themed-brand.ts'

const DATE = new Date('2026-01-02T03:04:05.006Z')
const PATHS = ['', '/pages', '/page/index', '/styles', '/files'].map(
  path => `/beta/workspace/acme/project/guide${path}`,
)

test('data for only the website and exports does not change any reply', async () => {
  const temporary = await temporaryStore()
  await temporary.importing('acme', PLAIN_GUIDE, DATE)
  const { token } = await temporary.issue('acme')
  const { ask, follow } = await testService(temporary)
  const replies: unknown[] = []
  const snapshots: string[] = []
  for (const contents of [PLAIN_GUIDE, THEMED_GUIDE]) {
    await temporary.publishing('acme/guide', contents, DATE)
    await follow()
    const answers = await Promise.all(PATHS.map(path => ask(path, { token })))
    for (const { status } of answers) assert.equal(status, 200)
    replies.push(answers.map(({ text }) => text))
    snapshots.push(answers[0]?.headers.get('housestyle-revision')?.slice(2) ?? '')
  }
  assert.notEqual(snapshots[0], snapshots[1])
  assert.deepEqual(replies[1], replies[0])
})
