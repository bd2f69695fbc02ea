/* A program in a page, with the official client, which keeps what it gets until its tab is closed. */
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'

const read = name => JSON.parse(sessionStorage.getItem(name) ?? 'null') ?? undefined
const keep = name => value => sessionStorage.setItem(name, JSON.stringify(value))

const redirectUrl = `${location.origin}/callback`
const provider = {
  redirectUrl,
  clientMetadata: { redirect_uris: [redirectUrl], client_name: 'Notebook' },
  clientInformation: () => ({ client_id: read('clientId') }),
  tokens: () => read('tokens'),
  saveTokens: keep('tokens'),
  state: () => read('state'),
  redirectToAuthorization: address => keep('opened')(address.href),
  saveCodeVerifier: keep('verifier'),
  codeVerifier: () => read('verifier'),
  saveDiscoveryState: keep('discovery'),
  discoveryState: () => read('discovery'),
}

const transportOf = () => new StreamableHTTPClientTransport(new URL(read('url')), { authProvider: provider })

async function callTool() {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transportOf())
  const { structuredContent } = await client.callTool({ name: read('tool'), arguments: read('arguments') })
  await client.close()
  return JSON.stringify(structuredContent)
}

/** Connects without a token, and returns the address that the person must open. */
window.begin = async given => {
  for (const [name, value] of Object.entries(given)) keep(name)(value)
  const problem = await callTool().catch(error => error)
  if (!(problem instanceof UnauthorizedError)) throw problem
  return read('opened')
}

/** Finishes in the page to which the service returned, and calls a tool. */
window.finish = async () => {
  await transportOf().finishAuth(new URLSearchParams(location.search))
  return callTool()
}

/** Calls a tool with an access token that has expired, so that the client refreshes it. */
window.refresh = async () => {
  keep('tokens')({ ...read('tokens'), access_token: 'expired' })
  const result = await callTool()
  return read('tokens').access_token === 'expired' ? undefined : result
}

/** Calls without the client, and returns what the page can read of a refusal. */
window.refusal = async (url, body) => {
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return {
    status: reply.status,
    challenge: reply.headers.get('www-authenticate'),
    retry: reply.headers.get('retry-after'),
  }
}
