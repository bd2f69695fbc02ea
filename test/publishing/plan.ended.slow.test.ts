import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWebhook } from '#delivery/events/webhooks/webhooks.ts'
import { unwrap } from '#program/cli/failure.ts'
import { planPublication, publishPlanned } from '#publishing/plan.ts'
import { review } from '#publishing/review.ts'
import { endRights } from '#store/access/person-rights.ts'
import { listRevisions } from '#store/catalogue/history.ts'
import { saveReviewers } from '#store/catalogue/reviews.ts'
import { listDeliveries } from '#store/catalogue/webhooks.ts'
import type { Store } from '#store/store.ts'
import { writeFolder } from '../support/temporary.ts'
import {
  accessTo,
  publishedStore,
  resultOf,
  runCommand,
  seenDraft,
  type TemporaryStore,
  temporaryStore,
} from '../support/temporary-store.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }
const AT = '2999-01-01T09:00:00.000Z'
const page = (text: string) => ({ 'guide/pages/index.md': `# ${text}\n` })

/** A guide with two revisions and a third text, which is planned. */
async function plannedGuide(): Promise<TemporaryStore> {
  const temporary = await publishedStore('acme/guide', page('One'))
  await temporary.publishing('acme/guide', page('Two'))
  await temporary.importing('acme', page('Three'))
  await resultOf(temporary.folder, ['publish', 'acme/guide', '--at', AT])
  return temporary
}

/** The store as a service sees it after the planned time. */
function later(store: Store): Store {
  return { ...store, clock: { ...store.clock, date: () => new Date('2999-01-02T00:00Z') } }
}

async function revisionsIn({ store }: TemporaryStore): Promise<number> {
  return (await listRevisions(store.database, 'acme', 'guide')).length
}

for (const [args, reason, revisions] of [
  [['unpublish', 'acme/guide'], 'unpublished', 2],
  [['rollback', 'acme/guide'], 'rolled back', 3],
  [['retract', 'acme/guide', '1'], 'retracted', 2],
] as const)
  test(`${args[0]} ends a planned publication and says so, as do status and the history: it is not published at its time`, async () => {
    const temporary = await plannedGuide()
    const { out } = await runCommand(temporary.folder, args)
    const ended = `not published at ${AT} (${reason})`
    assert.match(out, new RegExp(`^acme/guide: its planned publication has ended: ${RegExp.escape(ended)}$`, 'm'))
    await publishPlanned(later(temporary.store), () => undefined)
    assert.equal(await revisionsIn(temporary), revisions)
    for (const command of ['status', 'history'])
      assert.match((await runCommand(temporary.folder, [command, 'acme/guide'])).out, new RegExp(RegExp.escape(ended)))
    const code = reason.replace(' ', '_')
    const [newest] = await resultOf(temporary.folder, ['history', 'acme/guide'])
    assert.deepEqual([newest.endedPlans[0].at, newest.endedPlans[0].reason], [AT, code])
  })

test('unpublish of a guide that was never published ends its plan too', async () => {
  const { folder, importing } = await temporaryStore()
  await importing('acme', page('One'))
  await resultOf(folder, ['publish', 'acme/guide', '--at', AT])
  const { endedPlans } = await resultOf(folder, ['unpublish', 'acme/guide'])
  const seen = endedPlans.map(({ project, reason }: Record<string, unknown>) => [project, reason])
  assert.deepEqual(seen, [['guide', 'unpublished']])
})

test('delete says that a planned publication ends with the project', async () => {
  const { folder } = await plannedGuide()
  const { out } = await runCommand(folder, ['delete', 'acme/guide', '--yes'])
  assert.match(out, /^acme\/guide: deleted\nacme\/guide: its planned publication has ended: .*\(deleted\)\n$/)
})

for (const [what, change] of [
  ['an import of another draft', page('Four')],
  ['an import of another visibility', { 'guide/project.yaml': 'visibility: public\n' }],
  [
    'an import of another name of the workspace, which the plan would publish too,',
    { 'workspace.yaml': 'name: New\n' },
  ],
] as const)
  test(`${what} ends a planned publication and says so, also if the former draft returns`, async () => {
    const temporary = await plannedGuide()
    const { endedPlans } = await temporary.importing('acme', change)
    assert.equal(endedPlans?.[0]?.reason, 'draft_changed')
    await temporary.importing('acme', { ...page('Three'), 'guide/project.yaml': '', 'workspace.yaml': 'id: acme\n' })
    await publishPlanned(later(temporary.store), () => undefined)
    assert.equal(await revisionsIn(temporary), 2)
  })

test('the command import prints the plan that it has ended', async () => {
  const { folder } = await plannedGuide()
  await writeFolder(join(folder, 'acme'), page('Four'))
  const { out } = await runCommand(folder, ['import', 'acme'])
  assert.match(out, /^acme\/guide: its planned publication has ended: .*\(draft changed\)$/m)
})

test('a copy onto a project with a planned publication ends it and says so', async () => {
  const temporary = await plannedGuide()
  await temporary.publishing('other/guide', page('Other'))
  const { out } = await runCommand(temporary.folder, ['copy', 'other/guide', 'acme/guide'])
  assert.match(out, /its planned publication has ended: .*\(draft changed\)$/m)
  await publishPlanned(later(temporary.store), () => undefined)
  assert.equal(await revisionsIn(temporary), 3)
})

test('a damaged project with a plan prevents no change of another one', async () => {
  const { store, publishing, folder } = await plannedGuide()
  await publishing('acme/more', { 'more/pages/index.md': '# More\n' })
  await store.database.run("UPDATE revision SET name = x'00' WHERE project = 'guide'")
  const seen = (await runCommand(folder, ['unpublish', 'acme/more'])).out
  assert.equal(seen, 'acme/more: no longer served; its draft stays\n')
})

