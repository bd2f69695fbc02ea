import assert from 'node:assert/strict'
import test from 'node:test'
import { createWebhook, deliveryStates } from '#delivery/events/webhooks/webhooks.ts'
import { unwrap } from '#program/cli/failure.ts'
import { stateText } from '#publishing/draft-state.ts'
import { history } from '#publishing/history.ts'
import { projectStates } from '#publishing/status.ts'
import { MAIN } from '#test/program/cli/housestyle.ts'
import { serve } from '#test/support/command.ts'
import { GIT, startGitServer } from '#test/support/git-server.ts'
import { peopleService, sessionCookie } from '#test/support/people-service.ts'
import { type Answer, cookieOf, type TestService } from '#test/support/service.ts'
import { accessTo, resultOf, seenDraft, type TemporaryStore, temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const PAGE = '/acme/guide/-/draft/-/changes'

/** A service of a store with a published project whose draft differs, and a project without a publication. */
async function setup() {
  const temporary = await temporaryStore()
  await temporary.publishing('acme/guide', {
    'guide/pages/index.md': '# One\n',
    'fresh/pages/index.md': '# Fresh\n',
    'open/project.yaml': 'visibility: public\n',
    'open/pages/index.md': '# Open\n',
  })
  await temporary.publish('acme/open')
  await temporary.importing('acme', { 'guide/pages/index.md': '# Two\n' })
  return { temporary, service: await peopleService(temporary) }
}

const stateOf = async ({ store }: TemporaryStore, project = 'guide') => {
  const [state] = await projectStates(store, { workspace: 'acme', project })
  return state ?? assert.fail()
}

/** Makes a draft link, and gives the Cookie header of a browser that used it. */
async function linkCookie(temporary: TemporaryStore, { ask, follow }: TestService, ...args: string[]) {
  const { id, url } = await resultOf(temporary.folder, ['share', 'acme/guide', '--draft', ...args])
  await follow()
  return { id: String(id), cookie: cookieOf(await ask(new URL(url).pathname)) }
}

function inputOf({ text }: Answer, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
}

function mainOf({ text }: Answer): string {
  return /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''
}

/** Sends the form of a page as a browser does. */
async function send(
  { ask }: TestService,
  cookie: string,
  fields: Record<string, string>,
  { path = PAGE, headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const page = await ask(path, { headers: { cookie } })
  const given = { token: inputOf(page, 'token'), draft: inputOf(page, 'draft'), comment: '', ...fields }
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return ask(path, { method: 'POST', headers: { cookie, ...type, ...headers }, body: `${new URLSearchParams(given)}` })
}

test('a signed-in reader of the draft approves it or asks for changes, and the page shows all answers', async () => {
  const { temporary, service } = await setup()
  const ann = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true, subject: 'ann' })
  const ben = await sessionCookie(temporary, 'acme', { name: 'Ben', drafts: true, subject: 'ben' })
  const first = await service.ask(PAGE, { headers: { cookie: ann } })
  assert.match(mainOf(first), /<del>-# One<\/del>[\s\S]*This draft is not approved yet\./)
  assert.ok(inputOf(first, 'token').length >= 22)
  for (const [name, value] of [
    ['cache-control', 'no-store'],
    ['x-robots-tag', 'noindex'],
    ['x-frame-options', 'DENY'],
    ['referrer-policy', 'same-origin'],
  ] as const)
    assert.equal(first.headers.get(name), value)
  const approved = await send(service, ann, { do: 'approve' })
  assert.deepEqual([approved.status, approved.headers.get('location')], [303, `${PAGE}?done=approve`])
  assert.match(
    mainOf(await service.ask(PAGE, { headers: { cookie: ben } })),
    /This draft is approved\.[\s\S]*Approved by <bdi>Ann<\/bdi>, <time class="minute" datetime="[^"]+">\d+ \w+ \d{4} at \d\d:\d\d UTC<\/time><\/p><\/div>/,
  )
  await send(service, ben, { do: 'ask', comment: 'Larger,\r\n\u0000 <b>please</b>' })
  const text = mainOf(await service.ask(PAGE, { headers: { cookie: ann } }))
  assert.match(text, /not approved yet[\s\S]*Changes requested by <bdi>Ben<\/bdi>[\s\S]*Approved by <bdi>Ann<\/bdi>/)
  assert.match(text, /<p dir="auto">Larger,<br> &#60;b&#62;please&#60;\/b&#62;<\/p>/)
  const { approved: isApproved, reviews } = await stateOf(temporary)
  assert.deepEqual(
    [isApproved, reviews.map(({ answer, who, comment, old }) => [answer, who, comment, old])],
    [
      false,
      [
        ['ask', 'Ben', 'Larger,\n <b>please</b>', false],
        ['approve', 'Ann', null, false],
      ],
    ],
  )
  const events = service.logged.filter(line => Object.entries(line).some(([, value]) => value === 'draft-reviewed'))
  assert.deepEqual(events[0], {
    event: 'draft-reviewed',
    workspace: 'acme',
    project: 'guide',
    subject: 'ann',
    message: 'draft-reviewed',
  })
  assert.ok(!JSON.stringify(events).includes('Ann'))
})

test('a draft link asks for changes under its name, and approves only with --may-approve', async () => {
  const { temporary, service } = await setup()
  const asking = await linkCookie(temporary, service, '--name', 'Nord <script>')
  const page = await service.ask(PAGE, { headers: { cookie: asking.cookie } })
  assert.match(page.text, /name="do" value="ask"/)
  assert.doesNotMatch(page.text, /name="do" value="approve"/)
  assert.equal((await send(service, asking.cookie, { do: 'approve' })).status, 403)
  assert.deepEqual((await stateOf(temporary)).reviews, [])
  assert.equal((await send(service, asking.cookie, { do: 'ask', comment: 'No' })).status, 303)
  const { text } = await service.ask(PAGE, { headers: { cookie: asking.cookie } })
  assert.match(text, /Changes requested by <bdi>Nord &#60;script&#62;<\/bdi>/)
  assert.ok(service.logged.some(line => JSON.stringify(line).includes(`"share":"${asking.id}"`)))
  const approving = await linkCookie(temporary, service, '--may-approve')
  assert.equal((await send(service, approving.cookie, { do: 'approve' })).status, 303)
  const { approved, reviews } = await stateOf(temporary)
  assert.deepEqual([approved, reviews.map(({ who }) => who)], [false, ['a link', 'Nord <script>']])
})

test('an answer to a changed draft gets 409 and the new state, which keeps the comment and shows earlier answers as old', async () => {
  const { temporary, service } = await setup()
  const cookie = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true })
  await send(service, cookie, { do: 'approve' })
  const draft = inputOf(await service.ask(PAGE, { headers: { cookie } }), 'draft')
  await temporary.importing('acme', { 'guide/pages/index.md': '# Three\n' })
  const refused = await send(service, cookie, { do: 'ask', draft, comment: 'Mind\n<the> gap' })
  assert.equal(refused.status, 409)
  const main = mainOf(refused)
  assert.match(main, /<ins>\+# Three<\/ins>/)
  assert.match(main, /role="alert">The draft has changed since you opened this page\./)
  assert.match(main, /<textarea[^>]*>\nMind\n&#60;the&#62; gap<\/textarea>/)
  assert.match(main, /Approved by <bdi>Ann<\/bdi>[^\n]* <span class="quiet">\(about an earlier draft\)<\/span>/)
  const { reviews } = await stateOf(temporary)
  assert.equal(inputOf(refused, 'draft'), stateText(await seenDraft(temporary.store)))
  const seen = reviews.map(({ answer, old }) => [answer, old])
  assert.deepEqual(seen, [['approve', true]])
})

test('wrong input changes nothing: no comment or one that is too long, another draft or another button', async () => {
  const { temporary, service } = await setup()
  const cookie = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true })
  const statusOf = async (fields: Record<string, string>) => (await send(service, cookie, fields)).status
  assert.equal(await statusOf({ do: 'ask', comment: 'x'.repeat(2001) }), 422)
  assert.equal(await statusOf({ do: 'ask', comment: 'x'.repeat(50_000) }), 422)
  assert.equal(await statusOf({ do: 'ask', draft: 'x' }), 422)
  assert.equal(await statusOf({ do: 'publish' }), 400)
  assert.equal(await statusOf({ do: 'ask', comment: 'Larger', draft: `${'a'.repeat(64)}-${'b'.repeat(32)}` }), 409)
  assert.equal(await statusOf({ do: 'ask', comment: ' \n' }), 422)
  assert.deepEqual((await stateOf(temporary)).reviews, [])
  assert.equal(await statusOf({ do: 'ask', comment: '字\r\n'.repeat(1000) }), 303)
})

