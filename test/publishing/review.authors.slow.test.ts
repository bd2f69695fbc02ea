import assert from 'node:assert/strict'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { rollback } from '#publishing/history.ts'
import { publish } from '#publishing/publish.ts'
import { type NewReview, review } from '#publishing/review.ts'
import { projectStates } from '#publishing/status.ts'
import { addShare } from '#store/access/shares.ts'
import { linkReviewer } from '#store/catalogue/reviews.ts'
import { GIT, startGitServer } from '../support/git-server.ts'
import { pullerFor } from '../support/puller.ts'
import { seenDraft, temporaryStore } from '../support/temporary-store.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }
const server = await startGitServer()
let repositories = 0

/** Eve is known by her verified address, and Ann by the one that the service makes for a subject. */
const EVE = { reviewer: 'eve-subject-of-an-issuer', who: 'Eve', email: 'Eve@acme.example' }
const ANN = { reviewer: 'ann-subject-of-an-issuer', who: 'Ann', email: 'ann@acme.example' }
const BEN = { reviewer: 'ben-subject-of-an-issuer', who: 'Ben', email: 'ben@acme.example' }
const BY = {
  Eve: 'eve@acme.example',
  Ann: 'ann-subject-of-a@users.brand.example',
  Ben: BEN.email,
  Git: 'git@acme.example',
}

