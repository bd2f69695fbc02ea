import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES, type Scope } from '#brand/contract/operations.ts'
import type { Service } from '#program/http/service/service.ts'
import { createClient, updateClient } from '#serving/access/client/clients.ts'
import { keys } from '#serving/access/families.ts'
import { rotateKeys } from '#serving/access/keys/keys.ts'
import { issueToken, selectScopes } from '#serving/access/token/issue.ts'
import { revokeIssued } from '#serving/access/token/revoke.ts'
import { accessTo } from '../../support/access-context.ts'
import { type Message, REVISIONS, send } from '../../support/agent-client.ts'
import { sessionCookie } from '../../support/people-service.ts'
import { testService, URL_OF_SERVICE } from '../../support/service.ts'
import { SMALL_BRAND } from '../../support/small-brand.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import type { Visit } from '../../support/visitor.ts'

/** The published projects by workspace. `acme/hidden` and `other/draft` exist but are unpublished. */
const PUBLISHED: Readonly<Record<string, readonly string[]>> = { acme: ['empty', 'guidelines'], other: ['guide'] }
const PUBLIC = 'acme/guidelines'

/** Words that only unpublished content and the other workspace have. */
const SECRET = /zebra|walrus/i

type Token = { name: string; text?: string; workspace: string; scopes: readonly Scope[]; projects?: readonly string[] }
/** A message, the scopes that it needs, and the project that it is about; empty if it is about none. */
type Target = { message: Message; scopes: readonly Scope[]; project: string }

const temporary = await temporaryStore()
await temporary.importing('acme', { ...SMALL_BRAND, 'hidden/pages/plan.md': '# Zebra\n' })
await temporary.importing('other', { 'guide/pages/start.md': '# Walrus\n', 'draft/pages/plan.md': '# Zebra\n' })
for (const place of ['acme/guidelines', 'acme/empty', 'other/guide']) await temporary.publish(place)
const { store } = temporary
const SESSION = await sessionCookie(temporary, 'acme')
const TOKENS = await makeTokens()
const opened = await testService(temporary, { rate: { requests: 100_000, seconds: 60 } })
/** Agents use no cookies, so that a session changes no reply. */
const service: Service = ({ headers, ...request }) =>
  opened.service({ ...request, headers: { ...headers, cookie: SESSION } })
const hosts = new Map([
  ['guide.test', { workspace: 'acme', project: 'guidelines' }],
  ['empty.test', { workspace: 'acme', project: 'empty' }],
  ['all.test', { workspace: 'acme' }],
  ['other.test', { workspace: 'other' }],
])
const hosted = await testService(temporary, { rate: { requests: 100_000, seconds: 60 }, hosts })
const at =
  (host?: string): Service =>
  ({ headers, ...request }) =>
    hosted.service({ ...request, headers: { ...headers, host, cookie: SESSION } })
/** Spellings of the same name, as a URI may have them, and similar names that are neither exports nor pages. */
const NAMES = {
  tokens: 'tokens.json tokens%2Ejson tokens%2ejson %74okens.jso%6E %74%6f%6b%65%6e%73.json'.split(' '),
  design: 'DESIGN.md DESIGN%2Emd %44ESIGN%2emd DESIGN.m%64'.split(' '),
  unknown: `tokens%252Ejson tokens%25252Ejson TOKENS.JSON tokens.json. tokens.json%20 tokens.json%00 tokens.json/
    tokens.json%2F x/tokens.json x%2Ftokens.json ./tokens.json %2E/tokens.json tokens.json?a tokens.json#a
    tokens.json%3Fa tokens.json;a tokens%E0json ../guidelines/tokens.json %2e%2e/guidelines/tokens.json
    DESIGN%252Emd x/DESIGN.md DESIGN.md%2F`.split(/\s+/),
}
const TARGETS = [...toolTargets(), ...resourceTargets(), ...protocolTargets()]
const whole = new Map<Target, string>()

for (const token of TOKENS)
  test(`${token.name}: every message gets the reply that the order of checks requires`, async () => {
    for (const target of TARGETS)
      for (const revision of REVISIONS) {
        const reply = await send(service, '/mcp', { ...target.message, token: token.text, revision })
        assertReply(reply, target, token, `${revision} ${JSON.stringify(target.message)}`)
      }
  })