test('a plan for a draft that is already published is refused with the reason', async () => {
  const { folder } = await publishedStore('acme/guide', page('One'))
  const { exitCode, err } = await runCommand(folder, ['publish', 'acme/guide', '--at', AT, '--json'])
  assert.deepEqual([exitCode, JSON.parse(err).error], [1, 'draft_unchanged'])
  assert.match(err, /the draft of acme\/guide is already published/)
})

test('planning and cancelling on the command line are in the audit log', async () => {
  const { folder, importing } = await temporaryStore()
  await importing('acme', page('One'))
  const eventsOf = async (...args: readonly string[]) =>
    (await runCommand(folder, ['publish', 'acme/guide', ...args], { HOUSESTYLE_LOG: 'info' })).err.match(
      /publication-\w+/,
    )
  assert.equal((await eventsOf('--at', AT))?.[0], 'publication-planned')
  assert.equal((await eventsOf('--cancel'))?.[0], 'publication-cancelled')
  assert.equal(await eventsOf('--cancel'), null)
})

const NOW = new Date('2030-01-01T00:00Z')

/** A draft that Ada has approved, planned with `--approved` if nobody has to review it. */
async function approvedPlan(reviewers?: readonly string[] | number): Promise<TemporaryStore> {
  const temporary = await temporaryStore()
  const { store, importing } = temporary
  await importing('acme', { ...page('One'), ...(reviewers !== undefined && asking(reviewers)) })
  const seen = await seenDraft(store)
  for (const who of ['ada', 'ben']) {
    const by = { reviewer: who, who, signin: 'one', email: `${who}@acme.example`, isSignedIn: true }
    if (who === 'ada' || reviewers !== undefined)
      unwrap(await review(store, GUIDE, { ...by, ...seen, answer: 'approve' }, NOW))
  }
  const needs = reviewers === undefined ? { approvers: 'everyone' as const } : {}
  unwrap(await planPublication(store, GUIDE, { at: new Date(AT), over: [], ...needs }, NOW))
  return temporary
}

function asking(reviewers: readonly string[] | number) {
  return { 'guide/project.yaml': `publishing: { reviewers: ${JSON.stringify(reviewers)} }\n` }
}

async function endRightsOf({ store }: TemporaryStore, who: string): Promise<void> {
  const people = { email: `${who}@acme.example` }
  await store.database.transaction(queries => endRights(queries, people, { keepsLinks: false, now: NOW }))
}

const ADA = ['ada@acme.example']

for (const [what, reviewers, change] of [
  ['whose only approval has ended', undefined, (plan: TemporaryStore) => endRightsOf(plan, 'ada')],
  ['whose reviewer has lost the right', ADA, (plan: TemporaryStore) => endRightsOf(plan, 'ada')],
  ['one of whose two reviewers is gone', 2, (plan: TemporaryStore) => endRightsOf(plan, 'ben')],
  [
    'whose guide now asks for another reviewer',
    ADA,
    ({ importing }: TemporaryStore) => importing('acme', asking(['eve@acme.example'])),
  ],
  [
    'whose reviewer has lost the right, and whose guide now asks for nobody',
    ADA,
    async (plan: TemporaryStore) => {
      await plan.store.database.transaction(queries => saveReviewers(queries, GUIDE, undefined))
      await endRightsOf(plan, 'ada')
    },
  ],
] as const)
  test(`a planned publication ${what} is not made, and status, a webhook and mail tell it`, async () => {
    const plan = await approvedPlan(reviewers)
    const { store, folder } = plan
    const url = 'https://hooks.example.com/brand'
    const { id } = unwrap(await createWebhook(accessTo(store), { workspace: 'acme', project: undefined, url }, NOW))
    await change(plan)
    await publishPlanned(later(store), () => undefined)
    assert.equal(await revisionsIn(plan), 0)
    assert.equal((await resultOf(folder, ['status', 'acme/guide']))[0].planned.reason, 'draft_unapproved')
    const [told] = await listDeliveries(store.database, id)
    const data = { ...GUIDE, at: AT, reason: 'draft_unapproved' }
    assert.deepEqual([told?.type, JSON.parse(told?.payload ?? '').data], ['plan.ended', data])
  })

for (const [what, reviewers, change] of [
  ['whose approval counts', undefined, () => undefined],
  ['whose reviewers have answered', [...ADA, 'ben@acme.example'], () => undefined],
  ['that still has enough answers', 1, (plan: TemporaryStore) => endRightsOf(plan, 'ben')],
  ['whose reviewer still counts', ADA, ({ importing }: TemporaryStore) => importing('acme', asking(1))],
] as const)
  test(`a planned publication ${what} at its time is made`, async () => {
    const plan = await approvedPlan(reviewers)
    await change(plan)
    await publishPlanned(later(plan.store), () => undefined)
    assert.equal(await revisionsIn(plan), 1)
  })

test('the history of a guide without revisions says that its planned publication has ended', async () => {
  const { folder, importing, store } = await temporaryStore()
  await importing('acme', page('One'))
  await resultOf(folder, ['publish', 'acme/guide', '--at', AT])
  assert.match((await runCommand(folder, ['history', 'acme/guide'])).err, /not been published yet; publishes at 2999/)
  await importing('acme', page('Two'))
  const said = (await runCommand(folder, ['history', 'acme/guide'])).err
  assert.ok(said.startsWith(`acme/guide has not been published yet; not published at ${AT} (draft changed)\n`), said)
  await publishPlanned(later(store), () => undefined)
  assert.equal((await listRevisions(store.database, 'acme', 'guide')).length, 0)
})
