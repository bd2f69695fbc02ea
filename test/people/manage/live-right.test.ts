import assert from 'node:assert/strict'
import test from 'node:test'
import { endSessionsOf } from '#store/access/sessions.ts'
import { listShares } from '#store/access/shares.ts'
import { findPlan } from '#store/catalogue/plans.ts'
import { listReviews } from '#store/catalogue/reviews.ts'
import { formOf, peopleService, sessionCookie } from '#test/support/people-service.ts'
import { publishedStore, type TemporaryStore } from '#test/support/temporary-store.ts'

const MANAGE = '/acme/guide/-/manage'
const REF = { workspace: 'acme', project: 'guide' }

/** A button of each form that changes something, with what a person enters. */
const FORMS: readonly [path: string, action: string, entered?: Readonly<Record<string, string>>][] = [
  [MANAGE, 'publish'],
  [MANAGE, 'plan', { at: '2099-01-01T12:00' }],
  [`${MANAGE}/history`, 'restore', { revision: '1', sure: 'yes' }],
  [`${MANAGE}/links`, 'share', { of: 'guide', expires: '30d' }],
  ['/acme/guide/-/draft/-/changes', 'ask', { comment: 'Larger, please' }],
  ['/acme/-/sessions', 'end-others'],
]

for (const [path, action, entered] of FORMS)
  test(`*${action}* changes nothing if the session ends while it waits for the store`, async () => {
    const { temporary, ask, cookie } = await setup()
    const { text } = await ask(path, { headers: { cookie } })
    const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const draft = /name="draft" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const before = await stateOf(temporary, idOf(cookie))
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const ending = temporary.store.database.transaction(async queries => {
      await released
      await endSessionsOf(queries, { column: 'id', value: idOf(cookie) }, new Date())
    })
    const sent = ask(
      path,
      formOf({ token, draft, do: action, ...entered }, { cookie, 'sec-fetch-site': 'same-origin' }),
    )
    await new Promise(resolve => setTimeout(resolve, 100))
    release()
    await ending
    const { status } = await sent
    assert.ok(status >= 400, `${status}`)
    assert.deepEqual(await stateOf(temporary, idOf(cookie)), before)
  })

test('a form of a person whose rights became others while it waited changes nothing', async () => {
  const { temporary, ask, cookie } = await setup()
  const { text } = await ask(`${MANAGE}/links`, { headers: { cookie } })
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  await temporary.store.database.run('UPDATE session SET manages = NULL WHERE id = ?', idOf(cookie))
  const fields = { token, do: 'share', of: 'guide', expires: '30d' }
  const { status } = await ask(`${MANAGE}/links`, formOf(fields, { cookie, 'sec-fetch-site': 'same-origin' }))
  assert.equal(status, 404)
  assert.deepEqual(await listShares(temporary.store.database), [])
})

async function setup() {
  const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# One\n' })
  await temporary.publishing('acme/guide', { 'guide/pages/index.md': '# Two\n' })
  await temporary.importing('acme', { 'guide/pages/index.md': '# Three\n' })
  const rights = { name: 'Ada', manages: 'all', drafts: true } as const
  const cookie = await sessionCookie(temporary, 'acme', rights)
  await sessionCookie(temporary, 'acme', rights)
  const { ask } = await peopleService(temporary)
  return { temporary, ask, cookie }
}

function idOf(cookie: string): string {
  return /=([0-9a-f]{32})\./.exec(cookie)?.[1] ?? assert.fail()
}

async function stateOf({ store: { database } }: TemporaryStore, own: string) {
  const revisions = await database.all('SELECT * FROM revision')
  const sessions = await database.all('SELECT id FROM session WHERE ended_at IS NULL AND id <> ?', own)
  return {
    revisions,
    sessions,
    plan: await findPlan(database, REF),
    shares: await listShares(database),
    reviews: await listReviews(database, REF),
  }
}