test('a form with the token of a link or of another session is refused', async () => {
  const { temporary, service } = await setup()
  const cookie = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true })
  const other = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true })
  const link = await linkCookie(temporary, service, '--may-approve')
  for (const foreign of [other, link.cookie]) {
    const token = inputOf(await service.ask(PAGE, { headers: { cookie: foreign } }), 'token')
    assert.equal((await send(service, cookie, { do: 'approve', token })).status, 403)
  }
  assert.deepEqual((await stateOf(temporary)).reviews, [])
  const own = { origin: 'http://127.0.0.1:9', 'sec-fetch-site': 'same-origin' }
  assert.equal((await send(service, cookie, { do: 'approve' }, { headers: own })).status, 303)
})

test('no page shows an answer to people who do not see the draft', async () => {
  const { temporary, service } = await setup()
  const reviewer = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true, subject: 'ann' })
  for (const path of [PAGE, '/acme/open/-/draft/-/changes'])
    await send(service, reviewer, { do: 'ask', comment: 'Secret comment' }, { path })
  const link = await resultOf(temporary.folder, ['share', 'acme/guide'])
  const { token } = await temporary.issue('acme')
  await service.follow()
  for (const headers of [
    {},
    { cookie: await sessionCookie(temporary, 'acme', { subject: 'reader' }) },
    { cookie: cookieOf(await service.ask(new URL(link.url).pathname)) },
    { authorization: `Bearer ${token}` },
  ])
    for (const path of [PAGE, '/acme/guide/-/changes', '/acme/guide', '/acme/open', '/acme/open/-/changes'])
      assert.doesNotMatch((await service.ask(path, { headers })).text, /Secret comment|Changes requested/, path)
  const managing = await sessionCookie(temporary, 'acme', { name: 'Mia', manages: ['guide'] })
  assert.match((await service.ask(PAGE, { headers: { cookie: managing } })).text, /Secret comment/)
})

