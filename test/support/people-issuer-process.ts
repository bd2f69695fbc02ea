import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { PeopleIssuerState, Person } from './people-issuer.ts'

/*
 * The process of an issuer (people-issuer.ts). It listens on the port in its argument, takes states as JSON messages,
 * and answers each. It ends with its parent.
 */

const port = Number(process.argv[2])
const url = `http://127.0.0.1:${port}`
let state: PeopleIssuerState | undefined
let provider: Provider | undefined

type Provider = Awaited<ReturnType<typeof makeProvider>>

const server = createServer((request, response) => {
  answer(request, response).catch(error => response.writeHead(500).end(String(error)))
})

process.on('message', message => {
  apply(JSON.parse(String(message))).then(
    () => process.send?.('{}'),
    error => process.send?.(JSON.stringify({ error: String(error) })),
  )
})

process.on('disconnect', () => process.exit())

async function apply(next: PeopleIssuerState): Promise<void> {
  state = next
  provider = await makeProvider(next)
  if (next.isListening && !server.listening) await once(server.listen(port, '127.0.0.1'), 'listening')
  if (!next.isListening && server.listening) {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
}

const keys = new Map<number, Promise<JWK>>()

/** Makes a signing key on the first call with this number. */
function keyOf(number: number): Promise<JWK> {
  const known = keys.get(number)
  if (known) return known
  const made = generateKeyPair('RS256', { extractable: true }).then(async ({ privateKey }) => ({
    ...(await exportJWK(privateKey)),
    alg: 'RS256',
    use: 'sig',
    kid: `key-${number}`,
  }))
  keys.set(number, made)
  return made
}

const SCOPES = 'openid profile email offline_access'

/** A name that is not a literal, because the declarations of the package have only the parts that src uses. */
const LIBRARY: string = 'oidc-provider'

/** Makes a provider of this state. All providers of this process share people's sessions, grants and tokens. */
async function makeProvider(of: PeopleIssuerState) {
  const { Provider } = await import(LIBRARY)
  const hour = 3600
  return new Provider(url, {
    adapter: adapterOf,
    clients: [clientOf(of)],
    jwks: { keys: [await keyOf(of.keyNumber)] },
    cookies: { keys: ['the cookies of this issuer are signed with this'] },
    claims: { openid: ['sub', 'groups'], profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: confirmSignOut },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: { AccessToken: hour, Grant: hour, IdToken: hour, Interaction: hour, RefreshToken: hour, Session: hour },
    findAccount: (_: unknown, sub: string) => {
      const person = state?.people.find(each => each.sub === sub)
      return person && { accountId: sub, claims: () => claimsOf(person) }
    },
    loadExistingGrant: grantAll,
  })
}

type Stored = { uid?: string; grantId?: string; consumed?: number }

const store = new Map<string, Stored>()

/** Keeps the records of one kind until the process ends. */
function adapterOf(kind: string) {
  const all = () => [...store].filter(([key]) => key.startsWith(`${kind} `))
  return {
    upsert: async (id: string, record: Stored) => void store.set(`${kind} ${id}`, record),
    find: async (id: string) => store.get(`${kind} ${id}`),
    findByUid: async (uid: string) => all().find(([, record]) => record.uid === uid)?.[1],
    consume: async (id: string) => {
      const record = store.get(`${kind} ${id}`)
      if (record) record.consumed = Math.floor(Date.now() / 1000)
    },
    destroy: async (id: string) => void store.delete(`${kind} ${id}`),
    revokeByGrantId: async (grantId: string) => {
      for (const [key, record] of all()) if (record.grantId === grantId) store.delete(key)
    },
  }
}

function clientOf({ client }: PeopleIssuerState): object {
  const { id, secret, authMethod = 'client_secret_post', redirects = [], logoutRedirects = [] } = client
  return {
    client_id: id,
    ...(secret !== undefined && { client_secret: secret }),
    token_endpoint_auth_method: secret === undefined ? 'none' : authMethod,
    redirect_uris: redirects.length > 0 ? redirects : [`${url}/no-redirect-is-set`],
    post_logout_redirect_uris: logoutRedirects,
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
  }
}

function claimsOf({ sub, name, email, emailVerified, groups }: Person): object {
  return { sub, name, email, groups, ...(emailVerified !== undefined && { email_verified: emailVerified }) }
}

type Context = {
  oidc: {
    result?: { consent?: { grantId?: string } }
    session: { accountId: string; grantIdFor: (client: string) => string | undefined }
    client: { clientId: string }
    provider: Provider
  }
}

/** People are not asked what the client may know. */
async function grantAll({ oidc: { session, client, provider } }: Context) {
  const id = session.grantIdFor(client.clientId)
  const found = id && (await provider.Grant.find(id))
  if (found) return found
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope(SCOPES)
  await grant.save()
  return grant
}

/** Like other issuers, signs out at once; the library would ask first. */
function confirmSignOut(context: { body: string }, form: string): void {
  const submit = '<script>document.querySelector("form").submit()</script>'
  context.body = `<!doctype html><title>Sign out</title>${form.replace('</form>', '<input type="hidden" name="logout" value="yes"/></form>')}${submit}`
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', url)
  if (pathname.startsWith('/interaction/')) return interact(request, response)
  // The library gives refresh tokens only to clients that ask for consent; other issuers do not require this.
  if (pathname === '/auth' && searchParams.get('scope')?.split(' ').includes('offline_access')) {
    if (!searchParams.has('prompt')) searchParams.append('prompt', 'consent')
    request.url = `/auth?${searchParams}`
  }
  provider.callback()(request, response)
}

async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt } = await provider.interactionDetails(request, response)
  if (prompt.name === 'consent') return provider.interactionFinished(request, response, { consent: {} })
  if (request.method !== 'POST') return showForm(response)
  const given = new URLSearchParams(await text(request))
  const person = state?.people.find(({ sub }) => sub === given.get('username'))
  if (!person || person.password !== given.get('password'))
    return showForm(response, '<p role="alert">Wrong user name or password</p>')
  return provider.interactionFinished(request, response, { login: { accountId: person.sub } })
}

function showForm(response: ServerResponse, problem = ''): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>
<html lang="en"><title>Sign in at the issuer</title>
${problem}<form method="post">
<p><label>User name <input name="username" autocomplete="username" required></label></p>
<p><label>Password <input name="password" type="password" autocomplete="current-password" required></label></p>
<p><button>Sign in</button></p>
</form></html>`)
}
