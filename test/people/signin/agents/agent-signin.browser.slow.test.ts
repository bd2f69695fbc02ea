import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { PRIVATE_BRAND, registerProgram, shareLink } from '../../../support/agent-program.ts'
import { CHROMIUM, openPage } from '../../../support/browser.ts'
import { localServer } from '../../../support/local-server.ts'
import { signInOnPage, startPeopleIssuer } from '../../../support/people-issuer.ts'
import { allowIssuer, SECRET } from '../../../support/people-service.ts'
import { runningService } from '../../../support/service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const { skip } = CHROMIUM
const ANNA = { sub: 'anna', password: 'sesame', name: 'Anna Lee', email: 'anna@example.com', emailVerified: true }
const temporary = await temporaryStore()
const { store } = temporary
await temporary.publishing('acme/guidelines', PRIVATE_BRAND)

/** Connects the official client; the first attempt ends with an address for the browser. */
function connector(url: string, program: Awaited<ReturnType<typeof localProgram>>) {
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: program.provider })
  const client = new Client({ name: 'test', version: '1' })
  return { transport, client }
}

async function callTool(client: Client): Promise<string> {
  const reply = await client.callTool({ name: 'get_page', arguments: { page: 'logo' } })
  assert.notEqual(reply.isError, true)
  return JSON.stringify(reply.structuredContent)
}

test('in Chromium, a person signs in and allows a client, which refreshes its token', { skip }, async () => {
  const issuer = await startPeopleIssuer({ people: [ANNA], client: { id: 'guides', secret: SECRET } })
  await allowIssuer(temporary, issuer.url)
  const { url } = await runningService(temporary)
  await issuer.setRedirects([`${url}/-/signed-in`])
  const program = await localProgram(await registerProgram(store))
  const guide = `${url}/acme/guidelines/-/mcp`
  const first = connector(guide, program)
  await assert.rejects(first.client.connect(first.transport), UnauthorizedError)
  const { page, complaints } = await openPage()
  await page.goto(program.opened())
  assert.equal(new URL(page.url()).pathname.startsWith('/acme/guidelines/-/consent/'), true)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signInOnPage(page, ANNA)
  await page.getByRole('heading', { name: 'Allow Notebook to read' }).waitFor()
  assert.ok(await page.getByText('Anna Lee (anna@example.com)').isVisible())
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Connected').waitFor()
  assert.equal(program.returned().get('state'), 'a-state')
  await first.transport.finishAuth(program.returned())
  const { client, transport } = connector(guide, program)
  await client.connect(transport)
  assert.match(await callTool(client), /Über/)
  const tokens = program.tokens()
  await program.provider.saveTokens({ token_type: 'Bearer', ...tokens, access_token: 'expired' })
  assert.match(await callTool(client), /Über/)
  assert.notEqual(program.tokens()?.refresh_token, tokens?.refresh_token)
  assert.deepEqual(complaints, [])
  await client.close()
})

test('in Chromium, the holder of a share link pastes it, cancels once, then connects a client', { skip }, async () => {
  const { url } = await runningService(temporary)
  const link = await shareLink(store)
  const program = await localProgram(await registerProgram(store))
  const attempt = connector(`${url}/mcp`, program)
  await assert.rejects(attempt.client.connect(attempt.transport), UnauthorizedError)
  const { page, complaints } = await openPage({ javaScriptEnabled: false })
  await page.goto(program.opened())
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Connected').waitFor()
  assert.equal(program.returned().get('error'), 'access_denied')
  await page.goto(program.opened())
  await page.getByLabel('Address, link or name').fill(url + link.path)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Connected').waitFor()
  await attempt.transport.finishAuth(program.returned())
  const { client, transport } = connector(`${url}/mcp`, program)
  await client.connect(transport)
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'list_projects'))
  const listed = await client.callTool({ name: 'list_projects', arguments: {} })
  assert.match(JSON.stringify(listed.structuredContent), /"total":1/)
  assert.deepEqual(complaints, [])
  await client.close()
})

/**
 * Starts a program on this computer, as the official client sees it, until the tests are done. It keeps in memory the
 * tokens, the address that the client opened last, and the parameters with which the browser returned last.
 */
async function localProgram(clientId: string) {
  const kept: {
    tokens?: OAuthTokens
    discovery?: OAuthDiscoveryState
    verifier: string
    opened: string
    returned: URLSearchParams
  } = { verifier: '', opened: '', returned: new URLSearchParams() }
  const { url } = await localServer((request, reply) => {
    kept.returned = new URL(request.url ?? '', 'http://127.0.0.1').searchParams
    reply.setHeader('content-type', 'text/html').end('<!doctype html><title>Notebook</title><p>Connected')
  })
  const redirectUrl = `${url}/callback`
  return {
    opened: () => kept.opened,
    returned: () => kept.returned,
    tokens: () => kept.tokens,
    provider: {
      redirectUrl,
      clientMetadata: { redirect_uris: [redirectUrl], client_name: 'Notebook' },
      clientInformation: () => ({ client_id: clientId }),
      tokens: () => kept.tokens,
      saveTokens: (tokens: OAuthTokens) => {
        kept.tokens = tokens
      },
      state: () => 'a-state',
      redirectToAuthorization: (url: URL) => {
        kept.opened = url.href
      },
      saveCodeVerifier: (verifier: string) => {
        kept.verifier = verifier
      },
      codeVerifier: () => kept.verifier,
      saveDiscoveryState: (state: OAuthDiscoveryState) => {
        kept.discovery = state
      },
      discoveryState: () => kept.discovery,
    } satisfies OAuthClientProvider,
  }
}
