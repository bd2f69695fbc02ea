import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectStates } from '#publishing/status.ts'
import { listLiveSessions } from '#store/access/sessions.ts'
import { startAlteredIssuer } from '../../../support/altered-issuer.ts'
import { allowIssuer, PEOPLE_URL, peopleService } from '../../../support/people-service.ts'
import { publishedStore } from '../../../support/temporary-store.ts'
import { type Visitor, visitor } from '../../../support/visitor.ts'

const [REVIEW, MANAGE] = ['/acme/guide/-/draft/-/changes', '/acme/guide/-/manage']
const issuer = await startAlteredIssuer()

/** A service with groups of people: `editors` manage the guide, `writers` edit it, `readers` see only the publication. */
async function setup() {
  const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# One\n' })
  await temporary.importing('acme', { 'guide/pages/index.md': '# Two\n' })
  const groups = [
    { group: 'editors', manage: true, projects: ['guide'] },
    { group: 'writers', edit: true, projects: ['guide'] },
    { group: 'readers' },
  ] as const
  await allowIssuer(temporary, issuer.url, { rules: { domains: [], groups } })
  const service = await peopleService(temporary)
  const signIn = async (group: string) => {
    issuer.claims = { name: 'Anna Lee', groups: [group] }
    const anna = visitor(service.service)
    const start = await anna.get('/-/signin?workspace=acme')
    const answer = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
    const { status } = await anna.get(answer.headers.get('location') ?? '')
    return { anna, status }
  }
  const approved = async () => (await projectStates(temporary.store, {}))[0]?.approved
  return { ...service, ...temporary, signIn, approved }
}

/** Submits a form of a page with the hidden fields of its first form. */
async function press(anna: Visitor, path: string, fields: Readonly<Record<string, string>>) {
  const { text } = await anna.get(path)
  const hidden = text.matchAll(/<input type="hidden" name="(token|draft)" value="([^"]*)">/g)
  const values = Object.fromEntries(Array.from(hidden, ([, name = '', value = '']) => [name, value]))
  return anna.post(path, { ...values, ...fields })
}

for (const [group, status, later] of [
  ['readers', 303, [200, 404, 404]],
  ['nobody', 403, [404, 404, 404]],
] as const)
  test(`a person who signs in as one of ${group} loses in every browser what an earlier group allowed`, async () => {
    const { signIn, approved, follow, service } = await setup()
    const { anna } = await signIn('editors')
    assert.equal((await press(anna, REVIEW, { do: 'approve' })).status, 303)
    assert.equal(await approved(), true)
    const made = await press(anna, MANAGE, { do: 'share', of: 'draft', expires: '7d' })
    const shown = await anna.get(made.headers.get('location') ?? '')
    const link = new RegExp(`${PEOPLE_URL}(/acme/guide/-/draft/-/share/[\\w-]+)`).exec(shown.text)?.[1] ?? ''
    assert.equal((await visitor(service).get(link)).status, 303)
    assert.equal((await signIn(group)).status, status)
    await follow()
    assert.equal(await approved(), false)
    assert.equal((await visitor(service).get(link)).status, 404)
    const pages = ['/acme/guide', REVIEW, MANAGE]
    const statuses = []
    for (const path of pages) statuses.push((await anna.get(path)).status)
    assert.deepEqual(statuses, later)
  })

test('a person who signs in with the same rights in another browser keeps both sessions, and their answers', async () => {
  const { signIn, approved, follow } = await setup()
  const { anna } = await signIn('editors')
  assert.equal((await press(anna, REVIEW, { do: 'approve' })).status, 303)
  assert.equal((await signIn('editors')).status, 303)
  await follow()
  assert.equal(await approved(), true)
  assert.equal((await anna.get(MANAGE)).status, 200)
})

test('the right to edit comes and goes with the next sign-in, in every browser', async () => {
  const { signIn, follow, store } = await setup()
  const { anna } = await signIn('readers')
  for (const [group, status, edited] of [
    ['readers', 404, []],
    ['writers', 200, ['guide']],
    ['editors', 200, []],
    ['readers', 404, []],
  ] as const) {
    await signIn(group)
    await follow()
    assert.equal((await anna.get(REVIEW)).status, status, group)
    const sessions = await listLiveSessions(store.database, new Date())
    const all = sessions.map(({ edits }) => (edits?.projects ?? []).map(({ project }) => project))
    assert.deepEqual(
      all,
      sessions.map(() => edited),
    )
  }
})
