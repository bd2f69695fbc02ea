import assert from 'node:assert/strict'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { stateText } from '#publishing/draft-state.ts'
import { history } from '#publishing/history.ts'
import { projectStates } from '#publishing/status.ts'
import { MAIN } from '../../program/cli/housestyle.ts'
import { serve } from '../../support/command.ts'
import { seenDraft } from '../../support/draft-state.ts'
import { startGitServer } from '../../support/git-server.ts'
import { sessionCookie } from '../../support/people-service.ts'
import { needs } from '../../support/programs.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

test('serve --publish approved publishes a draft right after an approval in the browser', needs('git'), async () => {
  const { url, commit } = await (await startGitServer()).make('brand.git')
  await commit({ 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': '# One\n' }, { subject: 'One', author: 'Ada' })
  const temporary = await temporaryStore()
  const { store, data, beforeEnd } = temporary
  const service = await serve(MAIN, '--data', data, '--git', url, '--publish', 'approved')
  beforeEnd(async () => void (await service.stop()))
  const state = async () => (await projectStates(store, {}))[0]
  await until(async () => (await state()) !== undefined)
  const cookie = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true })
  const page = `${service.url}/acme/guide/-/draft/-/changes`
  const text = await (await fetch(page, { headers: { cookie } })).text()
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const draft = stateText(await seenDraft(store))
  const body = new URLSearchParams({ token, draft, comment: '', do: 'approve' })
  const { status } = await fetch(page, { method: 'POST', headers: { cookie }, body, redirect: 'manual' })
  assert.equal(status, 303)
  await until(async () => (await state())?.revision === 1)
  const [entry] = unwrap(await history(store, { workspace: 'acme', project: 'guide' }))
  assert.deepEqual([entry?.who, entry?.note?.startsWith('One (Ada, ')], ['Ada', true])
})
