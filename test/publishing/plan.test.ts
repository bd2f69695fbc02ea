import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { isProjectId, isWorkspaceId } from '#brand/ids.ts'
import { parseHash } from '#brand/snapshot.ts'
import { unwrap } from '#program/cli/failure.ts'
import { cancelPlan, planPublication, planState, publishPlanned } from '#publishing/plan.ts'
import { publish } from '#publishing/publish.ts'
import { review } from '#publishing/review.ts'
import { endLostRights } from '#serving/access/session/exercised-rights.ts'
import { listDueMail, saveMailChoice } from '#store/access/mail.ts'
import { endRights } from '#store/access/person-rights.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { listRevisions } from '#store/catalogue/history.ts'
import { findPlan } from '#store/catalogue/plans.ts'
import { saveDraft, saveWorkspace } from '#store/catalogue/pointers.ts'
import { saveReviewers } from '#store/catalogue/reviews.ts'
import { openStore, type Store } from '#store/store.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { accessTo, resultOf, runCommand, seenDraft, temporaryStore } from '../support/temporary-store.ts'

const [workspace, project, otherProject] = ['acme', 'guide', 'other']
assert.ok(isWorkspaceId(workspace) && isProjectId(project) && isProjectId(otherProject))
const GUIDE = { workspace, project }
const OTHER = { workspace, project: otherProject }
const [NOW, DUE, LATER] = [1, 2, 3].map(hour => new Date(Date.UTC(2030, 0, 1, hour)))
assert.ok(NOW && DUE && LATER)
const ADA = { who: 'Ada', subject: 'ada', signin: 'one', email: 'ada@acme.example' }

/** The store as a service sees it at a time. */
function at(store: Store, now: Date): Store {
  return { ...store, clock: { ...store.clock, date: () => now } }
}

function saveText(store: Store, letter: string, ref = GUIDE): Promise<unknown> {
  const draft = { project: ref.project, name: 'Guide', visibility: 'private', revisions: 'private', facts: 1 } as const
  return store.database.transaction(async queries => {
    await saveWorkspace(queries, { id: GUIDE.workspace, name: 'Acme' }, NOW ?? new Date())
    return saveDraft(queries, GUIDE.workspace, draft, parseHash(letter.repeat(64)), NOW ?? new Date())
  })
}

const numbersIn = async ({ database }: Store, ref = GUIDE) =>
  (await listRevisions(database, ref.workspace, ref.project)).map(({ number, who, note, reviewed }) => [
    number,
    who,
    note,
    reviewed?.plannedAt,
  ])

test('several processes publish a draft once at its planned time, and the history says who planned it', async () => {
  const data = join(await temporaryFolder(), 'data')
  const [store, other] = [await openStore(data), await openStore(data)]
  await saveText(store, 'a')
  unwrap(await planPublication(store, GUIDE, { ...ADA, at: DUE, over: [], note: 'Spring' }, NOW))
  await Promise.all([store, other].map(each => publishPlanned(at(each, NOW), () => undefined)))
  assert.deepEqual(await numbersIn(store), [])
  await Promise.all([store, other, store, other].map(each => publishPlanned(at(each, LATER), () => undefined)))
  assert.deepEqual(await numbersIn(store), [[1, 'Ada', 'Spring', NOW.toISOString()]])
  assert.equal(await findPlan(store.database, GUIDE), undefined)
  await Promise.all([store.close(), other.close()])
})

const ASK = { answer: 'ask', comment: 'Larger', reviewer: 'ben', who: 'Ben', isSignedIn: true } as const

for (const [what, reason, change] of [
  ['another draft', 'draft_changed', (store: Store) => saveText(store, 'b')],
  [
    'a new request for changes',
    'changes_requested',
    async (store: Store) => unwrap(await review(store, GUIDE, { ...ASK, ...(await seenDraft(store)) }, NOW)),
  ],
  [
    'reviewers who have not approved it',
    'draft_unapproved',
    ({ database }: Store) => database.transaction(queries => saveReviewers(queries, GUIDE, 1)),
  ],
  [
    'the end of the rights of the person who planned it',
    'right_ended',
    ({ database }: Store) =>
      database.transaction(queries => endRights(queries, { email: ADA.email }, { keepsLinks: false, now: NOW })),
  ],
  [
    'a sign-in of that person without a right to the workspace, whose changes the plan publishes too,',
    'right_ended',
    async (store: Store) => {
      const { instance } = (await findProject(store.database, GUIDE.workspace, GUIDE.project)) ?? assert.fail()
      const manages = { projects: [{ project: GUIDE.project, instance }] }
      await endLostRights(accessTo(store), { ...ADA, workspace: GUIDE.workspace, drafts: true, manages })
    },
  ],
] as const)
  test(`${what} ends a planned publication for good, with the reason and a mail`, async () => {
    const { store } = await temporaryStore()
    const reader = {
      workspace: 'acme',
      subject: 'max',
      signin: 'two',
      email: 'max@acme.example',
      lang: 'en',
      kinds: ['failed'],
    }
    const choice = { ...reader, rights: { drafts: true, manages: {} }, seenAt: NOW, chosenAt: NOW }
    await store.database.transaction(queries => saveMailChoice(queries, choice))
    await saveText(store, 'a')
    unwrap(await planPublication(store, GUIDE, { ...ADA, at: DUE, over: [] }, NOW))
    await change(store)
    await publishPlanned(at(store, NOW), () => undefined)
    const plan = (await findPlan(store.database, GUIDE)) ?? assert.fail()
    const times = { at: DUE.toISOString(), plannedAt: NOW.toISOString(), endedAt: NOW.toISOString() }
    assert.deepEqual(planState(plan), { ...times, who: 'Ada', reason })
    await publishPlanned(at(store, LATER), () => undefined)
    assert.deepEqual(await numbersIn(store), [])
    assert.equal((await listDueMail(store.database, LATER.getTime())).length, 1)
    const mail = await store.database.get('SELECT reason FROM mail')
    assert.match(String(mail?.reason), new RegExp(`^planned for ${DUE.toISOString()}: .`))
  })

