import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { trustedFetch } from '../../src/outgoing/outgoing-fetch.ts'
import { startAlteredIssuer } from './altered-issuer.ts'
import { openPage } from './browser.ts'
import { localServer } from './local-server.ts'
import { type CookieJar, signInAt, signInOnPage, signOutAt, startPeopleIssuer } from './people-issuer.ts'
import { needs } from './programs.ts'

/* A real client signs people in at the issuers that other tests use. It sends its requests as the service does. */

const client = { client_id: 'guides' }
const SECRET = 'a secret of the client'
const auth = oauth.ClientSecretPost(SECRET)
const HTTP = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: trustedFetch() }

const ANNA = {
  sub: 'anna',
  password: 'sesame',
  name: 'Anna Lee',
  email: 'anna@example.com',
  emailVerified: true,
  groups: ['design'],
}
const BEN = { sub: 'ben', password: 'barley' }

const issuer = await startPeopleIssuer({ people: [ANNA, BEN], client: { id: client.client_id, secret: SECRET } })
const { url: callback } = await localServer((_, response) => response.end('<title>Signed in</title>'))
await issuer.setRedirects([`${callback}/-/signed-in`], [`${callback}/`])

type Flow = { server: oauth.AuthorizationServer; address: string; verifier: string }

/** Makes an authorization request at an issuer. */
async function beginAt({ url }: { url: string }, scope = 'openid profile email'): Promise<Flow> {
  const found = await oauth.discoveryRequest(new URL(url), HTTP)
  const server = await oauth.processDiscoveryResponse(new URL(url), found)
  const verifier = oauth.generateRandomCodeVerifier()
  const parameters = {
    client_id: client.client_id,
    redirect_uri: `${callback}/-/signed-in`,
    response_type: 'code',
    scope,
    state: 'state',
    nonce: 'nonce',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  return { server, verifier, address: `${server.authorization_endpoint}?${new URLSearchParams(parameters)}` }
}

/** Exchanges the code in the address that the issuer redirects to. */
async function finish({ server, verifier }: Flow, redirect: string): Promise<oauth.TokenEndpointResponse> {
  const parameters = oauth.validateAuthResponse(server, client, new URL(redirect), 'state')
  const reply = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    parameters,
    `${callback}/-/signed-in`,
    verifier,
    HTTP,
  )
  const options = { expectedNonce: 'nonce', requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, reply, options)
  await oauth.validateApplicationLevelSignature(server, reply, HTTP)
  return tokens
}

async function signIn(scope?: string, person = ANNA, jar: CookieJar = new Map()) {
  const flow = await beginAt(issuer, scope)
  const tokens = await finish(flow, await signInAt(issuer, flow.address, person, jar))
  return { ...flow, tokens, claims: oauth.getValidatedIdTokenClaims(tokens) }
}

async function userinfoOf({ server }: Flow, { access_token: token }: oauth.TokenEndpointResponse, sub: string) {
  return oauth.processUserInfoResponse(server, client, sub, await oauth.userInfoRequest(server, client, token, HTTP))
}

async function refresh({ server }: Flow, { refresh_token: token = '' }: oauth.TokenEndpointResponse) {
  const reply = await oauth.refreshTokenGrantRequest(server, client, auth, token, HTTP)
  return oauth.getValidatedIdTokenClaims(await oauth.processRefreshTokenResponse(server, client, reply))
}

test('a person signs in with a password, and a wrong one is refused', async () => {
  const { claims, tokens } = await signIn()
  assert.deepEqual(
    [claims?.sub, claims?.name, claims?.email, claims?.email_verified, claims?.groups],
    ['anna', 'Anna Lee', 'anna@example.com', true, ['design']],
  )
  assert.equal(tokens.refresh_token, undefined)
  const { address } = await beginAt(issuer)
  await assert.rejects(signInAt(issuer, address, { ...ANNA, password: 'x' }), /Wrong user name or password/)
})

