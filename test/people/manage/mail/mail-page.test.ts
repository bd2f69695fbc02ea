import assert from 'node:assert/strict'
import test from 'node:test'
import { mailAddress } from '#people/manage/mail/message.ts'
import { findMailChoice } from '#store/access/mail.ts'
import { formOf, PEOPLE_URL, peopleService, sessionCookie } from '../../../support/people-service.ts'
import { accessTo, publishedStore } from '../../../support/temporary-store.ts'
import { FORM } from '../../../support/visitor.ts'

const PAGE = '/acme/-/manage/mail'
const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Home\n' })
const smtp = { host: '127.0.0.1', port: 25, isSecure: false, user: '', from: 'brand@example.com' }
const { ask } = await peopleService(temporary, { smtp })
const sessionOf = (person: object) =>
  sessionCookie(temporary, 'acme', { subject: 'ada', email: 'ada@example.com', ...person })
const chosenBy = (subject: string) => findMailChoice(temporary.store.database, { workspace: 'acme', subject })
const open = (cookie: string, address = PAGE) => ask(address, { headers: { cookie, accept: 'text/html' } })
const send = (address: string, fields: Record<string, string>, headers: Record<string, string>) =>
  ask(address, formOf(fields, headers))
const save = async (cookie: string, fields: Record<string, string>) => {
  const token = /name="token" value="([^"]+)"/.exec((await open(cookie)).text)?.[1] ?? ''
  return send(PAGE, { token, do: 'save', ...fields }, { cookie })
}
const boxesIn = (text: string) => [...text.matchAll(/name="(\w+)"( checked)?>/g)].map(([, name, on]) => [name, !!on])
/** The address in a mail to a person. */
const addressOf = (subject: string) => {
  const access = { ...accessTo(temporary.store), publicUrl: PEOPLE_URL }
  return mailAddress(access, { workspace: 'acme', subject }).slice(PEOPLE_URL.length)
}

test('people who manage a guide choose their mail, of which nothing is chosen at first', async () => {
  const cookie = await sessionOf({ manages: ['guide'] })
  const { status, text } = await open(cookie)
  assert.equal(status, 200)
  assert.ok(text.includes('<bdi>ada@example.com</bdi>'))
  const none = ['draft', 'answer', 'failed', 'rights'].map(kind => [kind, false])
  assert.deepEqual(boxesIn(text), none)
  const reply = await save(cookie, { draft: 'on', failed: 'on' })
  assert.deepEqual([reply.status, reply.headers.get('location')], [303, `${PAGE}?done=save`])
  const saved = await open(cookie, `${PAGE}?done=save`)
  assert.match(saved.text, /role="status">Your choice is saved\./)
  assert.deepEqual(boxesIn(saved.text), [
    ['draft', true],
    ['answer', false],
    ['failed', true],
    ['rights', false],
  ])
  const choice = await chosenBy('ada')
  assert.deepEqual([choice?.email, choice?.lang, choice?.signin], ['ada@example.com', 'en', 'none'])
  assert.equal((await save(cookie, {})).status, 303)
  assert.equal(await chosenBy('ada'), undefined, 'without a kind, nothing is kept')
})

test('the manage pages of a guide and of the workspace, and the own sessions, link to it', async () => {
  const cookie = await sessionOf({ manages: 'all' })
  for (const address of ['/acme/guide/-/manage', '/acme/-/manage', '/acme/-/sessions'])
    assert.match((await open(cookie, address)).text, /href="\/acme\/-\/manage\/mail"/, address)
})

test('people who only see drafts, or edit a guide, can choose mail about drafts that ask for their approval', async () => {
  for (const rights of [{ drafts: true }, { edits: ['guide'] }]) {
    const cookie = await sessionOf({ ...rights, subject: 'ben' })
    assert.deepEqual(boxesIn((await open(cookie)).text), [['draft', false]])
    await save(cookie, { draft: 'on', answer: 'on' })
    assert.deepEqual((await chosenBy('ben'))?.kinds, ['draft'])
    assert.equal((await save(cookie, {})).status, 303)
  }
})

