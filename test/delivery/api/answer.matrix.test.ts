import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OperationId, SCOPES, type Scope } from '#brand/contract/operations.ts'
import { headersOf, type Reply } from '#platform/exchange/message.ts'
import { splitTarget } from '#platform/exchange/target.ts'
import { createClient, updateClient } from '#serving/access/client/clients.ts'
import { issueToken, selectScopes } from '#serving/access/token/issue.ts'
import { accessTo } from '../../support/access-context.ts'
import { sessionCookie } from '../../support/people-service.ts'
import { receive } from '../../support/receive.ts'
import { runningService } from '../../support/running.ts'
import { testService, URL_OF_SERVICE } from '../../support/service.ts'
import { SMALL_BRAND } from '../../support/small-brand.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

/** Published pages by project by workspace. `acme/hidden` and `other/draft` exist but are unpublished. */
const PUBLISHED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  acme: { empty: [], guidelines: ['index', 'logo', 'logo/misuse', '色'] },
  other: { guide: ['index'] },
}

type Token = { name: string; text?: string; workspace: string; scopes: readonly Scope[]; projects?: readonly string[] }
type Place = { operation: OperationId; workspace: string; project: string; page: string }
type Target = { path: string; means: Place | { malformed: string; about: string } | 'no endpoint' }

const temporary = await temporaryStore()
await temporary.importing('acme', SMALL_BRAND)
await temporary.importing('other', { 'guide/pages/index.md': '# Guide\n', 'draft/pages/index.md': '# Draft\n' })
for (const place of ['acme/guidelines', 'acme/empty', 'other/guide']) await temporary.publish(place)
const { service } = await testService(temporary, { rate: { requests: 100_000, seconds: 60 } })
const hosts = new Map([
  ['guide.test', { workspace: 'acme', project: 'guidelines' }],
  ['all.test', { workspace: 'acme' }],
])
const hosted = await testService(temporary, { rate: { requests: 100_000, seconds: 60 }, hosts })
const SESSION = await sessionCookie(temporary, 'acme')
const TOKENS = await makeTokens()
const TARGETS = [...workspaceTargets(), ...projectTargets(), ...badTargets()]
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE']
const whole = await successes()

for (const token of TOKENS)
  test(`${token.name}: every operation, address and method gets the reply that the order of checks requires`, async () => {
    for (const target of TARGETS)
      for (const method of METHODS) {
        const reply = await ask(target.path, method, token.text)
        assert.deepEqual(reply, oracle(target, method, token), `${method} ${target.path}`)
      }
  })

for (const token of TOKENS)
  test(`${token.name}: at the host of a guide or a workspace, no address of the API has a reply with content`, async () => {
    for (const host of ['guide.test', 'all.test'])
      for (const { path } of TARGETS) {
        const reply = await ask(path, 'GET', token.text, host)
        // The website removes a slash at the end.
        if (reply.status === 308) assert.equal(reply.text, '')
        else assert.equal(reply.status, 404, `${host}${path}`)
        assert.doesNotMatch(reply.text, /"workspace":/)
      }
  })

test('the matrix has at least 3,000 requests, and each success is for the requested address', () => {
  assert.ok(TOKENS.length * TARGETS.length * METHODS.length >= 3000)
  for (const [key, { status, text }] of whole) {
    const [operation, workspace, project, page] = JSON.parse(key)
    const body = JSON.parse(text)
    assert.deepEqual([status, body.workspace], [200, workspace])
    if (project !== '') assert.equal(body.project, project)
    if (operation === 'getPage') assert.equal(body.page, page)
  }
})