test('groups are only in the ID token or only in userinfo', async () => {
  for (const groupsIn of ['id_token', 'userinfo'] as const) {
    await issuer.change({ groupsIn })
    const signed = await signIn()
    const groups = {
      id_token: signed.claims?.groups,
      userinfo: (await userinfoOf(signed, signed.tokens, 'anna')).groups,
    }
    const none = { id_token: undefined, userinfo: undefined }
    assert.deepEqual(groups, { ...none, [groupsIn]: ['design'] })
  }
  await issuer.change({ groupsIn: 'both' })
})

test('a person with too many groups has a reference to them', async () => {
  await issuer.setPerson('anna', { hasTooManyGroups: true })
  const { claims } = await signIn()
  assert.deepEqual([claims?.groups, claims?._claim_names], [undefined, { groups: 'src1' }])
  await issuer.setPerson('anna', { hasTooManyGroups: false })
})

test('a refresh token is given for offline_access; refreshed claims have new groups until the person is removed', async () => {
  const signed = await signIn('openid email offline_access')
  await issuer.setGroups('anna', ['sales'])
  assert.deepEqual((await refresh(signed, signed.tokens))?.groups, ['sales'])
  const other = await signIn('openid offline_access')
  await issuer.removePerson('anna')
  await assert.rejects(refresh(other, other.tokens), { error: 'invalid_grant' })
  await issuer.change({ people: [ANNA, BEN] })
})

test('a person remains signed in at the issuer until the client signs them out there', async () => {
  const jar: CookieJar = new Map()
  const { server, tokens } = await signIn(undefined, ANNA, jar)
  const wrong = { ...ANNA, password: 'not asked for' }
  await signIn(undefined, wrong, jar)
  const parameters = new URLSearchParams({
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: `${callback}/`,
    state: 'out',
  })
  const left = await signOutAt(issuer, `${server.end_session_endpoint}?${parameters}`, jar)
  assert.equal(left, `${callback}/?state=out`)
  await assert.rejects(signIn(undefined, wrong, jar), /Wrong user name or password/)
})

test('the issuer replaces its keys, can be unreachable, and lists its requests', async () => {
  const kid = ({ id_token: token = '' }: oauth.TokenEndpointResponse) =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  assert.equal(kid((await signIn()).tokens), 'key-1')
  await issuer.rotateKeys()
  assert.equal(kid((await signIn()).tokens), 'key-2')
  await issuer.stop()
  await assert.rejects(beginAt(issuer), { code: 'outgoing_unreachable' })
  await issuer.start()
  await signIn()
  const requests = await issuer.requests()
  assert.deepEqual(requests.slice(-2), ['POST /token', 'GET /jwks'])
})

test('a person signs in with a browser', needs('chromium'), async () => {
  const flow = await beginAt(issuer)
  const { page, complaints } = await openPage()
  await page.goto(flow.address)
  await signInOnPage(page, BEN)
  await page.waitForURL(`${callback}/**`)
  assert.equal(await page.title(), 'Signed in')
  assert.equal(oauth.getValidatedIdTokenClaims(await finish(flow, page.url()))?.sub, 'ben')
  assert.deepEqual(complaints, [])
})

for (const [what, part, fields, problem] of [
  ['another iss in the redirect', 'redirect', { iss: 'https://other.example' }, /"iss" \(issuer\)/],
  ['no iss in the redirect', 'redirect', { iss: undefined }, /"iss" \(issuer\) missing/],
  ['another state', 'redirect', { state: 'other' }, /"state"/],
  ['another iss in the ID token', 'claims', { iss: 'https://other.example' }, /"iss"/],
  ['another audience', 'claims', { aud: 'other' }, /"aud"/],
  ['another nonce', 'claims', { nonce: 'other' }, /"nonce"/],
  ['an expired ID token', 'claims', { exp: 1 }, /"exp"/],
  ['no ID token', 'tokens', { id_token: undefined }, /"id_token"/],
] as const) {
  test(`a client refuses ${what}`, async () => {
    const altered = await startAlteredIssuer()
    const flow = await beginAt(altered)
    const redirect = async () => (await fetch(flow.address, { redirect: 'manual' })).headers.get('location') ?? ''
    await finish(flow, await redirect())
    Object.assign(altered[part], fields)
    await assert.rejects(async () => finish(flow, await redirect()), problem)
  })
}
