import assert from 'node:assert/strict'
import test from 'node:test'
import { stateText } from '#publishing/draft-state.ts'
import { seenDraft } from '../../support/draft-state.ts'
import { formOf, PEOPLE_URL, peopleService, sessionCookie, shownAfter } from '../../support/people-service.ts'
import { resultOf } from '../../support/run-command.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
for (const place of ['acme/guide', 'acme/other', 'second/guide']) {
  const [, project = ''] = place.split('/')
  await temporary.publishing(place, { [`${project}/pages/index.md`]: '# Home\n' })
}
await temporary.importing('acme', { 'guide/pages/index.md': '# Home\n\nNew.\n', 'other/pages/index.md': '# Home\n' })
const smtp = { host: '127.0.0.1', port: 25, isSecure: false, user: '', from: 'brand@example.com' }
const { ask } = await peopleService(temporary, { smtp })
const link = async (...options: string[]) => {
  const { id, url } = await resultOf(temporary.folder, ['share', 'acme/guide', ...options])
  const { headers } = await ask(new URL(url).pathname)
  return { id, cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}
const { token } = await temporary.issue('acme')
const guideLink = await link()
const sessionOf = (options: Parameters<typeof sessionCookie>[2]) => sessionCookie(temporary, 'acme', options)
const manager = await sessionOf({ manages: 'all', subject: 'manager', name: 'Ada' })
const half = await sessionOf({ manages: ['guide'], subject: 'half' })
const idOf = (cookie: string) => /=([0-9a-f]+)\./.exec(cookie)?.[1] ?? ''
const PROJECT = '/acme/guide/-/manage'
const LINKS = `${PROJECT}/links`
const HISTORY = `${PROJECT}/history`
const WORKSPACE = '/acme/-/manage'
const SESSIONS = '/acme/-/sessions'
const MAIL = '/acme/-/manage/mail'
const REVIEW = '/acme/guide/-/draft/-/changes'
const draft = stateText(await seenDraft(temporary.store))

const send = (address: string, fields: Readonly<Record<string, string>>, headers: Record<string, string>) =>
  ask(address, formOf(fields, headers))

const tokenIn = async (address: string, cookie: string) =>
  /name="token" value="([^"]+)"/.exec((await ask(address, { headers: { cookie } })).text)?.[1] ?? ''