test('on a socket, forbidden content gets the same bytes as missing content', async () => {
  const { port } = await runningService(temporary)
  const seen = new Set<string>()
  const [{ text: full = '' } = {}, { text: one = '' } = {}] = TOKENS
  const hidden: [target: string, token: string][] = [
    ...['/acme/project/hidden', '/acme/project/nothing', '/other', '/nowhere', '/other/project/guide/pages'].map(
      (path): [string, string] => [path, full],
    ),
    ...['/acme/project/guidelines', '/acme/project/hidden/files', '/acme/project/nothing/page/index'].map(
      (path): [string, string] => [path, one],
    ),
  ]
  for (const [path, token] of hidden) {
    const fields = ['Authorization', `Bearer ${token}`, 'If-None-Match', '*', 'Accept-Encoding', 'br']
    seen.add(JSON.stringify(await receive(port, `/beta/workspace${path}`, { fields })))
  }
  assert.equal(seen.size, 1, [...seen].join('\n'))
})

/**
 * Predicts replies from product.md, in its order: form, path, method, token, limit, scope, workspace and project, page.
 */
function oracle({ means }: Target, method: string, token: Token): Whole {
  if (typeof means === 'object' && 'malformed' in means) {
    const error_uri = `${URL_OF_SERVICE}/docs#invalid_request`
    const text = JSON.stringify({
      error: 'invalid_request',
      error_description: `${DESCRIPTIONS[means.malformed]}${means.about}`,
      error_uri,
    })
    return { status: 400, fields: ERROR, text }
  }
  const refused = (status: number, error: string, about: readonly string[] = [], scope = ''): Whole => ({
    status,
    fields: [...ERROR, ...about, ...(status === 403 || (status === 404 && means !== 'no endpoint') ? LIMIT : [])],
    text: JSON.stringify({
      error,
      error_description: `${DESCRIPTIONS[status === 401 && token.text === undefined ? 'none' : status]}${scope}`,
      error_uri: `${URL_OF_SERVICE}/docs#${error}`,
    }),
  })
  if (means === 'no endpoint') return refused(404, 'not_found')
  if (method === 'OPTIONS') return { status: 204, fields: ['Allow', 'GET, HEAD, OPTIONS'], text: '' }
  if (method !== 'GET' && method !== 'HEAD') return refused(405, 'method_not_allowed', ['Allow', 'GET, HEAD, OPTIONS'])
  if (token.workspace === '') return refused(401, 'invalid_client', ['WWW-Authenticate', challenge(token.text)])
  const scope = SCOPE_OF[means.operation]
  if (!token.scopes.includes(scope)) {
    const asked = `Bearer realm="housestyle", error="insufficient_scope", scope="${scope}"`
    return refused(403, 'access_denied', ['WWW-Authenticate', asked], `: ${scope}`)
  }
  const covers = (project: string) => token.projects?.includes(project) ?? true
  const pages = PUBLISHED[means.workspace]?.[means.project]
  const isProject = means.operation !== 'getWorkspace' && means.operation !== 'listProjects'
  const isThere =
    Object.hasOwn(PUBLISHED, means.workspace) &&
    (!isProject || (Object.hasOwn(PUBLISHED[means.workspace] ?? {}, means.project) && covers(means.project))) &&
    (means.operation !== 'getPage' || pages?.includes(means.page) === true)
  if (token.workspace !== means.workspace || !isThere) return refused(404, 'not_found')
  const found = whole.get(keyOf(means, token.projects))
  assert.ok(found)
  return found
}

const SCOPE_OF: Readonly<Record<OperationId, Scope>> = {
  getWorkspace: 'settings.read',
  listProjects: 'projects.read',
  getProject: 'data.read',
  listPages: 'document.read',
  getPage: 'document.read',
  getStyles: 'styles.read',
  listFiles: 'files.read',
}

