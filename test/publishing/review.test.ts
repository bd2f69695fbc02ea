import assert from 'node:assert/strict'
import test from 'node:test'
import { parseHash } from '#brand/snapshot.ts'
import { unwrap } from '#program/cli/failure.ts'
import { remove } from '#publishing/change-project.ts'
import { publish } from '#publishing/publish.ts'
import { type NewReview, review } from '#publishing/review.ts'
import { projectStates } from '#publishing/status.ts'
import { resultOf, runCommand, seenDraft, type TemporaryStore, temporaryStore } from '../support/temporary-store.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }

async function stateOf({ store }: TemporaryStore, { workspace, project } = GUIDE) {
  const [state] = await projectStates(store, { workspace, project })
  return state ?? assert.fail()
}

/** A store with two drafts, and a function that answers as someone to the current draft of the first, or of another. */
async function setup() {
  const temporary = await temporaryStore()
  await temporary.importing('acme', { 'guide/pages/index.md': '# One\n', 'other/pages/index.md': '# Other\n' })
  let last = 0
  const answer = async (who: string, value: NewReview['answer'], more: Partial<NewReview> = {}, ref = GUIDE) => {
    const seen = await seenDraft(temporary.store, ref)
    const named = { reviewer: who.toLowerCase(), who, isSignedIn: true, answer: value, ...seen, ...more }
    // Each answer has its own time, also on a machine that gives two within a millisecond.
    last = Math.max(last + 1, Date.now())
    return review(temporary.store, ref, named, new Date(last))
  }
  const change = (text: string) => temporary.importing('acme', { 'guide/pages/index.md': `# ${text}\n` })
  return { temporary, answer, change }
}

test('a draft is approved if someone approves it and no one asks for changes, and the latest answer of each counts', async () => {
  const { temporary, answer } = await setup()
  const approved = async () => (await stateOf(temporary)).approved
  const { approved: first, reviews } = await stateOf(temporary)
  assert.deepEqual([first, reviews], [false, []])
  unwrap(await answer('Ann', 'approve'))
  assert.equal(await approved(), true)
  unwrap(await answer('Ben', 'ask', { comment: 'Larger,\nplease' }))
  assert.equal(await approved(), false)
  unwrap(await answer('Ben', 'approve'))
  assert.equal(await approved(), true)
  unwrap(await answer('Ann', 'ask'))
  assert.equal(await approved(), false)
  const state = await stateOf(temporary)
  const seen = state.reviews.map(({ at, ...each }) => [each, new Date(at).toISOString() === at])
  assert.deepEqual(seen, [
    [{ answer: 'ask', who: 'Ann', comment: null, old: false }, true],
    [{ answer: 'approve', who: 'Ben', comment: null, old: false }, true],
  ])
  assert.deepEqual((await stateOf(temporary, { ...GUIDE, project: 'other' })).reviews, [])
})

test('a changed draft needs new answers, keeps the earlier ones as old, and refuses an answer to what it was', async () => {
  const { temporary, answer, change } = await setup()
  const { draft } = await stateOf(temporary)
  unwrap(await answer('Ann', 'approve'))
  unwrap(await answer('Ben', 'ask', { comment: 'Larger' }))
  await change('Two')
  const { approved, reviews } = await stateOf(temporary)
  assert.deepEqual(
    [approved, reviews.map(({ who, old }) => [who, old])],
    [
      false,
      [
        ['Ben', true],
        ['Ann', true],
      ],
    ],
  )
  const refused = await answer('Ann', 'approve', { snapshot: parseHash(draft) })
  assert.equal(!refused.ok && refused.problem.code, 'draft_changed')
  unwrap(await answer('Ann', 'approve'))
  assert.equal((await stateOf(temporary)).approved, true)
})

test('a project that is deleted and made again has no answers', async () => {
  const { temporary, answer } = await setup()
  unwrap(await answer('Ann', 'approve'))
  unwrap(await remove(temporary.store, GUIDE, new Date()))
  await temporary.importing('acme', {})
  assert.deepEqual((await stateOf(temporary)).reviews, [])
})

