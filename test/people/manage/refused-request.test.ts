import assert from 'node:assert/strict'
import test from 'node:test'
import { allowIssuer, formOf, PEOPLE_URL, peopleService, sessionCookie } from '../../support/people-service.ts'
import { randomNumbers } from '../../support/random.ts'
import { publishedStore, resultOf } from '../../support/temporary-store.ts'

const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Home\n' })
await temporary.importing('acme', { 'guide/pages/index.md': '# Home\n\nNew.\n' })
await allowIssuer(temporary, 'https://login.example')
const { ask, logged } = await peopleService(temporary)
const manager = await sessionCookie(temporary, 'acme', { manages: 'all', subject: 'manager' })
const reader = await sessionCookie(temporary, 'acme', { subject: 'reader' })
const ended = await sessionCookie(temporary, 'acme', { manages: 'all', isEnded: true })
const link = await resultOf(temporary.folder, ['share', 'acme/guide', '--draft'])
const linkCookie =
  (await ask(new URL(link.url).pathname)).headers
    .getSetCookie()
    .find(each => each.startsWith('housestyle'))
    ?.split(';')[0] ?? ''
const MANAGE = '/acme/guide/-/manage'
const REVIEW = '/acme/guide/-/draft/-/changes'

const inputOf = async (address: string, cookie: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec((await ask(address, { headers: { cookie } })).text)?.[1] ?? ''

/** Sends a form, and returns its status with the new audit lines. */
async function sent(address: string, cookie: string, fields: Record<string, string>, headers = {}) {
  const token = await inputOf(address, cookie, 'token')
  logged.length = 0
  const { status } = await ask(address, formOf({ token, ...fields }, { cookie, ...headers }))
  return [status, ...logged]
}

const line = (reason: string, fields: object, event = 'form-refused') => ({
  event,
  message: event,
  reason,
  operation: 'manage',
  workspace: 'acme',
  project: 'guide',
  address: '127.0.0.1',
  ...fields,
})

test('a refused form of a manager leaves a line that says who, where and why', async () => {
  const subject = 'manager'
  const publish = { do: 'publish', draft: 'sha256:old', note: '' }
  for (const [fields, headers, status, reason] of [
    [publish, { origin: 'https://evil.example' }, 403, 'cross-site'],
    [publish, { 'sec-fetch-site': 'cross-site' }, 403, 'cross-site'],
    [{ ...publish, token: 'other' }, {}, 403, 'session'],
    [publish, {}, 422, 'content'],
    [{ do: 'nothing' }, {}, 400, 'content'],
    [{ do: 'dismiss', id: 'none' }, {}, 409, 'changed'],
    [{ do: 'end-share', id: 'none' }, {}, 422, 'content'],
  ] as const)
    assert.deepEqual(await sent(MANAGE, manager, fields, headers), [status, line(reason, { subject })], reason)
})

test('a refused answer to a draft leaves a line with its person or its link', async () => {
  const review = { operation: 'review' }
  const draft = await inputOf(REVIEW, manager, 'draft')
  const byLink = { ...review, share: link.id }
  assert.deepEqual(await sent(REVIEW, linkCookie, { do: 'approve', draft }), [403, line('rights', byLink)])
  assert.deepEqual(await sent(REVIEW, linkCookie, { do: 'ask', draft, comment: 'Larger', token: 'other' }), [
    403,
    line('session', byLink),
  ])
  await temporary.importing('acme', { 'guide/pages/index.md': '# Home\n\nNewer.\n' })
  assert.deepEqual(await sent(REVIEW, manager, { do: 'ask', draft, comment: 'Larger' }), [
    409,
    line('changed', { ...review, subject: 'manager' }),
  ])
})

test('a person without the right leaves a line for a page and for a form, and an ended session for a form', async () => {
  const get = async (address: string, cookie: string) => {
    logged.length = 0
    return [(await ask(address, { headers: { cookie } })).status, ...logged]
  }
  const subject = 'reader'
  const refused = (fields: object) => line('rights', { subject, ...fields }, 'page-refused')
  assert.deepEqual(await get(MANAGE, reader), [404, refused({})])
  assert.deepEqual(await get(`${MANAGE}/usage`, reader), [404, refused({})])
  assert.deepEqual(await get(REVIEW, reader), [404, refused({ operation: 'review' })])
  assert.deepEqual(await sent(MANAGE, reader, { do: 'publish' }), [404, line('rights', { subject })])
  assert.deepEqual(await sent(MANAGE, ended, { do: 'publish' }), [404, line('session', {})])
})

test('a visitor who is not signed in leaves no line by opening a page, nor do people who may', async () => {
  logged.length = 0
  for (const cookie of ['', 'other=1', ended, linkCookie, manager]) await ask(MANAGE, { headers: { cookie } })
  assert.deepEqual(logged, [])
})

test('a refused form for a workspace names it', async () => {
  const { project: _, ...expected } = line('content', { subject: 'manager' })
  assert.deepEqual(await sent('/acme/-/manage', manager, { do: 'nothing' }), [400, expected])
})

const send = (path: string, cookie: string, fields: Readonly<Record<string, string>>, headers = {}) =>
  ask(path, formOf(fields, { cookie, accept: 'text/html', ...headers }))

/** Opens an address in the browser that got this reply, after signing in. */
const openAfter = ({ headers }: { headers: Headers }, path: string) => {
  const pairs = headers.getSetCookie().map(each => each.split(';')[0])
  return ask(path, { headers: { cookie: [manager, ...pairs].join('; ') } })
}

/** The address to which *Sign in* of a page returns. */
const returnOf = (text: string) => {
  const link = /href="([^"]+)">Sign in</.exec(text)?.[1]?.replaceAll('&#38;', '&')
  return link === undefined ? undefined : new URL(link, PEOPLE_URL).searchParams.get('return')
}

