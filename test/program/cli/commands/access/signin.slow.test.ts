import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSessions } from '#serving/access/session/session-verifier.ts'
import { addConnection, findLiveConnection } from '#store/access/connections.ts'
import { putLease, removeLease } from '#store/catalogue/services.ts'
import { startAlteredIssuer } from '#test/support/altered-issuer.ts'
import { localServer } from '#test/support/local-server.ts'
import { startPeopleIssuer } from '#test/support/people-issuer.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { folderWith } from '#test/support/temporary.ts'
import { resultOf, runCommand, temporaryStore, verifierContext } from '#test/support/temporary-store.ts'

const temporary = await temporaryStore()
const { folder, store } = temporary
await temporary.importing('acme', { 'guide/pages/index.md': '# Guide\n', 'web/pages/index.md': '# Web\n' })
await temporary.importing('other', { 'guide/pages/index.md': '# Guide\n' })
await writeFile(join(folder, 'secret.txt'), 'the secret\n')

const issuer = await startAlteredIssuer()
const ADD = ['signin', 'add', 'acme', '--issuer', issuer.url, '--client-id', 'guides']

test('signin add prints the id on stdout, and on stderr the redirect address to register', async () => {
  const { exitCode, out, err } = await runCommand(folder, [...ADD, '--allow-domain', 'example.com'])
  assert.equal(exitCode, 0, err)
  assert.match(out, /^[0-9a-f]{16}\n$/)
  assert.match(err, /Register this redirect address at the issuer: http:\/\/127\.0\.0\.1:4080\/-\/signed-in\n/)
  assert.equal((await runCommand(folder, ['signin', 'remove', out.trim()])).exitCode, 0)
})

test('signin add advises a name if another issuer of the workspace has none either', async () => {
  const add = [...ADD, '--allow-domain', 'example.com']
  const notes = []
  for (const args of [add, [...add, '--name', 'Agency'], add]) notes.push((await runCommand(folder, args)).err)
  const isAdvised = notes.map(note => note.includes('Another issuer of this workspace has no name'))
  assert.deepEqual(isAdvised, [false, false, true])
  for (const { id } of await resultOf(folder, ['signin', 'list'])) await resultOf(folder, ['signin', 'remove', id])
})

test('signin add and signin list --json print all settings except the secret', async () => {
  const options = ['--client-secret-file', 'secret.txt', '--allow-email', 'Ben@Partner.example']
  const more = ['--allow-group', 'agency=web,guide', '--allow-group', 'staff', '--drafts', '--name', 'Agency']
  const added = await resultOf(folder, [...ADD, ...options, ...more])
  assert.deepEqual(added, {
    id: added.id,
    name: 'Agency',
    workspace: 'acme',
    issuer: issuer.url,
    clientId: 'guides',
    hasClientSecret: true,
    proxy: null,
    allowDomains: [],
    allowEmails: ['ben@partner.example'],
    allowGroups: [
      { group: 'agency', projects: ['web', 'guide'] },
      { group: 'staff', projects: null },
    ],
    groupsClaim: 'groups',
    manageGroups: [],
    editGroups: [],
    drafts: true,
    manage: false,
    edit: false,
    hasOwnRedirect: false,
    createdAt: added.createdAt,
  })
  assert.deepEqual(await resultOf(folder, ['signin', 'list', 'acme']), [added])
  assert.deepEqual(await resultOf(folder, ['signin', 'list', 'other']), [])
  const { out } = await runCommand(folder, ['signin', 'list'])
  assert.match(out, /ben@partner\.example agency=web,guide staff {2}drafts too {2}Agency\n$/)
  await resultOf(folder, ['signin', 'remove', added.id])
})