test('a guide is open if it is public or a token covers it and can read pages; without a valid token, any other place begins sign-in', async () => {
  for (const token of TOKENS)
    for (const ref of ['acme/guidelines', 'acme/empty', 'acme/hidden', 'acme/nothing', 'other/guide', 'gone/guide']) {
      const [workspace = '', project = ''] = ref.split('/')
      const message = { method: 'tools/call', params: { name: 'list_pages', arguments: {} } }
      const { status, headers, text } = await send(service, `/${ref}/-/mcp`, {
        ...message,
        token: token.text,
        revision: '2025-11-25',
      })
      const isOpen = ref === PUBLIC || (covers(token, workspace, project) && token.scopes.includes('document.read'))
      const about = `${token.name} ${ref}`
      assert.equal(status, isOpen ? 200 : token.workspace === '' ? 401 : 404, about)
      if (status === 401) {
        const metadata = `resource_metadata="${URL_OF_SERVICE}/.well-known/oauth-protected-resource/${ref}/-/mcp"`
        assert.ok(headers.get('www-authenticate')?.endsWith(metadata), about)
      } else if (status === 200) assert.equal(JSON.parse(text).result.structuredContent.project, project)
      else
        assert.match(
          JSON.parse(text).error_description,
          /^This request found nothing .* A private guide needs a bearer token\.$/,
        )
    }
})

for (const token of TOKENS)
  test(`${token.name}: at the host of a guide or a workspace, every message gets the reply of the public URL`, async () => {
    for (const [host, path, ref] of [
      ['guide.test', '/-/mcp', 'acme/guidelines'],
      ['empty.test', '/-/mcp', 'acme/empty'],
      ['all.test', '/hidden/-/mcp', 'acme/hidden'],
      ['all.test', '/nothing/-/mcp', 'acme/nothing'],
      ['other.test', '/guide/-/mcp', 'other/guide'],
    ] as const)
      for (const { message } of TARGETS) {
        const sent = { ...message, token: token.text, revision: REVISIONS[0] }
        const there = await send(at(), `/${ref}/-/mcp`, sent)
        const here = await send(at(host), path, sent)
        const about = `${host}${path} ${JSON.stringify(message)}`
        assert.deepEqual([here.status, here.text], [there.status, there.text], about)
        const [challenge, own] = [there, here].map(({ headers }) => headers.get('www-authenticate') ?? undefined)
        const place = `${URL_OF_SERVICE}/.well-known/oauth-protected-resource/${ref}/-/mcp`
        assert.equal(
          own,
          challenge?.replace(place, `http://${host}/.well-known/oauth-protected-resource${path}`),
          about,
        )
      }
    for (const path of ['/mcp', '/guide/mcp']) {
      const sent = { method: 'tools/list', token: token.text, revision: REVISIONS[0] }
      assert.notEqual((await send(at('all.test'), path, sent)).status, 200)
    }
  })

test('the matrix has at least 1,500 messages', () => {
  assert.ok(TOKENS.length * TARGETS.length * REVISIONS.length >= 1500)
})

function covers({ workspace, projects }: Token, inWorkspace: string, project: string): boolean {
  const published = Object.hasOwn(PUBLISHED, inWorkspace) ? PUBLISHED[inWorkspace] : undefined
  return workspace === inWorkspace && published?.includes(project) === true && (projects?.includes(project) ?? true)
}

/** Asserts the reply that the rules of the API give: token, then scope, then place. */
function assertReply({ status, headers, text }: Visit, target: Target, token: Token, about: string): void {
  if (token.workspace !== 'other') assert.doesNotMatch(text, SECRET, about)
  const metadata = `resource_metadata="${URL_OF_SERVICE}/.well-known/oauth-protected-resource/mcp"`
  const challenge = headers.get('www-authenticate') ?? ''
  if (token.workspace === '') {
    assert.deepEqual([status, JSON.parse(text).error], [401, 'invalid_client'], about)
    assert.ok(challenge.includes(metadata) && challenge.includes('scope="document.read'), about)
    assert.equal(challenge.includes('error="invalid_token"'), token.text !== undefined, about)
    assert.equal(headers.get('ratelimit'), null)
    return
  }
  assert.ok(headers.has('ratelimit'), about)
  const missing = target.scopes.filter(scope => !token.scopes.includes(scope))
  if (missing.length > 0) {
    assert.deepEqual([status, JSON.parse(text).error], [403, 'access_denied'], about)
    assert.ok(challenge.includes(`error="insufficient_scope", scope="${missing.join(' ')}"`), challenge)
    assert.ok(challenge.includes(metadata), about)
    return
  }
  assert.equal(status, 200, about)
  const { result, error } = JSON.parse(text)
  const isFound = target.project === '' || covers(token, token.workspace, target.project)
  if (target.message.method === 'resources/read') assert.equal(error === undefined, isFound, about)
  else if (target.message.method === 'tools/call') assert.equal(result.isError === true, !isFound, about)
  if (!isFound || target.project === '' || token.workspace !== 'acme') return
  const content = JSON.stringify(result.structuredContent ?? result.contents[0])
  const known = whole.get(target) ?? content
  whole.set(target, known)
  if (target.message.params?.name !== 'search' && target.message.params?.name !== 'fetch')
    assert.equal(content, known, about)
}

