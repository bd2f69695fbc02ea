import assert from 'node:assert/strict'
import test from 'node:test'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import { unwrap } from '#program/cli/failure.ts'
import { planPublication, publishPlanned } from '#publishing/plan.ts'
import { runCommand, temporaryStore } from '../../../../support/temporary-store.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }

test('every publication and withdrawal by a command leaves one line in the log, and none if nothing changes', async () => {
  const { folder, importing } = await temporaryStore()
  const lines = async (...args: string[]) => {
    const { err } = await runCommand(folder, args, { HOUSESTYLE_LOG: 'info' })
    const found = err.split('\n').filter(line => line.startsWith('{'))
    return found
      .map(line => JSON.parse(line))
      .map(({ event, project, revision, via }) => [event, project, revision, via])
  }
  await importing('acme', { 'guide/pages/index.md': '# One\n' })
  assert.deepEqual(await lines('publish', 'acme/guide'), [['published', 'guide', 1, 'command']])
  assert.deepEqual(await lines('publish', 'acme/guide'), [])
  await importing('acme', { 'guide/pages/index.md': '# Two\n' })
  assert.deepEqual(await lines('publish', '--all'), [['published', 'guide', 2, 'command']])
  assert.deepEqual(await lines('rollback', 'acme/guide'), [['restored', 'guide', 3, 'command']])
  assert.deepEqual(await lines('copy', 'acme/guide', 'acme/spring'), [['published', 'spring', 1, 'command']])
  assert.deepEqual(await lines('unpublish', 'acme/guide'), [['unpublished', 'guide', undefined, 'command']])
  assert.deepEqual(await lines('unpublish', 'acme/guide'), [])
})

test('rollback says whether the next publication brings the change back', async () => {
  const { folder, importing } = await temporaryStore()
  const back = /^the draft differs from that content: the next publication brings the change back/m
  await importing('acme', { 'guide/pages/index.md': '# One\n' })
  await runCommand(folder, ['publish', 'acme/guide'])
  await importing('acme', { 'guide/pages/index.md': '# Two\n' })
  await runCommand(folder, ['publish', 'acme/guide'])
  assert.match((await runCommand(folder, ['rollback', 'acme/guide'])).err, back)
  await importing('acme', { 'guide/pages/index.md': '# Two\n' })
  assert.doesNotMatch((await runCommand(folder, ['rollback', 'acme/guide', '2'])).err, back)
})

test('a planned publication leaves a line in the log of the service', async () => {
  const { store, importing } = await temporaryStore()
  await importing('acme', { 'guide/pages/index.md': '# One\n' })
  const now = new Date()
  const at = new Date(now.getTime() + 1)
  unwrap(await planPublication(store, GUIDE, { at, over: [], subject: 'hash-of-ada' }, now))
  const lines: AccessEvent[] = []
  const later = { ...store, clock: { ...store.clock, date: () => new Date(at.getTime() + 1000) } }
  await publishPlanned(later, event => lines.push(event))
  assert.deepEqual<unknown>(lines, [{ event: 'published', ...GUIDE, revision: 1, via: 'plan', subject: 'hash-of-ada' }])
  await publishPlanned(later, event => lines.push(event))
  assert.equal(lines.length, 1)
})
