import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { PRIVATE_BRAND, registerProgram, shareLink } from '../../../support/agent-program.ts'
import { CHROMIUM, openPage } from '../../../support/browser.ts'
import { browserProgram, inProgram } from '../../../support/browser-program.ts'
import { signInOnPage, startPeopleIssuer } from '../../../support/people-issuer.ts'
import { allowIssuer, SECRET } from '../../../support/people-service.ts'
import { runningService } from '../../../support/service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const { skip } = CHROMIUM
const ANNA = { sub: 'anna', password: 'sesame', name: 'Anna Lee', email: 'anna@example.com', emailVerified: true }
const temporary = await temporaryStore()
const { store } = temporary
await temporary.publishing('acme/guidelines', PRIVATE_BRAND)
const issuer = await startPeopleIssuer({ people: [ANNA], client: { id: 'guides', secret: SECRET } })
await allowIssuer(temporary, issuer.url)
const program = await browserProgram()
const { url } = await runningService(temporary, { cors: program.url })
await issuer.setRedirects([`${url}/-/signed-in`])
const clientId = await registerProgram(store, { redirectUris: ['http://127.0.0.1/callback'] })
const GET_PAGE = { tool: 'get_page', arguments: { page: 'logo' } }

/** Begins in a tab, and opens the address that the program wants to show. */
async function begin(page: Page, path: string, given: object = GET_PAGE): Promise<void> {
  await page.goto(program.url)
  await page.goto(await inProgram<string>(page, 'begin', { url: url + path, clientId, state: 'a-state', ...given }))
}

async function allow(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${program.url}/**`)
  return inProgram<string>(page, 'finish')
}

for (const path of ['/acme/guidelines/-/mcp', '/acme/guidelines/-/mcp/'])
  test(`in Chromium, a program elsewhere takes every step from ${path} to its second token`, { skip }, async () => {
    const { page, requests } = await openPage()
    await begin(page, path)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signInOnPage(page, ANNA)
    assert.match(await allow(page), /Über/)
    assert.match(await inProgram<string>(page, 'refresh'), /Über/)
    for (const step of [
      '/.well-known/oauth-protected-resource/acme/',
      '/.well-known/oauth-authorization-server',
      '/oauth/token',
    ])
      assert.ok(
        requests.some(each => each.startsWith(url + step)),
        step,
      )
  })

test('in Chromium, the holder of a share link connects a program elsewhere for tokens', { skip }, async () => {
  const link = await shareLink(store)
  const { page } = await openPage()
  await begin(page, '/mcp/', { tool: 'list_projects', arguments: {} })
  await page.getByLabel('Address, link or name').fill(url + link.path)
  await page.getByRole('button', { name: 'Continue' }).click()
  assert.match(await allow(page), /"total":1/)
  assert.match(await inProgram<string>(page, 'refresh'), /"total":1/)
})

test('in Chromium, two programs connect in two tabs at once, also with long states', { skip }, async () => {
  const { page: first } = await openPage()
  const second = await first.context().newPage()
  const tabs = [
    [first, 'a'.repeat(3000)],
    [second, 'b'.repeat(3000)],
  ] as const
  for (const [tab, state] of tabs) {
    await begin(tab, '/acme/guidelines/-/mcp', { ...GET_PAGE, state })
    await tab.getByRole('link', { name: 'Sign in' }).click()
    await tab.getByLabel('Password').waitFor()
  }
  for (const [tab, state] of tabs) {
    await signInOnPage(tab, ANNA)
    assert.match(await allow(tab), /Über/)
    assert.equal(new URL(tab.url()).searchParams.get('state'), state)
    assert.match(await inProgram<string>(tab, 'refresh'), /Über/)
  }
})

test('in Chromium, people sign in in two tabs from addresses of several kilobytes', { skip }, async () => {
  const { page: first } = await openPage()
  const second = await first.context().newPage()
  const tabs = [first, second]
  for (const tab of tabs) {
    await tab.goto(`${url}/acme/guidelines/logo?from=${'a'.repeat(3500)}`)
    await tab.getByRole('link', { name: 'Sign in' }).click()
    await tab.getByLabel('Password').waitFor()
  }
  for (const tab of tabs) {
    await signInOnPage(tab, ANNA)
    await tab.getByRole('heading', { name: 'Logo' }).waitFor()
    assert.equal(new URL(tab.url()).pathname, '/acme/guidelines/logo')
  }
})

test('in Chromium, a page of another origin can read why and where a program must sign in', { skip }, async () => {
  const { page } = await openPage()
  await page.goto(program.url)
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const asked = (path: string, body: string) => inProgram<object>(page, 'refusal', url + path, body)
  const metadata = `${url}/.well-known/oauth-protected-resource/acme/guidelines/-/mcp`
  assert.partialDeepStrictEqual(await asked('/acme/guidelines/-/mcp', list), { status: 401 })
  const { challenge } = await inProgram<{ challenge: string }>(page, 'refusal', `${url}/acme/guidelines/-/mcp/`, list)
  assert.ok(challenge.includes(`resource_metadata="${metadata}"`), challenge)
  assert.partialDeepStrictEqual(await asked('/mcp', 'no JSON'), { status: 400 })
  assert.partialDeepStrictEqual(await asked('/mcp', `"${'a'.repeat(2 << 20)}"`), { status: 413 })
  assert.partialDeepStrictEqual(await asked('/oauth/token', '{}'), { status: 400 })
})
