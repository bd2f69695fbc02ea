import assert from 'node:assert/strict'
import test from 'node:test'
import { allowIssuer, formOf, PEOPLE_URL, peopleService, sessionCookie } from '../../support/people-service.ts'
import { randomNumbers } from '../../support/random.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const MANAGE = '/acme/guide/-/manage'
const REVIEW = '/acme/guide/-/draft/-/changes'
const temporary = await temporaryStore()
await temporary.publishing('acme/guide', { 'guide/pages/index.md': '# Home\n' })
await temporary.importing('acme', { 'guide/pages/index.md': '# Home\n\nNew.\n' })
await allowIssuer(temporary, 'https://login.example')
const { ask } = await peopleService(temporary)
const ended = await sessionCookie(temporary, 'acme', { manages: 'all', isEnded: true })
const reader = await sessionCookie(temporary, 'acme', { subject: 'reader' })
const manager = await sessionCookie(temporary, 'acme', { subject: 'manager', manages: 'all' })

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