test('the rights to manage and to edit are given and listed apart', async () => {
  const groups = ['--manage-group', 'leads', '--edit-group', 'writers=web', '--edit-group', 'leads']
  for (const [options, listed, rights] of [
    [['--edit'], { manage: false, edit: true }, 'edits'],
    [['--manage'], { manage: true, edit: false }, 'manages'],
    [['--manage', '--edit', '--drafts'], { manage: true, edit: true }, 'manages, edits'],
    [[], { manage: false, edit: false }, ''],
  ] as const) {
    const { id, manage, edit, manageGroups, editGroups } = await resultOf(folder, [...ADD, ...groups, ...options])
    assert.deepEqual({ manage, edit }, listed)
    assert.deepEqual(manageGroups, [{ group: 'leads', projects: null }])
    assert.deepEqual(editGroups, [
      { group: 'writers', projects: ['web'] },
      { group: 'leads', projects: null },
    ])
    const { out } = await runCommand(folder, ['signin', 'list'])
    assert.match(out, new RegExp(` leads \\(manage\\) writers \\(edit\\)=web leads \\(edit\\)(?: {2}${rights})? *\\n$`))
    await resultOf(folder, ['signin', 'remove', id])
  }
})

test('with --key-secret, the store keeps the secret of a client encrypted', async () => {
  const args = [...ADD, '--client-secret-file', 'secret.txt', '--allow-domain', 'example.com']
  const kept = async () => (await store.database.get('SELECT client_secret FROM signin'))?.client_secret
  const plain = await resultOf(folder, args)
  assert.equal(await kept(), '{"secret":"the secret"}')
  await resultOf(folder, ['signin', 'remove', plain.id])
  const secret = await resultOf(folder, args, { HOUSESTYLE_KEY_SECRET: 'sixteen letters!' })
  assert.match(String(await kept()), /^eyJ[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+$/)
  await resultOf(folder, ['signin', 'remove', secret.id])
})

const refused: [args: readonly string[], exitCode: number, message: RegExp][] = [
  [['signin', 'add', 'acme', '--client-id', 'x', '--allow-domain', 'a.b'], 2, /--issuer: name the issuer/],
  [ADD, 2, /no one could sign in: say who may, with --allow-domain, --allow-email or --allow-group/],
  [[...ADD, '--allow-group', 'agency=gone'], 1, /there is no project "acme\/gone"/],
  [[...ADD.with(2, 'gone'), '--allow-domain', 'a.b'], 1, /there is no workspace "gone"/],
  [
    [...ADD, '--allow-domain', 'a.b', '--client-secret-file', 'gone.txt'],
    2,
    /--client-secret-file: cannot read ".*gone.txt"/,
  ],
  [[...ADD, '--allow-domain', 'a.b', '--client-secret-file', 'acme/guide/pages/index.md'], 0, /Then try it/],
  [['signin', 'remove', 'gone'], 1, /there are no sign-in settings "gone"/],
  [['signin', 'test', 'gone'], 1, /there are no sign-in settings for "gone"/],
  [['signin', 'list', 'gone'], 1, /there is no workspace "gone"/],
  [['signin', 'sessions', 'gone'], 1, /there is no workspace "gone"/],
  [['signin', 'end'], 2, /name a person by e-mail address or session id, or give --all/],
  [['signin', 'end', 'anna@example.com', '--all'], 2, /name a person by e-mail address or session id, or give --all/],
  [['signin', 'end', 'gone@example.com'], 1, /"gone@example.com" is not signed in/],
]
for (const [args, exitCode, message] of refused)
  test(`${args.join(' ').replace(issuer.url, 'URL')} exits with ${exitCode} and a message`, async () => {
    const ran = await runCommand(folder, args)
    assert.equal(ran.exitCode, exitCode, ran.err)
    assert.match(ran.err, message)
    for (const { id } of await resultOf(folder, ['signin', 'list'])) await resultOf(folder, ['signin', 'remove', id])
  })

test('signin test prints the addresses to register, and why an issuer cannot be used', async () => {
  const added = await resultOf(folder, [...ADD, '--allow-domain', 'example.com'])
  const [ready] = await resultOf(folder, ['signin', 'test', 'acme', '--public-url', 'https://brand.example'])
  const { id } = added
  const shown = { id, workspace: 'acme', issuer: issuer.url }
  const redirectUri = 'https://brand.example/-/signed-in'
  const notes = [
    'this test cannot know whether the client and its secret are right: the issuer did not answer an invented code with invalid_grant',
    'this test cannot know whether the redirect address is registered at the issuer: sign in once to see',
  ]
  assert.deepEqual(ready, { ...shown, problem: null, redirectUri, signoutUri: null, notes })

  issuer.metadata = {
    end_session_endpoint: `${issuer.url}/end`,
    authorization_response_iss_parameter_supported: undefined,
  }
  const { out } = await runCommand(folder, ['signin', 'test', id, '--public-url', 'http://brand.example'])
  assert.match(out, /redirect address to register: {2}http:\/\/brand\.example\/-\/signed-in\n/)
  assert.match(out, /address after signing out: {5}http:\/\/brand\.example\/-\/signout\n/)
  assert.match(out, /note: people can sign in only by https/)
  assert.match(out, /note: the issuer does not name itself in its answers/)

  issuer.metadata = { issuer: 'https://other.example/slug/' }
  const wrong = await runCommand(folder, ['signin', 'test', id])
  assert.equal(wrong.exitCode, 1)
  assert.match(wrong.out, /fails: .*names another issuer; .*exactly that --issuer: https:\/\/other\.example\/slug\/\n/)
  issuer.metadata = { token_endpoint: undefined }
  assert.match((await runCommand(folder, ['signin', 'test', id])).out, /fails: .*its metadata has no token_endpoint/)
  issuer.metadata = {}
  await resultOf(folder, ['signin', 'remove', id])

  const gone = ['signin', 'add', 'acme', '--issuer', 'http://127.0.0.1:9', '--client-id', 'x', '--allow-domain', 'a.b']
  await resultOf(folder, gone)
  const { exitCode, out: text } = await runCommand(folder, ['signin', 'test', 'acme'])
  assert.equal(exitCode, 1)
  assert.match(text, /fails: .*ECONNREFUSED/)
  for (const each of await resultOf(folder, ['signin', 'list'])) await resultOf(folder, ['signin', 'remove', each.id])
})

test('signin add and signin test print the address of the running service, unless a setting gives another', async () => {
  const lease = { id: 'a', url: 'https://brand.example/style', startedAt: 0, expiresAt: Date.now() + 3_600_000 }
  await store.database.transaction(queries => putLease(queries, lease, Date.now()))
  const add = [...ADD, '--allow-domain', 'example.com']
  const printed = []
  for (const options of [
    [],
    ['--public-url', 'https://other.example'],
    ['--host', 'brand.localhost', '--port', '8080'],
  ]) {
    const { out, err } = await runCommand(folder, [...add, ...options])
    const [tested] = await resultOf(folder, ['signin', 'test', out.trim(), ...options])
    printed.push([/issuer: (.*)/.exec(err)?.[1], tested.redirectUri])
    await resultOf(folder, ['signin', 'remove', out.trim()])
  }
  await removeLease(store.database, lease.id)
  const [running, given] = ['https://brand.example/style/-/signed-in', 'https://other.example/-/signed-in']
  const local = 'http://brand.localhost:8080/-/signed-in'
  assert.deepEqual(printed, [
    [running, running],
    [given, given],
    [local, local],
  ])
})

for (const [git, workspace, isAccepted] of [
  ['- url: URL', 'acme', true],
  ['- url: URL\n    workspace: acme', 'acme', true],
  ['- url: URL\n    workspace: acme', 'other', false],
  ['- url: URL', 'No id', false],
] as const)
  test(`before the first pull of ${JSON.stringify(git)}, signin add ${isAccepted ? 'accepts' : 'refuses'} ${workspace}`, async () => {
    const url = 'http://git.localhost:9/brand.git'
    const folder = await folderWith({ 'housestyle.yaml': `git:\n  ${git.replace('URL', url)}\n` })
    const { exitCode, err } = await runCommand(folder, [...ADD.with(2, workspace), '--allow-domain', 'example.com'])
    assert.equal(exitCode, isAccepted ? 0 : 1, err)
    assert.match(err, isAccepted ? /There is no workspace acme yet/ : /there is no workspace /)
    const tested = await runCommand(folder, ['signin', 'test', workspace])
    assert.match(tested.out, isAccepted ? /works\n/ : /^$/)
    const listed = await runCommand(folder, ['signin', 'list', workspace])
    assert.match(listed.out, isAccepted ? /^\w+ {2}acme {2}http:.* {2}@example\.com\n$/ : /^$/)
  })

test('signin test proves the client and its secret, and says that it cannot know the redirect address', async () => {
  const people = await startPeopleIssuer({ people: [], client: { id: 'guides', secret: 'the secret' } })
  await writeFile(join(folder, 'wrong.txt'), 'another secret\n')
  const add = ['signin', 'add', 'acme', '--issuer', people.url, '--allow-domain', 'example.com', '--client-id']
  const withSecret = (id: string, file: string) => [...add, id, '--client-secret-file', file]
  for (const authMethod of ['client_secret_post', 'client_secret_basic'] as const) {
    await people.change({ client: { id: 'guides', secret: 'the secret', authMethod } })
    for (const [args, problem] of [
      [withSecret('guides', 'secret.txt'), null],
      [withSecret('guides', 'wrong.txt'), /its id or its secret is wrong, or the secret has expired/],
      [withSecret('guidelines', 'secret.txt'), /refuses the client: its id or its secret is wrong/],
      [[...add, 'guides'], /refuses the client: its id is wrong, or it needs a secret/],
    ] as const) {
      const { id } = await resultOf(folder, args)
      const { exitCode, out } = await runCommand(folder, ['signin', 'test', id, '--json'])
      const [result] = JSON.parse(out)
      if (problem === null) {
        assert.deepEqual([exitCode, result.problem], [0, null])
        assert.match((await runCommand(folder, ['signin', 'test', id])).out, / {2}works\n/)
        assert.deepEqual(result.notes, [
          'this test cannot know whether the redirect address is registered at the issuer: sign in once to see',
        ])
      } else {
        assert.equal(exitCode, 1)
        assert.match(result.problem, problem)
        assert.doesNotMatch((await runCommand(folder, ['signin', 'test', id])).out, /works|secret\.txt|another secret/)
      }
      await resultOf(folder, ['signin', 'remove', id])
    }
  }
})

for (const [what, tokens, problem] of [
  [
    'an unusual code for a wrong secret',
    { error: 'bad_client_secret' },
    /its id or its secret is wrong|needs a secret/,
  ],
  ['unauthorized_client', { error: 'unauthorized_client' }, /refuses the client/],
  ['an outage', { error: 'temporarily_unavailable' }, /temporarily_unavailable/],
  ['invalid_grant', { error: 'invalid_grant' }, null],
  ['another code', { error: 'invalid_request' }, null],
] as const)
  test(`signin test understands an issuer that answers an invented code with ${what}`, async () => {
    issuer.tokens = tokens
    const result = await tested([...ADD, '--allow-domain', 'example.com'])
    if (problem === null) assert.equal(result.problem, null)
    else assert.match(result.problem, problem)
    assert.equal(result.notes.length, problem !== null ? 0 : tokens.error === 'invalid_grant' ? 1 : 2)
    issuer.tokens = {}
  })

/** What `signin test` says of an issuer that is added for this only. */
async function tested(add: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { id } = await resultOf(folder, add, environment)
  const [result] = JSON.parse((await runCommand(folder, ['signin', 'test', id, '--json'])).out)
  await resultOf(folder, ['signin', 'remove', id])
  return result
}

for (const [what, status, headers, said] of [
  [
    'a redirect',
    302,
    { location: 'https://login.acme.example/realm?state=secret' },
    '302, and redirects to https://login.acme.example/realm?…',
  ],
  ['a page', 200, { 'content-type': 'text/html' }, '200 with text/html'],
  ['nothing', 404, {}, '404'],
  ['a limit', 429, {}, '429'],
] as const)
  test(`signin test names ${what} instead of metadata`, async t => {
    const { url, stop } = await localServer((_, response) => void response.writeHead(status, headers).end('x'))
    t.after(stop)
    const { problem } = await tested([...ADD.with(4, url), '--allow-domain', 'a.b'])
    assert.ok(problem.endsWith(`its metadata cannot be read: it answered ${said}`), problem)
  })

test('signin test names a secret that it cannot decrypt', async () => {
  const keySecret = { HOUSESTYLE_KEY_SECRET: 'sixteen letters!' }
  const args = [...ADD, '--client-secret-file', 'secret.txt', '--allow-domain', 'example.com']
  assert.match((await tested(args, keySecret)).problem, /the client secret is encrypted: give --key-secret/)
  const { id } = await resultOf(folder, args, keySecret)
  assert.equal((await resultOf(folder, ['signin', 'test', id], keySecret))[0].problem, null)
  await resultOf(folder, ['signin', 'remove', id])
})

test('signin test names a host without an address in DNS, and ends with what the resolver said', async () => {
  const host = 'login.nowhere.invalid'
  const { problem } = await tested([...ADD.with(4, `https://${host}`), '--allow-domain', 'a.b'])
  assert.match(
    problem,
    /cannot ask https:\/\/login\.nowhere\.invalid\/.*(?:has no address|does not answer).*DNS|DNS.*host name/,
  )
  assert.match(problem, /: getaddrinfo \w+ login\.nowhere\.invalid$/)
})

test('signin test ends with the error and the description of the issuer, without the secret of the client', async () => {
  const args = [...ADD, '--client-secret-file', 'secret.txt', '--allow-domain', 'example.com']
  const said = { error: 'invalid_client', error_description: 'AADSTS7000215: it is wrong\u001b[0m.\n', status: 401 }
  for (const [tokens, fields, problem] of [
    [said, {}, /: invalid_client: AADSTS7000215: it is wrong \[0m\.$/],
    [said, { 'www-authenticate': 'Basic realm="issuer"' }, /: invalid_client: AADSTS7000215: it is wrong \[0m\.$/],
    [
      { error: 'invalid_client', error_description: 'no client guides with the secret' },
      {},
      /: invalid_client: no client guides with \.\.\.$/,
    ],
    [
      { error: 'temporarily_unavailable', error_description: 'back at noon' },
      {},
      /: temporarily_unavailable: back at noon$/,
    ],
  ] as const) {
    Object.assign(issuer, { tokens, tokenFields: fields })
    assert.match((await tested(args)).problem, problem)
  }
  Object.assign(issuer, { tokens: { error: 'invalid_request', error_description: 'a parameter is missing' } })
  assert.match((await tested(args)).notes[0], /invalid_grant: invalid_request: a parameter is missing$/)
  Object.assign(issuer, { tokens: {}, tokenFields: {} })
})

test('signin test reads the keys of a proxy', async () => {
  const proxy = ['signin', 'add', 'acme', '--proxy-header', 'X-Proxy-Jwt', '--issuer', 'proxy', '--audience', 'guides']
  const { id } = await resultOf(folder, [...proxy, '--jwks', `${issuer.url}/jwks`, '--allow-domain', 'example.com'])
  const [ready] = await resultOf(folder, ['signin', 'test', id])
  assert.deepEqual([ready.problem, ready.redirectUri], [null, null])
  await resultOf(folder, ['signin', 'remove', id])
})

test('signin sessions lists the projects that each person manages and edits', async () => {
  const people = [
    [{}, [], [], ''],
    [{ edits: ['web'] }, [], ['web'], 'edits'],
    [{ manages: ['guide'], edits: 'all' }, ['guide'], 'all', 'manages, edits'],
  ] as const
  for (const [rights, manages, edits, shown] of people) {
    await sessionCookie(temporary, 'acme', { ...rights, name: 'Ada' })
    const [listed] = await resultOf(folder, ['signin', 'sessions', 'acme'])
    assert.deepEqual([listed.manages, listed.edits], [manages, edits])
    const { out } = await runCommand(folder, ['signin', 'sessions', 'acme'])
    assert.match(out, new RegExp(`all projects {2,}${shown} +until`))
    await resultOf(folder, ['signin', 'end', '--all'])
  }
})

test('signin sessions lists people; signin end signs out one, in all workspaces, or all; signin remove those of an issuer', async () => {
  const { start, person, ids } = await signedIn()
  const [ada, adaElsewhere, ben] = [await start('acme', 'ada'), await start('other', 'ada'), await start('acme', 'ben')]
  const listed = await resultOf(folder, ['signin', 'sessions', 'acme'])
  assert.deepEqual(
    listed.map(({ email, name, projects, drafts }: Record<string, unknown>) => [email, name, projects, drafts]),
    [
      ['ben@example.com', 'ben', null, false],
      ['ada@example.com', 'ada', null, false],
    ],
  )
  const { out } = await runCommand(folder, ['signin', 'sessions', 'acme'])
  assert.match(
    out,
    /ada@example\.com {2}ada {2}all projects .*until .*\(in 60 minutes\)|ada@example\.com {2}ada {2}all projects/,
  )
  const connection = await connect(ids[0] ?? '')
  assert.deepEqual(await resultOf(folder, ['signin', 'end', 'Ada@Example.com']), {
    endedSessions: 2,
    endedConnections: 1,
  })
  assert.equal(await findLiveConnection(store.database, connection, new Date()), undefined)
  assert.deepEqual([await person(ada, 'acme'), await person(adaElsewhere, 'other')], [undefined, undefined])
  assert.ok(await person(ben, 'acme'))

  const carl = await start('acme', 'carl')
  assert.deepEqual(await resultOf(folder, ['signin', 'end', ids.at(-1) ?? '']), {
    endedSessions: 1,
    endedConnections: 0,
  })
  assert.deepEqual([await person(carl, 'acme'), (await person(ben, 'acme'))?.name], [undefined, 'ben'])
  assert.match((await runCommand(folder, ['signin', 'end', '--all'])).out, /^1 session and 0 connections ended\n$/)
  assert.equal(await person(ben, 'acme'), undefined)
  assert.deepEqual(await resultOf(folder, ['signin', 'sessions', 'acme']), [])

  const { id } = await resultOf(folder, [...ADD, '--allow-domain', 'example.com'])
  const dora = await start('acme', 'dora', id)
  assert.equal((await resultOf(folder, ['signin', 'remove', id])).endedSessions, 1)
  assert.equal(await person(dora, 'acme'), undefined)
})

/** Signs people in without an issuer. The ids of their sessions are in the order of the calls. */
async function signedIn() {
  const sessions = openSessions(verifierContext(store))
  const request = { method: 'GET', path: '/', query: '', headers: {}, authorizations: 0, address: '127.0.0.1' }
  const ids: string[] = []
  const start = async (workspace: string, name: string, signin = 's1') => {
    const person = { workspace, signin, subject: name, name, email: `${name}@example.com`, drafts: false }
    const [cookie = ''] = (
      await sessions.start(request, { ...person, expiresAt: new Date(Date.now() + 3_600_000) })
    ).split(';')
    ids.push(/=(\w+)\./.exec(cookie)?.[1] ?? '')
    return cookie
  }
  const person = (cookie: string, workspace: string) => {
    sessions.forget()
    return sessions.person({ ...request, headers: { cookie } }, workspace)
  }
  return { start, person, ids }
}

/** Adds a connection that depends on a session. */
async function connect(session: string): Promise<string> {
  const connection = {
    id: 'c1',
    workspace: 'acme',
    client: 'client',
    origin: { session },
    subject: 'ada',
    email: 'ada@example.com',
    resource: 'http://127.0.0.1:1/mcp',
    scope: 'document.read',
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 3_600_000),
  }
  await store.database.transaction(queries => addConnection(queries, connection))
  assert.ok(await findLiveConnection(store.database, 'c1', new Date()))
  return 'c1'
}
