import assert from 'node:assert/strict'
import test from 'node:test'
import { allowIssuer, PEOPLE_URL, peopleService, sessionCookie } from '../support/people-service.ts'
import { temporaryStore } from '../support/temporary-store.ts'
import { FORM } from '../support/visitor.ts'

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
  ask(path, {
    method: 'POST',
    headers: { cookie, 'content-type': FORM, origin: PEOPLE_URL, accept: 'text/html', ...headers },
    body: `${new URLSearchParams(fields)}`,
  })

/** The address to which *Sign in* of a page returns. */
const returnOf = (text: string) => {
  const link = /href="([^"]+)">Sign in</.exec(text)?.[1]?.replaceAll('&#38;', '&')
  return link === undefined ? undefined : new URL(link, PEOPLE_URL).searchParams.get('return')
}

for (const [name, path, cookie, fields, status, title, why] of [
  [
    'a publication after the session',
    MANAGE,
    ended,
    { do: 'publish', note: 'Warm <b>& new' },
    404,
    /You no longer manage this guide/,
    /session has ended/,
  ],
  [
    'a publication without the right',
    MANAGE,
    reader,
    { do: 'publish', note: 'Warm <b>& new' },
    404,
    /You no longer manage this guide/,
    /rights have changed/,
  ],
  [
    'a publication of an earlier session',
    MANAGE,
    manager,
    { do: 'publish', note: 'Warm <b>& new' },
    403,
    /not accepted/,
    /Open the page again/,
  ],
  [
    'an approval after the session',
    REVIEW,
    ended,
    { do: 'approve', comment: 'Warm <b>& new' },
    404,
    /no longer answer/,
    /session has ended/,
  ],
  [
    'a request without the right',
    REVIEW,
    reader,
    { do: 'ask', comment: 'Warm <b>& new' },
    404,
    /no longer answer/,
    /rights have changed/,
  ],
] as const)
  test(`${name} is refused with its text, and the form has it again after signing in`, async () => {
    const refused = await send(path, cookie, fields)
    assert.equal(refused.status, status)
    for (const part of [title, why, /<textarea[^>]*>\nWarm &#60;b&#62;&#38; new<\/textarea>/])
      assert.match(refused.text, part)
    const back = returnOf(refused.text) ?? ''
    const { text } = await ask(back, { headers: { cookie: manager } })
    assert.match(text, /<textarea[^>]*>\n?Warm &#60;b&#62;&#38; new<\/textarea>/)
  })

test('a text that is too long for an address is kept on the page, which asks to copy it', async () => {
  const { text } = await send(MANAGE, ended, { do: 'publish', note: 'ü'.repeat(900) })
  assert.match(text, /Copy your text first/)
  assert.match(text, /ü{900}/)
  assert.equal(returnOf(text), MANAGE)
})

test('a form of another site keeps no text', async () => {
  for (const cookie of [ended, reader, manager]) {
    const { status, text } = await send(MANAGE, cookie, { note: 'Warm' }, { origin: 'https://evil.example' })
    assert.ok(status === 403 || status === 404)
    assert.doesNotMatch(text, /Warm|You no longer manage/)
  }
})