const inputIn = async (address: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec((await ask(address, { headers: { cookie: manager } })).text)?.[1] ??
  ''
const reviewer = { cookie: await sessionOf({ drafts: true, subject: 'reviewer', name: 'Ben' }) }
const seen = await inputIn(REVIEW, 'draft')
const asked = { do: 'ask', draft: seen, comment: 'Larger' }
await send(REVIEW, { ...asked, token: await tokenIn(REVIEW, reviewer.cookie) }, reviewer)
await send(
  PROJECT,
  { do: 'plan', draft: seen, at: '2998-01-01T09:00', token: await tokenIn(PROJECT, manager) },
  { cookie: manager },
)
const request = await inputIn(PROJECT, 'id')

/** The forms of the pages, by address. None of them changes anything below, except the last time. */
const FORMS: readonly (readonly [address: string, fields: Readonly<Record<string, string>>])[] = [
  [PROJECT, { do: 'publish', draft, note: 'No' }],
  [PROJECT, { do: 'publish', draft, at: '2999-01-01T09:00' }],
  [PROJECT, { do: 'plan', draft, at: '2999-01-01T09:00' }],
  [PROJECT, { do: 'cancel-plan' }],
  [PROJECT, { do: 'dismiss', id: request }],
  [PROJECT, { do: 'restore', revision: '1', sure: 'yes' }],
  [PROJECT, { do: 'share', of: 'guide', name: 'No', expires: '7d' }],
  [PROJECT, { do: 'end-share', id: guideLink.id, sure: 'yes' }],
  [HISTORY, { do: 'restore', revision: '1', sure: 'yes' }],
  [LINKS, { do: 'share', of: 'guide', name: 'No', expires: '7d' }],
  [LINKS, { do: 'end-share', id: guideLink.id, sure: 'yes' }],
  [LINKS, { do: 'rotate-files' }],
  [WORKSPACE, { do: 'publish', 'draft guide': draft }],
  [WORKSPACE, { do: 'end-session', id: idOf(half) }],
  [WORKSPACE, { do: 'end-connection', id: 'none' }],
  [MAIL, { do: 'save', draft: 'on' }],
  [REVIEW, { do: 'approve', draft: seen }],
  [REVIEW, { do: 'ask', draft: seen, comment: 'No' }],
  [SESSIONS, { do: 'end', id: idOf(manager) }],
  [SESSIONS, { do: 'end-others' }],
]

const state = async () => [
  await resultOf(temporary.folder, ['history', 'acme/guide']),
  (await resultOf(temporary.folder, ['share', 'list'])).map(({ id, revokedAt }: Record<string, unknown>) => [
    id,
    revokedAt,
  ]),
  (await resultOf(temporary.folder, ['signin', 'sessions', 'acme'])).length,
  (await temporary.store.database.all('SELECT * FROM mail_choice')).length,
  await resultOf(temporary.folder, ['status', 'acme/guide']),
]

/** Everyone with a session has their own page of sessions. */
const READ_ONLY = ['usage', 'usage.csv', 'rights.atom', 'revision/1', 'revision/1/-/changes', 'revision/1/-/files'].map(
  below => `${PROJECT}/${below}`,
)
const MANAGED = [PROJECT, HISTORY, LINKS, WORKSPACE, ...READ_ONLY]
const OTHERS: Readonly<Record<string, { headers: Record<string, string>; addresses?: readonly string[] }>> = {
  nobody: { headers: {} },
  'a reader who is signed in': {
    headers: { cookie: await sessionOf({ subject: 'reader' }) },
    addresses: [...MANAGED, REVIEW, MAIL],
  },
  'a reader of drafts': {
    headers: { cookie: await sessionOf({ drafts: true, subject: 'drafts' }) },
    addresses: MANAGED,
  },
  'a person who only edits': {
    headers: { cookie: await sessionOf({ edits: 'all', subject: 'edits' }) },
    addresses: MANAGED,
  },
  'a manager whose session has ended': { headers: { cookie: await sessionOf({ manages: 'all', isEnded: true }) } },
  'a manager of another workspace': {
    headers: { cookie: await sessionCookie(temporary, 'second', { manages: 'all' }) },
  },
  'a manager of another project': {
    headers: { cookie: await sessionOf({ manages: ['other'], subject: 'other' }) },
    addresses: [PROJECT, HISTORY, LINKS, REVIEW, ...READ_ONLY],
  },
  'the holder of a share link': { headers: { cookie: guideLink.cookie } },
  'the holder of a draft link': {
    headers: { cookie: (await link('--draft', '--may-approve')).cookie },
    addresses: [...MANAGED, SESSIONS, MAIL],
  },
  'a token with all scopes': { headers: { authorization: `Bearer ${token}` } },
}

for (const [name, { headers, addresses = [...MANAGED, REVIEW, SESSIONS, MAIL] }] of Object.entries(OTHERS))
  test(`${name} reaches no form, and gets what an unknown address gives`, async () => {
    const before = await state()
    const accept = { accept: 'text/html', ...headers }
    for (const address of addresses) {
      const [page, unknown] = [
        await ask(address, { headers: accept }),
        await ask(address.replace(/manage(?:\/mail)?|sessions|changes$/, 'nothing'), { headers: accept }),
      ]
      assert.deepEqual([page.status, page.text], [404, unknown.text])
    }
    for (const [address, fields] of FORMS) {
      if (!addresses.includes(address)) continue
      const given = { ...fields, token: await tokenIn(address, manager) }
      const { status, text } = await send(address, given, accept)
      assert.equal(status, 404, `${address} ${fields.do}`)
      if (address !== SESSIONS)
        assert.match(
          text,
          /(?:You no longer manage this guide|You can no longer answer|Sign in to continue)[\s\S]*nothing was published/,
        )
    }
    assert.deepEqual(await state(), before)
  })

test('a form of another site, of another session or without a token changes nothing', async () => {
  const before = await state()
  for (const [address, fields] of FORMS) {
    const own = { ...fields, token: await tokenIn(address, manager) }
    const forged: readonly (readonly [Record<string, string>, Record<string, string>])[] = [
      [own, { origin: 'https://evil.example' }],
      [own, { origin: 'null' }],
      [own, { 'sec-fetch-site': 'cross-site' }],
      [own, { 'sec-fetch-site': 'same-site' }],
      [own, { 'sec-fetch-site': 'none' }],
      [own, { 'content-type': 'text/plain' }],
      [fields, {}],
      [{ ...fields, token: 'x'.repeat(43) }, {}],
      [{ ...fields, token: await tokenIn(PROJECT, half) }, {}],
    ]
    for (const [given, headers] of forged)
      assert.equal((await send(address, given, { cookie: manager, ...headers })).status, 403, `${address} ${fields.do}`)
  }
  assert.deepEqual(await state(), before)
})

test('people with a session see only their own, and end no other', async () => {
  const before = await state()
  for (const cookie of [half, await sessionOf({ subject: 'newcomer', drafts: true })]) {
    const { text } = await ask(SESSIONS, { headers: { cookie } })
    assert.ok(text.includes(idOf(cookie)))
    assert.doesNotMatch(text, new RegExp(idOf(manager)))
    const given = { do: 'end', id: idOf(manager), token: await tokenIn(SESSIONS, cookie) }
    assert.equal((await send(SESSIONS, given, { cookie })).status, 404)
    assert.equal((await send(SESSIONS, { ...given, do: 'end-others' }, { cookie })).status, 303)
  }
  assert.deepEqual((await state())[2], Number(before[2]) + 1)
})

test('the page of usage and its CSV take no form', async () => {
  const given = { token: await tokenIn(PROJECT, manager), do: 'publish' }
  for (const address of [`${PROJECT}/usage`, `${PROJECT}/usage.csv`])
    assert.equal((await send(address, given, { cookie: manager })).status, 405)
})

test('people who manage some projects see no session, and end none', async () => {
  const { status, text } = await ask(WORKSPACE, { headers: { cookie: half } })
  assert.equal(status, 200)
  assert.match(text, /href="\/acme\/guide\/-\/manage"/)
  assert.doesNotMatch(text, /\/acme\/other\/-\/manage|end-session/)
  const before = await state()
  const reply = await send(
    WORKSPACE,
    { do: 'end-session', id: idOf(manager), token: await tokenIn(PROJECT, half) },
    { cookie: half },
  )
  assert.equal(reply.status, 400)
  assert.deepEqual(await state(), before)
})

test('a link is made with its address shown once, listed with its last use, and ended', async () => {
  const headers = { cookie: half }
  const given = { do: 'share', token: await tokenIn(PROJECT, half) }
  for (const wrong of [{ of: 'all' }, { expires: 'soon' }, { expires: '400d' }, { name: 'x'.repeat(1001) }])
    assert.equal((await send(PROJECT, { of: 'guide', expires: '7d', ...given, ...wrong }, headers)).status, 422)
  const made = await send(PROJECT, { ...given, of: 'guide', name: 'Studio <Nord>', expires: '30d' }, headers)
  const address = new RegExp(`${PEOPLE_URL}/acme/guide/-/share/[\\w-]{32}`)
  const url = address.exec(await shownAfter({ ask }, half, made))?.[0] ?? ''
  assert.equal((await ask(new URL(url).pathname)).status, 303)
  const { text } = await ask(LINKS, { headers })
  assert.doesNotMatch(text, address)
  assert.ok(text.includes('Studio &#60;Nord&#62;'))
  const [listed] = await resultOf(temporary.folder, ['share', 'list', 'acme/guide'])
  assert.equal(listed.name, 'Studio <Nord>')
  const others = await resultOf(temporary.folder, ['share', 'acme/other'])
  const end = (id: string) => send(PROJECT, { ...given, do: 'end-share', id, sure: 'yes' }, headers)
  assert.equal((await end(others.id)).status, 422)
  assert.equal((await end(listed.id)).status, 303)
  assert.equal((await ask(new URL(url).pathname)).status, 404)
  const after = await resultOf(temporary.folder, ['share', 'list', 'acme/other'])
  assert.equal(after[0].revokedAt, null)
})

test('people who manage the whole workspace end sessions, also their own', async () => {
  const headers = { cookie: manager }
  const { text } = await ask(WORKSPACE, { headers })
  assert.match(text, /\/acme\/other\/-\/manage/)
  assert.match(text, /<bdi>Ada<\/bdi>/)
  const end = async (cookie: string) =>
    send(WORKSPACE, { do: 'end-session', id: idOf(cookie), token: await tokenIn(WORKSPACE, manager) }, headers)
  assert.equal((await end(half)).status, 303)
  assert.equal((await ask(PROJECT, { headers: { cookie: half } })).status, 404)
  const own = await end(manager)
  assert.deepEqual([own.status, own.headers.get('location')], [303, '/-/signout?workspace=acme'])
  assert.equal((await ask(WORKSPACE, { headers })).status, 404)
})