test('a draft has a page for its review, linked from its banner, also before the first publication', async () => {
  const { temporary, service } = await setup()
  const cookie = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true })
  const home = '/acme/fresh/-/draft'
  const banner = /<aside class="draft"[\s\S]*?<\/aside>/.exec(
    (await service.ask(home, { headers: { cookie } })).text,
  )?.[0]
  assert.match(banner ?? '', /<a href="\/acme\/fresh\/-\/draft\/-\/changes">Review<\/a>/)
  const path = `${home}/-/changes`
  assert.match((await service.ask(path, { headers: { cookie } })).text, /Nothing has been published yet\./)
  assert.equal((await send(service, cookie, { do: 'approve' }, { path })).status, 303)
  assert.equal((await stateOf(temporary, 'fresh')).approved, true)
})

test('each answer is a message for the webhooks of its project, and no event', async () => {
  const { temporary, service } = await setup()
  const { store } = temporary
  const url = 'https://hooks.example.com/brand'
  const { id } = unwrap(
    await createWebhook(accessTo(store), { workspace: 'acme', project: undefined, url }, new Date()),
  )
  const events = async () => (await store.database.all('SELECT id FROM event')).length
  const before = await events()
  const cookie = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true })
  await send(service, cookie, { do: 'approve', comment: 'Fine' })
  const [delivery, ...rest] = unwrap(await deliveryStates(store.database, id, false))
  const seen = [delivery?.type, delivery?.project, delivery?.state, rest.length]
  assert.deepEqual(seen, ['draft.reviewed', 'guide', 'waiting', 0])
  const [row] = await store.database.all('SELECT payload FROM delivery')
  const { timestamp, ...message } = JSON.parse(String(row?.payload))
  const { draft: snapshot, reviews } = await stateOf(temporary)
  assert.equal(timestamp, reviews[0]?.at)
  assert.deepEqual(message, {
    type: 'draft.reviewed',
    data: { workspace: 'acme', project: 'guide', snapshot, answer: 'approve' },
  })
  assert.equal(await events(), before)
})

test('serve --publish approved publishes a draft right after an approval in the browser', GIT, async () => {
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