const ERROR = ['Content-Type', 'application/json', 'Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']
const LIMIT = ['RateLimit-Policy', '"workspace";q=100000;w=60', 'RateLimit', '"workspace";r=…;t=…']
const DESCRIPTIONS: Readonly<Record<string | number, string>> = {
  slash: 'The path has a trailing slash. Remove it, or add the id that belongs after it.',
  missing: 'The path ends before a required id. Write the path as documented, and add this id',
  empty: 'The path has an empty segment: two consecutive slashes. Remove one, or add the id that belongs between them.',
  parent: 'The path contains the segment "..". Write the full path as documented.',
  nul: 'The path contains a NUL character, which no id contains. Remove it.',
  utf8: 'The path contains bytes that are not UTF-8. Write each id in UTF-8, percent-encoded once.',
  none: 'The request has no bearer token. Send the header "Authorization: Bearer <ACCESS_TOKEN>". The operator of the service issues tokens with `housestyle token issue`.',
  401: 'The bearer token is not valid here: it is malformed, expired, revoked, sent more than once, or was issued by or for another service. Send a current token for this service.',
  403: 'The token lacks the scope that this operation needs. Use a token with this scope',
  404: 'This request found nothing at this address: the address is unknown, the project is not published, or the token does not cover it. Check the address, whether the project is published, and what the token covers.',
  405: 'This address does not support this method. Use one of the methods in the Allow field.',
}

function challenge(token: string | undefined): string {
  const error = 'The access token is malformed, expired, revoked or not for this service'
  const about = token === undefined ? '' : `, error="invalid_token", error_description="${error}"`
  return `Bearer realm="housestyle"${about}`
}

/** A reply as a string, without the limit values. The server omits the body of HEAD. */
type Whole = { status: number; fields: readonly string[]; text: string }