test('status prints each answer after the name of the project', async () => {
  const { temporary, answer, change } = await setup()
  unwrap(await answer('Ben', 'ask'))
  await change('Two')
  unwrap(await answer('Ann\u001b[2J', 'approve'))
  const { out } = await runCommand(temporary.folder, ['status', 'acme'])
  assert.match(out, /^acme\/guide +Draft .* {2}guide {2}approved by Ann\\u\{1b\}\[2J, changes asked by Ben \(old\)$/m)
  assert.match(out, /^acme\/other +Draft .* {2}other$/m)
  const [{ approved, reviews }] = await resultOf(temporary.folder, ['status', 'acme/guide'])
  assert.deepEqual([approved, reviews.length], [true, 2])
})

test('publish --approved publishes all of its projects, or none if one of them is not approved', async () => {
  const { temporary, answer } = await setup()
  const publishBoth = () => runCommand(temporary.folder, ['publish', 'acme/guide', 'acme/other', '--approved'])
  unwrap(await answer('Ann', 'approve', { isSignedIn: false }))
  const refused = await publishBoth()
  assert.deepEqual([refused.exitCode, refused.out], [1, ''])
  assert.match(refused.err, /the draft of acme\/other is not approved/)
  assert.equal((await stateOf(temporary)).revision, null)
  unwrap(await answer('Ann', 'approve', {}, { ...GUIDE, project: 'other' }))
  const published = await publishBoth()
  assert.deepEqual([published.exitCode, published.out.match(/published revision 1/g)?.length], [0, 2])
  unwrap(await answer('Ben', 'ask'))
  const { exitCode, err } = await runCommand(temporary.folder, ['publish', 'acme/guide', '--approved', '--json'])
  assert.deepEqual([exitCode, JSON.parse(err || '{}').error ?? err], [1, 'draft_unapproved'])
})

test('publish --all --approved skips projects that are not approved, and names them', async () => {
  const { temporary, answer } = await setup()
  const publishEvery = () => runCommand(temporary.folder, ['publish', '--all', '--approved'])
  const none = await publishEvery()
  assert.deepEqual([none.exitCode, none.out], [0, ''])
  unwrap(await answer('Ann', 'approve'))
  const { exitCode, out, err } = await publishEvery()
  assert.equal(exitCode, 0)
  assert.match(out, /^acme\/guide: published revision 1 \(snapshot \w+\)\n$/)
  assert.match(err, /^acme\/other: skipped, because it is not approved$/m)
  assert.equal((await stateOf(temporary, { ...GUIDE, project: 'other' })).revision, null)
})

test('every answer stays: status has the latest of each reviewer, and the earlier ones with their comments', async () => {
  const { temporary, answer } = await setup()
  unwrap(await answer('Ann', 'ask', { comment: 'Larger' }))
  unwrap(await answer('Ann', 'ask', { comment: 'Larger still' }))
  unwrap(await answer('Ann', 'approve'))
  const [state] = await resultOf(temporary.folder, ['status', 'acme/guide'])
  const of = (reviews: { answer: string; comment: string | null }[]) =>
    reviews.map(({ answer: value, comment }) => [value, comment])
  assert.deepEqual(of(state.reviews), [['approve', null]])
  assert.deepEqual(of(state.answers), [
    ['ask', 'Larger still'],
    ['ask', 'Larger'],
  ])
})

test('a published draft cannot be approved', async () => {
  const { temporary, answer } = await setup()
  unwrap(await publish(temporary.store, GUIDE, {}, new Date()))
  const refused = await answer('Ann', 'approve')
  assert.equal(!refused.ok && refused.problem.code, 'draft_changed')
})

test('publish asks once over an open request for changes, and the history names the request and the approvers', async () => {
  const { temporary, answer } = await setup()
  unwrap(await answer('Ann', 'approve'))
  unwrap(await answer('Ben', 'ask', { comment: 'Larger' }))
  for (const place of ['acme/guide', '--all']) {
    const refused = await runCommand(temporary.folder, ['publish', place])
    assert.deepEqual([refused.exitCode, refused.out], [1, ''])
    assert.match(refused.err, /Ben \("Larger"\) asked for changes to the draft of acme\/guide: .*--yes/)
  }
  assert.equal((await stateOf(temporary)).revision, null)
  await resultOf(temporary.folder, ['publish', 'acme/guide', '--yes'])
  const [entry] = await resultOf(temporary.folder, ['history', 'acme/guide'])
  const [request] = (await stateOf(temporary)).reviews
  const seen = [entry.note, entry.approvers, entry.overRequests]
  assert.deepEqual(seen, [null, ['Ann'], [{ who: 'Ben', comment: 'Larger', at: request?.at }]])
})

const [ANN, BEN, NO] = ['approve ann', 'approve ben', 'ask ann'] as const
for (const [reviewers, answers, missing, options] of [
  ['2', [ANN], 1, []],
  ['2', [ANN, BEN], undefined, ['--approved', '--yes', '--json']],
  ['2', [NO, BEN], undefined, ['--yes']],
  ['[Ann@acme.example, eve@acme.example]', [ANN, BEN], ['eve@acme.example'], []],
  ['[Ann@acme.example]', [ANN], undefined, ['--approved', '--yes', '--json']],
  ['[Ann@acme.example]', [BEN], ['Ann@acme.example'], []],
  ['[Ann@acme.example]', [NO], undefined, ['--yes']],
  // U+212A becomes `k` in lower case.
  ['[kate@acme.example]', ['approve \u212aate'], ['kate@acme.example'], []],
  ['["\\u212aate@acme.example"]', ['approve kate'], ['\u212aate@acme.example'], []],
] as const)
  test(`after ${answers.join(', ')}, a draft with the reviewers ${reviewers} is published with ${options.join(', ') || 'no option'}`, async () => {
    const { temporary, answer } = await setup()
    await temporary.importing('acme', { 'guide/project.yaml': `publishing:\n  reviewers: ${reviewers}\n` })
    for (const each of answers) {
      const [value, who = ''] = each.split(' ')
      unwrap(await answer(who, value === 'ask' ? 'ask' : 'approve', { email: `${who}@acme.example` }))
    }
    assert.deepEqual((await stateOf(temporary)).missing, missing)
    for (const option of ['--approved', '--json', '--yes']) {
      const { exitCode, err } = await runCommand(temporary.folder, ['publish', 'acme/guide', option])
      assert.equal(exitCode, options.some(each => each === option) ? 0 : 1, err)
      if (missing !== undefined)
        assert.match(err, /must still be reviewed by (?:1 more person|[\w\u212a]+@acme\.example)|is not approved/)
    }
  })

test('an approval remains after the publication of its draft', async () => {
  const { temporary, answer } = await setup()
  unwrap(await answer('Ann', 'approve'))
  unwrap(await publish(temporary.store, GUIDE, {}, new Date()))
  assert.equal((await stateOf(temporary)).approved, true)
})
