import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { exportJWK, generateKeyPair } from 'jose'
import * as oauth from 'oauth4webapi'
import { type AsymmetricSigningAlgorithm, Provider } from 'oidc-provider'
import { freePort } from '../../../support/free-port.ts'
import { testService } from '../../../support/service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

/* Uses a real OpenID provider, with an unmodified client. */

const BASE_URL = 'https://brand.example.com/beta'
const CLIENT = { client_id: 'ci', client_secret: 'a secret of the client at the provider' }

/** Starts a provider that signs with this algorithm; returns its address. */
async function startProvider(alg: AsymmetricSigningAlgorithm): Promise<string> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  const provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: alg,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg, use: 'sig', kid: 'provider' }] },
    scopes: ['brand:read'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => BASE_URL,
        getResourceServerInfo: () => ({
          scope: 'brand:read settings.read',
          audience: BASE_URL,
          accessTokenTTL: 600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg } },
        }),
      },
    },
  })
  const server = createServer(provider.callback()).listen(port, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return issuer
}

async function tokenOf(issuer: string, scope: string): Promise<string> {
  const options = { [oauth.allowInsecureRequests]: true }
  const reply = await oauth.discoveryRequest(new URL(issuer), options)
  const server = await oauth.processDiscoveryResponse(new URL(issuer), reply)
  const auth = oauth.ClientSecretBasic(CLIENT.client_secret)
  const parameters = { scope, resource: BASE_URL }
  const granted = await oauth.clientCredentialsGrantRequest(server, CLIENT, auth, parameters, options)
  return (await oauth.processClientCredentialsResponse(server, CLIENT, granted)).access_token
}

const store = await temporaryStore()
for (const workspace of ['acme', 'other']) await store.importing(workspace, { 'guidelines/pages/index.md': '# Home\n' })

for (const alg of ['RS256', 'ES256', 'PS256', 'EdDSA', 'Ed25519'] as const) {
  test(`a token of an OpenID provider that signs with ${alg} is valid only for the workspace that the provider is trusted for`, async () => {
    const issuer = await startProvider(alg)
    const trust = [{ issuer, workspace: 'acme', scopes: { 'brand:read': 'settings.read' } }]
    const { ask } = await testService(store, { publicUrl: 'https://brand.example.com', trust })
    const token = await tokenOf(issuer, 'brand:read')
    assert.equal((await ask('/beta/workspace/acme', { token })).status, 200)
    assert.equal((await ask('/beta/workspace/acme/projects', { token })).status, 403)
    assert.equal((await ask('/beta/workspace/other', { token })).status, 404)
    const unmapped = await tokenOf(issuer, 'settings.read')
    assert.equal((await ask('/beta/workspace/acme', { token: unmapped })).status, 403)
    const elsewhere = [{ issuer, workspace: 'acme', audience: 'https://elsewhere.example.com' }]
    const strict = await testService(store, { publicUrl: 'https://brand.example.com', trust: elsewhere })
    assert.equal((await strict.ask('/beta/workspace/acme', { token })).status, 401)
  })
}