async function ask(path: string, method: string, token: string | undefined, host?: string): Promise<Whole> {
  const split = splitTarget(path)
  assert.ok(split)
  // The API accepts no cookies, so that a session changes no reply.
  const headers = { cookie: SESSION, host, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const authorizations = token === undefined ? 0 : 1
  const asked = host === undefined ? service : hosted.service
  return wholeOf(await asked({ method, ...split, headers, authorizations, address: '127.0.0.1' }))
}

function wholeOf(reply: Reply): Whole {
  const { status, body } = reply
  const fields = headersOf(reply).map(text => text.replace(/^"workspace";r=\d+;t=\d+$/, '"workspace";r=…;t=…'))
  return { status, fields, text: body instanceof Uint8Array ? new TextDecoder().decode(body) : '' }
}

/** The successful replies for the widest token, and the project lists for every token. */
async function successes(): Promise<Map<string, Whole>> {
  const found = new Map<string, Whole>()
  for (const { path, means } of TARGETS) {
    if (typeof means === 'string' || 'malformed' in means) continue
    const token = TOKENS.find(({ name, workspace }) => name.startsWith('all') && workspace === means.workspace)
    const reply = await ask(path, 'GET', token?.text)
    if (reply.status !== 200) continue
    found.set(keyOf(means), reply)
    if (means.operation !== 'listProjects') continue
    for (const { text, projects, workspace, scopes } of TOKENS) {
      if (!projects || workspace !== means.workspace || !scopes.includes('projects.read')) continue
      const seen = await ask(path, 'GET', text)
      const listed: { projects: { id: string }[] } = JSON.parse(seen.text)
      const ids = listed.projects.map(project => project.id)
      const published: readonly string[] = Object.keys(PUBLISHED[workspace] ?? {})
      const expected = published.filter(id => projects.includes(id))
      assert.deepEqual(ids, expected)
      found.set(keyOf(means, projects), seen)
    }
  }
  return found
}

function keyOf({ operation, workspace, project, page }: Place, projects?: readonly string[]): string {
  const seen = operation === 'listProjects' ? projects : undefined
  return JSON.stringify([operation, workspace, project, page, ...(seen ? [seen] : [])])
}

async function makeTokens(): Promise<Token[]> {
  const { store, issue } = temporary
  const of = async (
    name: string,
    workspace: string,
    wanted: { scopes?: readonly Scope[]; projects?: readonly string[] } = {},
  ) => {
    const { token: text, projects } = await issue(workspace, wanted)
    return { name, text, workspace, scopes: wanted.scopes ?? SCOPES, ...(projects && { projects }) }
  }
  const access = accessTo(store)
  const made = { scopes: ['data.read', 'document.read', 'projects.read'], projects: ['guidelines', 'hidden'] } as const
  const { client_id: client } = await createClient(access, 'acme', { scopes: SCOPES }, new Date())
  const clientToken = { workspace: 'acme', scopes: SCOPES, lifetimeSeconds: 600, client }
  const { token: restricted } = await issueToken(access, clientToken, new Date())
  const selected = await selectScopes(store.database, { workspace: 'acme', ...made })
  if (!selected.ok) throw new Error(selected.problem)
  await updateClient(access, client, selected.value)
  const none = { workspace: 'acme', scopes: SCOPES, lifetimeSeconds: 600, client: 'cli', projects: [] }
  const { token: noProjects } = await issueToken(access, none, new Date())
  const { token: expired } = await issue('acme', { now: new Date(Date.now() - 7_200_000) })
  const full = await of('all of acme', 'acme')
  const forged = `${full.text.slice(0, -20)}${'A'.repeat(20)}`
  return [
    full,
    await of('one project of acme', 'acme', { projects: ['empty'] }),
    await of('a draft of acme', 'acme', { projects: ['hidden'] }),
    await of('all of other', 'other'),
    ...(await Promise.all(SCOPES.map(scope => of(`only ${scope}`, 'acme', { scopes: [scope] })))),
    { name: 'no project of acme', text: noProjects, workspace: 'acme', scopes: SCOPES, projects: [] },
    { name: 'a client with reduced permissions', text: restricted, workspace: 'acme', ...made },
    { name: 'an expired token', text: expired, workspace: '', scopes: [] },
    { name: 'a forged token', text: forged, workspace: '', scopes: [] },
    { name: 'no token', workspace: '', scopes: [] },
  ]
}

function workspaceTargets(): Target[] {
  return ['acme', 'other', 'nowhere', 'ACME', '__proto__', 'a'.repeat(64)].flatMap(workspace => [
    { path: `/beta/workspace/${workspace}`, means: { operation: 'getWorkspace', workspace, project: '', page: '' } },
    {
      path: `/beta/workspace/${workspace}/projects`,
      means: { operation: 'listProjects', workspace, project: '', page: '' },
    },
  ])
}

function projectTargets(): Target[] {
  const ids = ['guidelines', 'empty', 'hidden', 'nothing', 'Guidelines', '__proto__', 'constructor', 'a b']
  const places = [
    ...ids.map(project => ['acme', project]),
    ...['guide', 'draft', 'guidelines'].map(project => ['other', project]),
    ...['guide', 'guidelines'].map(project => ['nowhere', project]),
  ]
  const pages = ['index', 'logo/misuse', 'nothing', '__proto__', '色']
  return places.flatMap(([workspace = '', project = '']): Target[] => {
    const path = `/beta/workspace/${workspace}/project/${encodeURIComponent(project)}`
    const to = (operation: OperationId, below: string, page = ''): Target => ({
      path: path + below,
      means: { operation, workspace, project, page },
    })
    const single = pages.map(page => to('getPage', `/page/${encodeURIComponent(page)}`, page))
    return [
      to('getProject', ''),
      to('listPages', '/pages'),
      to('getStyles', '/styles'),
      to('listFiles', '/files'),
      ...single,
      to('getPage', '/page/logo/misuse', 'logo/misuse'),
    ]
  })
}

function badTargets(): Target[] {
  const malformed: readonly [path: string, cause: string, about?: string][] = [
    ['', 'missing', ': workspace'],
    ['/', 'slash'],
    ['/acme/', 'slash'],
    ['/acme/project', 'missing', ': project'],
    ['/other/project/', 'slash'],
    ['/other//projects', 'empty'],
    ['/other/project/guide/page', 'missing', ': page'],
    ['/acme/project/hidden/page/..', 'parent'],
    ['/%00', 'nul'],
    ['/acme/project/%ff', 'utf8'],
  ]
  const nothing = ['/acme/pages', '/other/project/guide/drafts', '/nowhere/x', '/acme/project/hidden/files/plan.txt']
  return [
    ...malformed.map(([path, cause, about = '']) => ({
      path: `/beta/workspace${path}`,
      means: { malformed: cause, about },
    })),
    ...nothing.map(path => ({ path: `/beta/workspace${path}`, means: 'no endpoint' as const })),
  ]
}