test('without an address, the page says that there can be no mail', async () => {
  const cookie = await sessionOf({ manages: 'all', subject: 'nameless', email: undefined })
  assert.match((await open(cookie)).text, /Your account has no e-mail address/)
})

test('mail goes only to an address that the issuer of the person calls verified', async () => {
  const unverified = { manages: 'all', subject: 'mal', email: undefined, unverifiedEmail: 'ada@example.com' } as const
  const cookie = await sessionOf(unverified)
  const { text } = await open(cookie)
  assert.match(
    text,
    /no e-mail address that is verified, so you cannot get mail\. <bdi>ada@example\.com<\/bdi> \(not verified\)/,
  )
  await save(cookie, { draft: 'on' })
  assert.equal(await chosenBy('mal'), undefined)
  await save(await sessionOf({ manages: 'all', subject: 'mal' }), { draft: 'on' })
  assert.ok(await chosenBy('mal'))
  await sessionOf(unverified)
  assert.equal(await chosenBy('mal'), undefined, 'the address may belong to somebody else now')
})

test('the next sign-in gives the mail of a person their newer rights and address, and ends it without rights', async () => {
  await save(await sessionOf({ manages: 'all', subject: 'eve' }), { draft: 'on' })
  await sessionOf({ manages: ['guide'], subject: 'eve', email: 'eve@example.com' })
  const choice = await chosenBy('eve')
  assert.deepEqual([choice?.email, choice?.rights.manages?.projects?.length], ['eve@example.com', 1])
  await sessionOf({ edits: ['guide'], subject: 'eve' })
  const { manages, edits } = (await chosenBy('eve'))?.rights ?? {}
  assert.deepEqual([manages, edits?.projects?.length], [undefined, 1])
  await sessionOf({ subject: 'eve', signin: 'another' })
  assert.ok(await chosenBy('eve'), 'other settings of an issuer say nothing')
  await sessionOf({ subject: 'eve' })
  assert.equal(await chosenBy('eve'), undefined)
})

for (const type of [FORM, 'multipart/form-data; boundary=x'])
  test(`the address in a mail ends the mail of its reader with one click, without a session, as ${type}`, async () => {
    await save(await sessionOf({ manages: 'all', subject: 'fay' }), { draft: 'on' })
    const address = addressOf('fay')
    const page = await open('', address)
    assert.equal(page.status, 200)
    assert.match(page.text, /<form method="post"><button name="List-Unsubscribe" value="One-Click">/)
    assert.ok(await chosenBy('fay'), 'looking at it changes nothing')
    const body = 'List-Unsubscribe=One-Click'
    const { status, text } = await ask(address, { method: 'POST', headers: { 'content-type': type }, body })
    assert.equal(status, 200)
    assert.match(text, /role="status">You get no more mail/)
    assert.equal(await chosenBy('fay'), undefined)
  })

test('an address with another reader or a wrong proof ends nothing, and gets what an unknown address gets', async () => {
  await save(await sessionOf({ manages: 'all', subject: 'gus' }), { draft: 'on' })
  const proof = addressOf('fay').replace(/.*stop=/, '')
  for (const address of [PAGE, `${PAGE}?of=gus`, `${PAGE}?of=gus&stop=${proof}`, `${PAGE}?of=gus&stop=x`]) {
    const headers = { accept: 'text/html' }
    const [page, unknown] = [await ask(address, { headers }), await ask('/acme/-/nothing', { headers })]
    assert.deepEqual([page.status, page.text], [404, unknown.text])
    assert.equal((await send(address, { 'List-Unsubscribe': 'One-Click' }, headers)).status, 404)
  }
  assert.ok(await chosenBy('gus'))
})

test('without --smtp, nobody has the page', async () => {
  const other = await peopleService(temporary)
  const cookie = await sessionOf({ manages: 'all' })
  assert.equal((await other.ask(PAGE, { headers: { cookie } })).status, 404)
  assert.doesNotMatch((await other.ask('/acme/-/manage', { headers: { cookie } })).text, /manage\/mail/)
})