test('a planned publication that fails does not delay the others, and is made later', async () => {
  const { store } = await temporaryStore()
  for (const ref of [GUIDE, OTHER]) {
    await saveText(store, 'a', ref)
    unwrap(await planPublication(store, ref, { ...ADA, at: DUE, over: [] }, NOW))
  }
  let isFirst = true
  const transaction: Store['database']['transaction'] = async (work, options) => {
    if (isFirst) {
      isFirst = false
      throw new Error('the disk is full')
    }
    return store.database.transaction(work, options)
  }
  const failing = { ...store, database: { ...store.database, transaction } }
  await assert.rejects(
    publishPlanned(at(failing, LATER), () => undefined),
    {
      message: 'a planned publication failed: the disk is full',
    },
  )
  assert.deepEqual([await numbersIn(store), (await numbersIn(store, OTHER)).length], [[], 1])
  await publishPlanned(at(store, LATER), () => undefined)
  assert.equal((await numbersIn(store)).length, 1)
})

test('a plan is cancelled, and ends with the publication of its draft', async () => {
  const { store } = await temporaryStore()
  await saveText(store, 'a')
  const plan = async () => unwrap(await planPublication(store, GUIDE, { ...ADA, at: DUE, over: [] }, NOW))
  await plan()
  assert.deepEqual(unwrap(await cancelPlan(store, GUIDE)), { changed: true })
  await publishPlanned(at(store, LATER), () => undefined)
  assert.deepEqual(await numbersIn(store), [])
  await plan()
  unwrap(await publish(store, GUIDE, {}, NOW))
  assert.equal(await findPlan(store.database, GUIDE), undefined)
})

test('publish --at plans a publication, which status shows, and refuses times that have passed, do not exist or have no zone', async () => {
  const { importing, folder } = await temporaryStore()
  await importing('acme', { 'guide/pages/index.md': '# Home\n' })
  const [planned] = await resultOf(folder, ['publish', 'acme/guide', '--at', '2999-01-01T10:00+01:00'])
  assert.deepEqual([planned.project, planned.at], ['guide', '2999-01-01T09:00:00.000Z'])
  const [state] = await resultOf(folder, ['status', 'acme/guide'])
  assert.deepEqual([state.planned.at, state.revision], ['2999-01-01T09:00:00.000Z', null])
  for (const options of [
    ['--at', '2020-01-01T10:00Z'],
    ['--at', '2999-01-01T10:00'],
    ['--at', '2999-02-29T10:00Z'],
    ['--at', '2999-01-01T10:00Z', '--cancel'],
    ['--at', '2999-01-01T10:00Z', '--approved'],
    ['--at', 'tomorrow'],
  ])
    assert.notEqual((await runCommand(folder, ['publish', 'acme/guide', ...options])).exitCode, 0, options.join(' '))
  assert.equal((await resultOf(folder, ['status', 'acme/guide']))[0].planned.at, '2999-01-01T09:00:00.000Z')
  const cancel = async () => (await runCommand(folder, ['publish', 'acme/guide', '--cancel'])).out
  assert.equal(await cancel(), 'acme/guide: the planned publication is cancelled\n')
  assert.equal(await cancel(), 'acme/guide: no publication was planned\n')
  assert.equal((await resultOf(folder, ['status', 'acme/guide']))[0].planned, undefined)
})

test('a plan whose person has lost the right says so at once', async () => {
  const { store } = await temporaryStore()
  await saveText(store, 'a')
  unwrap(await planPublication(store, GUIDE, { ...ADA, at: DUE, over: [] }, NOW))
  await store.database.transaction(queries => endRights(queries, 'all', { keepsLinks: false, now: NOW }))
  const plan = (await findPlan(store.database, GUIDE)) ?? assert.fail()
  assert.deepEqual([planState(plan).reason, planState(plan).endedAt], ['right_ended', undefined])
  await publishPlanned(at(store, LATER), () => undefined)
  assert.deepEqual(await numbersIn(store), [])
})