function toolTargets(): Target[] {
  const ids = ['guidelines', 'empty', 'hidden', 'nothing', 'guide', 'Guidelines', '__proto__', 'constructor', '..']
  const call = (name: string, scopes: readonly Scope[], project: string, given: object): Target => ({
    message: { method: 'tools/call', params: { name, arguments: given } },
    scopes,
    project,
  })
  return [
    call('list_projects', ['projects.read'], '', {}),
    call('search', ['document.read'], '', { query: 'zebra walrus logo' }),
    ...ids.flatMap(project => [
      call('search', ['document.read'], project, { query: 'zebra walrus logo', project }),
      call('list_pages', ['document.read'], project, { project }),
      call('get_styles', ['styles.read'], project, { project }),
      call('list_files', ['files.read'], project, { project }),
    ]),
    ...['guidelines', 'hidden', 'nothing', 'guide'].flatMap(project => {
      const page = { guidelines: 'logo/misuse', guide: 'start' }[project] ?? 'plan'
      return [
        call('get_page', ['document.read'], project, { project, page }),
        call('fetch', ['document.read'], project, { id: `page:${project}/${page}` }),
        call('fetch', ['document.read'], project, { id: `${project}/${page}` }),
      ]
    }),
  ].filter(({ message, project }) => !(project === 'empty' && message.params?.name === 'get_page'))
}

function resourceTargets(): Target[] {
  const read = (workspace: string, project: string, name: string, scopes: readonly Scope[]): Target => ({
    message: { method: 'resources/read', params: { uri: `${URL_OF_SERVICE}/${workspace}/${project}/${name}` } },
    scopes,
    project: workspace === 'acme' ? project : 'nothing',
  })
  const unknown = (name: string): Target => ({
    ...read('acme', 'guidelines', name, ['document.read']),
    project: 'nothing',
  })
  return [
    ...NAMES.tokens.map(name => read('acme', 'guidelines', name, ['styles.read'])),
    ...NAMES.design.map(name => read('acme', 'guidelines', name, ['document.read', 'styles.read'])),
    ...NAMES.unknown.map(unknown),
    read('acme', 'guidelines', 'logo', ['document.read']),
    read('acme', 'hidden', 'plan', ['document.read']),
    read('acme', 'hidden', 'tokens.json', ['styles.read']),
    read('acme', 'hidden', '../guidelines/logo', ['document.read']),
    read('nowhere', 'guide', 'start', ['document.read']),
  ]
}

function protocolTargets(): Target[] {
  const methods = ['tools/list', 'resources/list', 'resources/templates/list']
  return methods.map(method => ({ message: { method }, scopes: [], project: '' }))
}

async function makeTokens(): Promise<Token[]> {
  const { issue } = temporary
  const access = accessTo(store)
  const now = new Date()
  const of = async (
    name: string,
    workspace: string,
    wanted: { scopes?: readonly Scope[]; projects?: readonly string[] } = {},
  ) => {
    const { token: text, projects } = await issue(workspace, wanted)
    return { name, text, workspace, scopes: wanted.scopes ?? SCOPES, ...(projects && { projects }) }
  }
  const none = { workspace: '', scopes: [] }
  const { token: ofOldKey } = await issue('acme')
  const [old] = await keys.states(store.database)
  await rotateKeys(access, 'ES256', now)
  await keys.end(access, old?.kid ?? '', now)
  const { token: revoked, jti } = await issue('acme')
  await revokeIssued(access, { jti }, now)
  const { token: expired } = await issue('acme', { now: new Date(Date.now() - 7_200_000) })
  const full = await of('all of acme', 'acme')
  return [
    full,
    await of('one project of acme', 'acme', { projects: ['empty'] }),
    await of('a draft of acme', 'acme', { projects: ['hidden'] }),
    await of('all of other', 'other'),
    ...(await Promise.all(SCOPES.map(scope => of(`only ${scope}`, 'acme', { scopes: [scope] })))),
    await reducedClient(),
    { name: 'a token of a retired key', text: ofOldKey, ...none },
    { name: 'a revoked token', text: revoked, ...none },
    { name: 'an expired token', text: expired, ...none },
    { name: 'a forged token', text: `${full.text.slice(0, -20)}${'A'.repeat(20)}`, ...none },
    { name: 'no token', ...none },
  ]
}

/** A token of a client whose permissions were reduced afterwards. */
async function reducedClient(): Promise<Token> {
  const access = accessTo(store)
  const made = { scopes: ['document.read', 'projects.read'], projects: ['guidelines', 'hidden'] } as const
  const { client_id: client } = await createClient(access, 'acme', { scopes: SCOPES }, new Date())
  const wanted = { workspace: 'acme', scopes: SCOPES, lifetimeSeconds: 600, client }
  const { token: text } = await issueToken(access, wanted, new Date())
  const selected = await selectScopes(store.database, { workspace: 'acme', ...made })
  if (!selected.ok) throw new Error(selected.problem)
  await updateClient(access, client, selected.value)
  return { name: 'a client with reduced permissions', text, workspace: 'acme', ...made }
}
