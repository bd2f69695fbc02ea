import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guest, privateGuide, shareLink } from '#test/support/agent-program.ts'
import { authorization, proofIn, redirectOf } from '#test/support/authorization.ts'
import { testService } from '#test/support/service.ts'
import { type Visitor, visitor } from '#test/support/visitor.ts'

const { temporary, store, program } = await privateGuide()
const { service } = await testService(temporary)

async function begin(browser: Visitor): Promise<string> {
  return redirectOf(await browser.get(authorization(program).target))
}

async function allow(browser: Visitor, consent: string): Promise<URL> {
  const decided = await browser.post(consent, { action: 'allow', proof: proofIn(await browser.get(consent)) })
  return new URL(redirectOf(await browser.get(redirectOf(decided))))
}

test('a person can allow two programs whose pages are open at the same time, in any order', async () => {
  const link = await shareLink(store)
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const browser = await guest(service, link)
    const begun = [await begin(browser), await begin(browser)]
    for (const at of order) assert.ok((await allow(browser, begun[at] ?? '')).searchParams.has('code'))
  }
})

test('a browser keeps the last six authorizations that it began, and no others', async () => {
  const browser = await guest(service, await shareLink(store))
  const begun: string[] = []
  for (let at = 0; at < 8; at++) begun.push(await begin(browser))
  const statuses = []
  for (const consent of begun) statuses.push((await browser.get(consent)).status)
  assert.deepEqual(statuses, [400, 400, 200, 200, 200, 200, 200, 200])
  const other = visitor(service)
  await begin(other)
  assert.equal((await other.get(begun.at(-1) ?? '')).status, 400)
})

test('wrong ids in a cookie that another site of the domain set are not sent back', async () => {
  const browser = visitor(service)
  const headers = { cookie: 'housestyle-consent=a b; housestyle-consent=<.x"y.~.ok-1' }
  const { headers: fields } = await browser.get(authorization(program).target, headers)
  assert.match(fields.getSetCookie()[0] ?? '', /^housestyle-consent=[\w-]{20,}\.ok-1; path=\//)
})