/** A guide that a followed repository fills with `publish: approved`. */
async function followed(settings: string, publishMode: 'approved' | 'auto' = 'approved') {
  const { store, ...temporary } = await temporaryStore()
  const { url, folder, git } = await server.make(`reviews-${repositories++}.git`)
  const { pull } = pullerFor({ store, ...temporary })
  const source = { url, publish: publishMode }
  const state = async () => (await projectStates(store, GUIDE))[0] ?? assert.fail()
  /** Adds a commit to the branch, and pulls it. */
  const save = async (who: keyof typeof BY, yaml: string, text = 'Welcome', workspace = 'id: acme\n') => {
    const blob = (content: string) => git(['hash-object', '-w', '--stdin'], content)
    const tree = async (entries: string) => git(['mktree'], entries)
    const pages = await tree(`100644 blob ${await blob(`# ${text}\n`)}\tindex.md\n`)
    const guide = await tree(`040000 tree ${pages}\tpages\n100644 blob ${await blob(yaml)}\tproject.yaml\n`)
    const root = await tree(`040000 tree ${guide}\tguide\n100644 blob ${await blob(workspace)}\tworkspace.yaml\n`)
    const parent = await git(['rev-parse', '--quiet', '--verify', 'main']).then(
      hash => ['-p', hash],
      () => [],
    )
    const author = ['-c', `user.name=${who}`, '-c', `user.email=${BY[who]}`]
    const hash = await git([...author, 'commit-tree', root, ...parent, '-m', text])
    await git(['update-ref', 'refs/heads/main', hash])
  }
  const approve = async (
    person: Pick<NewReview, 'reviewer' | 'who' | 'email'>,
    answer: NewReview['answer'] = 'approve',
  ) => {
    unwrap(await review(store, GUIDE, { ...person, isSignedIn: true, answer, ...(await seenDraft(store)) }, new Date()))
    await pull(source)
  }
  await save('Git', settings)
  await pull(source)
  unwrap(await publish(store, GUIDE, {}, new Date()))
  return { store, folder, save, approve, state, pull: () => pull(source) }
}

test('an editor who names herself as the reviewer of a guide that she makes public approves nothing', GIT, async () => {
  const { save, approve, state, pull } = await followed('visibility: private\n')
  await save('Eve', 'visibility: public\npublishing: { reviewers: [eve@acme.example] }\n')
  await pull()
  await approve(EVE)
  const { status, approved, missing, authors, lacksOnlyAuthors } = await state()
  assert.deepEqual([status, approved, missing, authors], ['Changed', false, ['eve@acme.example'], ['eve@acme.example']])
  assert.equal(lacksOnlyAuthors, true)
  await approve(BEN)
  assert.equal((await state()).status, 'Changed')
})

test('her own approval does not count without a named reviewer either; that of somebody else does', GIT, async () => {
  const { save, approve, state, pull } = await followed('')
  await save('Ann', '', 'Changed')
  await pull()
  await approve(ANN)
  const { status, approved, authors } = await state()
  assert.deepEqual([status, approved, authors], ['Changed', false, ['Ann']])
  await approve(BEN)
  assert.deepEqual([(await state()).status, (await state()).revision], ['UpToDate', 2])
})

test('the reviewers of the published revision must answer, too: all names, and the larger number', GIT, async () => {
  const { save, approve, state, pull } = await followed('publishing: { reviewers: [ben@acme.example] }\n')
  await save('Eve', 'publishing: { reviewers: 2 }\n', 'Changed')
  await pull()
  assert.equal((await state()).missing, 2)
  await approve({ reviewer: 'cleo', who: 'Cleo', email: 'cleo@acme.example' })
  await approve(ANN)
  assert.deepEqual((await state()).missing, ['ben@acme.example'])
  await approve(BEN)
  assert.equal((await state()).revision, 2)
  await save('Eve', '', 'Later')
  await pull()
  assert.equal((await state()).missing, 2, 'the published rules are now those of the last draft')
})

test('the authors of all commits since the publication count, also of those that were not imported', GIT, async () => {
  const { save, approve, state, pull } = await followed('')
  await save('Eve', 'visibility: everyone\n', 'First')
  await pull()
  await save('Ann', 'visibility: public\n', 'Second')
  await save('Git', 'visibility: public\n', 'Third')
  await pull()
  await approve(EVE)
  await approve(ANN)
  assert.deepEqual((await state()).authors?.toSorted(), ['Ann', 'Eve'])
  await approve(BEN)
  assert.equal((await state()).revision, 2)
  await save('Git', 'visibility: public\n', 'Fourth')
  await pull()
  await approve(EVE)
  assert.equal((await state()).revision, 3, 'a published draft has no authors')
})

test('the authors of a draft that was rolled back do not approve it again', GIT, async () => {
  const { store, save, approve, state, pull } = await followed('')
  await save('Eve', '', 'Changed')
  await pull()
  await approve(BEN)
  unwrap(await rollback(store, GUIDE, 1, new Date()))
  await approve(EVE)
  assert.deepEqual([(await state()).status, (await state()).authors], ['Changed', ['Eve']])
})

test('if all missing reviewers have changed the draft, people may publish it, and a push does not', GIT, async () => {
  const { store, save, state, pull } = await followed('publishing: { reviewers: [eve@acme.example] }\n', 'auto')
  await save('Eve', 'publishing: { reviewers: [eve@acme.example] }\n', 'Changed')
  await pull()
  assert.equal((await state()).revision, 1)
  assert.equal(unwrap(await publish(store, GUIDE, { over: [] }, new Date())).revision, 2)
  await save('Eve', 'publishing: { reviewers: [eve@acme.example, ben@acme.example] }\n', 'Later')
  await pull()
  const refused = await publish(store, GUIDE, { over: 'all' }, new Date())
  assert.equal(!refused.ok && refused.problem.code, 'draft_unapproved')
})

test('an answer through a link is no review that is asked for if its maker has changed the draft', GIT, async () => {
  const { store, save, approve, state, pull } = await followed('publishing: { reviewers: 1 }\n')
  await save('Eve', 'publishing: { reviewers: 1 }\n', 'Changed')
  await pull()
  const answerThrough = async (id: string, maker: typeof EVE) => {
    const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 60_000)]
    const ends = { createdAt, expiresAt, revokedAt: undefined, lastUsedAt: undefined }
    const made = { madeBy: maker.who, maker: maker.reviewer, makerSignin: 'none', makerEmail: maker.email }
    const share = { id, ...GUIDE, name: 'Agency', isDraft: true, mayApprove: true, secretHash: id, ...made, ...ends }
    await store.database.transaction(queries => addShare(queries, share))
    await approve({ reviewer: linkReviewer(id), who: 'Agency' }, 'approve')
  }
  await answerThrough('of-eve', EVE)
  assert.equal((await state()).missing, 1)
  await answerThrough('of-ben', BEN)
  assert.equal((await state()).missing, undefined)
})

for (const [name, yaml, workspace] of [
  ['workspace.yaml has an error', '', 'id: acme\nname: [\n'],
  ['its guide has another id', 'id: other\n', 'id: acme\n'],
] as const)
  test(`the author of a commit that was imported while ${name} does not approve it later`, GIT, async () => {
    const { save, approve, state, pull } = await followed('')
    await save('Ann', yaml, 'Changed', workspace)
    await pull()
    await save('Git', '', 'Changed')
    await pull()
    await approve(ANN)
    assert.deepEqual([(await state()).approved, (await state()).authors], [false, ['Ann']])
    await approve(BEN)
    assert.equal((await state()).status, 'UpToDate')
  })