const TEXT = 'Warm <b>& new'
for (const [name, path, cookie, action, status, title, why] of [
  ['a publication after the session', MANAGE, ended, 'publish', 404, /Sign in to continue/, /session has ended/],
  [
    'a publication without the right',
    MANAGE,
    reader,
    'publish',
    404,
    /no longer manage this guide/,
    /rights have changed/,
  ],
  ['a publication of an earlier session', MANAGE, manager, 'publish', 403, /not accepted/, /Open the page again/],
  ['an approval after the session', REVIEW, ended, 'approve', 404, /Sign in to continue/, /session has ended/],
  ['a request without the right', REVIEW, reader, 'ask', 404, /no longer answer/, /rights have changed/],
] as const)
  test(`${name} is refused with its text, and the form has it again after signing in`, async () => {
    const refused = await send(path, cookie, { do: action, [path === MANAGE ? 'note' : 'comment']: TEXT })
    assert.equal(refused.status, status)
    for (const part of [title, why, /<textarea[^>]*>\nWarm &#60;b&#62;&#38; new<\/textarea>/])
      assert.match(refused.text, part)
    const back = returnOf(refused.text) ?? ''
    const { text } = await openAfter(refused, back)
    assert.match(text, /<textarea[^>]*>\n?Warm &#60;b&#62;&#38; new<\/textarea>/)
  })

test('the address to return to has no text, opens only its own form, and another site cannot fill in a text', async () => {
  const sent = await send(MANAGE, ended, { do: 'publish', note: 'Warm' })
  const back = returnOf(sent.text) ?? ''
  assert.match(back, new RegExp(`^${MANAGE}\\?unsent=[\\w-]+$`))
  assert.doesNotMatch(back, /Warm|V2FybQ/)
  const noteAt = async (address: string) => /<textarea[^>]*>([^<]*)/.exec((await openAfter(sent, address)).text)?.[1]
  assert.equal(await noteAt(back), 'Warm')
  for (const other of [
    `${REVIEW}?${back.split('?')[1]}`,
    back.replace('unsent=', 'unsent=A'),
    `${MANAGE}?unsent=AAAA`,
    `${MANAGE}?note=Warm`,
  ])
    assert.match(`${await noteAt(other)}`, /^\s*$/, other)
})

test('the address to return to fills nothing in another browser, whoever signs in there', async () => {
  const [mine, theirs] = [await send(MANAGE, ended, { note: 'Mine' }), await send(MANAGE, manager, { note: 'Theirs' })]
  const noteOf = async (after: typeof mine, address: string) =>
    /<textarea[^>]*>\n?([^<]*)/.exec((await openAfter(after, address)).text)?.[1]
  for (const reply of [mine, theirs])
    assert.match(reply.headers.getSetCookie().join(), /^housestyle_unsent=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  const [back, other] = [returnOf(mine.text) ?? '', returnOf(theirs.text) ?? '']
  assert.deepEqual([await noteOf(mine, back), await noteOf(theirs, other)], ['Mine', 'Theirs'])
  assert.deepEqual([await noteOf(theirs, back), await noteOf(mine, other)], ['', ''])
  assert.doesNotMatch((await ask(back, { headers: { cookie: manager } })).text, /Mine/)
  for (const value of ['', 'A'.repeat(43), back.split('=')[1] ?? '']) {
    const cookie = `${manager}; housestyle_unsent=${value}`
    assert.doesNotMatch((await ask(back, { headers: { cookie } })).text, /Mine/, value)
  }
})

test('a browser has one value for all its forms, so that several tabs return to theirs', async () => {
  const first = await send(MANAGE, ended, { note: 'First' })
  const [pair = ''] = (first.headers.getSetCookie()[0] ?? '').split(';')
  const second = await send(REVIEW, `${ended}; ${pair}`, { do: 'ask', comment: 'Second' })
  assert.match((await openAfter(second, returnOf(first.text) ?? '')).text, /First/)
  assert.match((await openAfter(first, returnOf(second.text) ?? '')).text, /Second/)
})

test('the first step is to sign in after a session, and to open the form again for people who are signed in', async () => {
  const firstStep = async (cookie: string) =>
    /class="primary"[^>]*>([^<]+)/.exec((await send(MANAGE, cookie, { do: 'publish' })).text)?.[1]
  assert.deepEqual([await firstStep(ended), await firstStep(manager)], ['Sign in', 'Open the form again'])
})

test('the form of a plan and of a link have their choices again', async () => {
  const filled = async (path: string, fields: Readonly<Record<string, string>>) => {
    const sent = await send(path, ended, fields)
    return (await openAfter(sent, returnOf(sent.text) ?? '')).text
  }
  assert.match(await filled(MANAGE, { do: 'plan', at: '2999-01-01T09:00' }), /name="at" value="2999-01-01T09:00"/)
  const link = { do: 'share', of: 'draft', mayApprove: 'on', name: 'Studio "Nord"', expires: '90d' }
  const text = await filled(`${MANAGE}/links`, link)
  for (const part of [
    'value="draft" checked',
    'name="mayApprove" checked',
    'value="Studio &#34;Nord&#34;"',
    '"90d" selected',
  ])
    assert.ok(text.includes(part), part)
})

test('the longest comment in Arabic is filled in again', async () => {
  const comment = longText(1999, 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي')
  const sent = await send(REVIEW, ended, { do: 'ask', comment })
  assert.doesNotMatch(sent.text, /Copy your text first/)
  assert.ok((await openAfter(sent, returnOf(sent.text) ?? '')).text.includes(comment))
})

test('a text that is too long for an address is kept on the page, which asks to copy it', async () => {
  const comment = longText(20_000, 'abcdefghijklmnopqrstuvwxyz')
  const { text } = await send(REVIEW, ended, { do: 'ask', comment })
  assert.match(text, /Copy your text first/)
  assert.ok(text.includes(comment))
  assert.equal(returnOf(text), REVIEW)
})

/** A text of invented words, of which a long one repeats some, as people do. */
function longText(length: number, letters: string): string {
  const random = randomNumbers(1)
  const word = () =>
    Array.from({ length: 2 + random() * 7 }, () => letters[Math.floor(random() * letters.length)]).join('')
  const words = Array.from({ length: 120 }, word)
  return Array.from({ length }, () => (random() < 0.1 ? word() : words[Math.floor(random() * words.length)]))
    .join(' ')
    .slice(0, length)
}

test('a form of another site keeps no text', async () => {
  for (const cookie of [ended, reader, manager]) {
    const { status, text } = await send(MANAGE, cookie, { note: 'Warm' }, { origin: 'https://evil.example' })
    assert.ok(status === 403 || status === 404)
    assert.doesNotMatch(text, /Warm|You no longer manage|Sign in to continue/)
  }
})
