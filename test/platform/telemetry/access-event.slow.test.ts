import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, mock, test } from 'node:test'
import { promisify } from 'node:util'
import { type AccessEvent, openAudit } from '#platform/telemetry/access-event.ts'
import { listSigningKeys } from '#store/access/signing-keys.ts'
import { MAIN } from '#test/program/cli/housestyle.ts'
import { serve } from '#test/support/command.ts'
import { silent } from '#test/support/service.ts'
import { SMALL_BRAND, temporaryStore } from '#test/support/temporary-store.ts'
import { caughtUp } from '#test/support/until.ts'

/** One log line; level and time are omitted. */
type Line = Readonly<Record<string, string>>

const temporary = await temporaryStore()
const places = '/beta/workspace/acme'

type Session = {
  /** By name. */
  secrets: Map<string, string>
  /** The expected log lines of the service. */
  expected: Line[]
  /** The logs of the service and of the commands. */
  served: string
  commands: string
  /** Bodies and header fields of refusals. */
  bodies: string[]
  metrics: string
}

/** All output and replies of a session, and its secrets. */
const session: Session = {
  secrets: new Map(),
  expected: [],
  served: '',
  commands: '',
  bodies: [],
  metrics: '',
}

before(runSession, { timeout: 300_000 })

test('the service logs each refusal as one line, in order, with address, client, workspace and jti', () => {
  const withAddress = session.expected.map(line => ({
    ...line,
    ...(line.event?.endsWith('-refused') && { address: '127.0.0.1' }),
  }))
  assert.deepEqual(linesOf(session.served), withAddress)
})

test('commands log each token, client, key or link that they issue, change, revoke or delete', () => {
  const events = linesOf(session.commands).map(({ event }) => event)
  assert.deepEqual(
    events,
    `
    token-issued token-issued token-issued client-created client-changed token-revoked client-deleted
    share-created share-revoked files-rotated key-made key-retired
  `
      .trim()
      .split(/\s+/),
  )
})

test('each access event is counted by reason', () => {
  const counts = new Map<string, number>()
  for (const { event = '', reason = '' } of session.expected) {
    const labels = `{event="${event}",reason="${reason}"}`
    counts.set(labels, (counts.get(labels) ?? 0) + 1)
  }
  const told = session.metrics.matchAll(/^housestyle_access_total(\{.*\}) (\d+)$/gm)
  assert.deepEqual(new Map(Array.from(told, ([, labels = '', count]) => [labels, Number(count)])), counts)
})

test('no token, secret, key or credentials appear in a log, a metric or the body of an error', async () => {
  const written = { ...session, bodies: session.bodies.join('\n') }
  assert.ok(session.secrets.size >= 10)
  for (const [name, secret] of session.secrets)
    for (const where of ['served', 'commands', 'metrics', 'bodies'] as const) {
      assert.ok(!written[where].includes(secret), `${name} is in ${where}`)
      assert.ok(!written[where].includes(secret.slice(0, 60)), `the beginning of ${name} is in ${where}`)
    }
})

async function runSession(): Promise<void> {
  await temporary.publishing('acme/guidelines', SMALL_BRAND)
  const good = tokenOf(await run('token', 'issue', 'acme'))
  const narrow = tokenOf(await run('token', 'issue', 'acme', '--scope', 'data.read', '--project', 'guidelines'))
  const brief = tokenOf(await run('token', 'issue', 'acme', '--expires', '1h'))
  const made = JSON.parse(await run('client', 'create', 'acme'))
  const client: { id: string; secret: string } = { id: made.client_id, secret: made.client_secret }
  keep('the secret of the client', client.secret)
  await keepKeys()
  const service = await serve(MAIN, '--data', temporary.data, '--rate', '8/600')
  try {
    await refusals(service.url, good, narrow)
    const granted = await clientTokens(service.url, client, narrow)
    await revocations(service.url, { brief, granted, client: client.id })
    await limits(service.url, good)
    await ask(service.url, '/acme/guidelines/-/share/A-link-that-is-made-up')
    expect({ event: 'share-refused' })
    await shareAndRotate(service.url)
    session.metrics = await (await fetch(`${service.url}/metrics`)).text()
    await run('keys', 'rotate')
    const [, first] = await listSigningKeys(temporary.store.database)
    await run('keys', 'retire', first?.kid ?? '')
    await keepKeys()
  } finally {
    await service.stop()
    session.served = await service.log
  }
}

/** Causes refusals before and after a token is verified. */
async function refusals(url: string, good: Token, narrow: Token): Promise<void> {
  await ask(url, places)
  expect({ event: 'token-refused', reason: 'no-credentials' })
  await ask(url, places, `Basic ${Buffer.from(good.text).toString('base64')}`)
  expect({ event: 'token-refused', reason: 'no-credentials' })
  await ask(url, places, `Bearer ${good.text.slice(0, 200)}`)
  expect({ event: 'token-refused', reason: 'malformed' })
  await ask(url, places, `Bearer ${good.text.slice(0, -30)}${'A'.repeat(30)}`)
  expect({ event: 'token-refused', reason: 'signature', ...good.about })
  const { token: expired, jti } = await temporary.issue('acme', { now: new Date(Date.now() - 7_200_000) })
  keep('an expired token', expired)
  await ask(url, places, `Bearer ${expired}`)
  expect({ event: 'token-refused', reason: 'expired', client: 'cli', workspace: 'acme', jti })
  await ask(url, places, `Bearer ${narrow.text}`)
  expect({ event: 'scope-refused', operation: 'getWorkspace', ...narrow.about })
  await ask(url, '/beta/workspace/other/project/guidelines', `Bearer ${narrow.text}`)
  expect({ event: 'place-refused', operation: 'getProject', ...narrow.about })
  await ask(url, `${places}/project/hidden`, `Bearer ${narrow.text}`)
  expect({ event: 'place-refused', operation: 'getProject', ...narrow.about })
  await ask(url, '/acme/hidden', `Bearer ${narrow.text.slice(0, -30)}${'A'.repeat(30)}`)
  expect({ event: 'token-refused', reason: 'signature', ...narrow.about })
}

async function clientTokens(url: string, client: { id: string; secret: string }, { text }: Token): Promise<Token> {
  const refused = { event: 'client-refused', reason: 'invalid_client' }
  await askForToken(url, { client_id: client.id, client_secret: 'wrong' })
  expect({ ...refused, client: client.id })
  await askForToken(url, { client_id: client.secret, client_secret: client.id })
  expect(refused)
  await askForToken(url, { client_id: text, client_secret: 'x' })
  expect(refused)
  await askForToken(url, {})
  expect(refused)
  const known = { client_id: client.id, client_secret: client.secret }
  await askForToken(url, { ...known, scope: 'openid' })
  expect({ ...refused, reason: 'invalid_scope', client: client.id })
  await askForToken(url, { ...known, resource: `${url}/beta/workspace/other` })
  expect({ ...refused, reason: 'invalid_target', client: client.id })
  const granted = tokenOf(await askForToken(url, known))
  expect({ event: 'token-issued', ...granted.about, kid: granted.kid })
  return granted
}

async function revocations(url: string, { brief, granted, client }: { brief: Token; granted: Token; client: string }) {
  await run('client', 'update', client, '--scope', 'settings.read')
  await run('token', 'revoke', brief.about.jti)
  await run('client', 'delete', client)
  await caughtUp(url, temporary.store)
  await ask(url, places, `Bearer ${brief.text}`)
  expect({ event: 'token-refused', reason: 'revoked', ...brief.about })
  await ask(url, places, `Bearer ${granted.text}`)
  expect({ event: 'token-refused', reason: 'client', ...granted.about })
}

/** Exceeds the limit. Three of eight requests are already used; requests with an invalid token do not count. */
async function limits(url: string, good: Token): Promise<void> {
  for (let time = 0; time < 5; time++) assert.equal((await ask(url, places, `Bearer ${good.text}`)).status, 200)
  for (let time = 0; time < 2; time++) {
    assert.equal((await ask(url, places, `Bearer ${good.text}`)).status, 429)
    expect({ event: 'limit-refused', operation: 'getWorkspace', ...good.about })
  }
}

/** Uses a link, then makes it invalid. */
async function shareAndRotate(url: string): Promise<void> {
  const { id, url: link } = JSON.parse(await run('share', 'acme/guidelines'))
  const { pathname } = new URL(link)
  keep('the secret of a share link', pathname.split('/').at(-1) ?? '')
  await caughtUp(url, temporary.store)
  const visited = await fetch(url + pathname, { redirect: 'manual' })
  assert.equal(visited.status, 303)
  keep('the cookie of a share link', visited.headers.get('set-cookie')?.split(/[=;]/)[1] ?? '')
  await run('share', 'revoke', id)
  await run('files', 'rotate', 'acme/guidelines')
  await caughtUp(url, temporary.store)
  await ask(url, pathname)
  expect({ event: 'share-refused' })
}

function expect(line: Line): void {
  session.expected.push(line)
}

async function ask(url: string, path: string, authorization?: string): Promise<Response> {
  if (authorization !== undefined) keep(`the credentials ${session.secrets.size}`, authorization.split(' ')[1] ?? '')
  const reply = await fetch(url + path, { headers: authorization === undefined ? {} : { authorization } })
  const body = await reply.text()
  if (reply.status >= 400) session.bodies.push(body, ...[...reply.headers].flat())
  return reply
}

async function askForToken(url: string, form: Readonly<Record<string, string>>): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...form })
  const reply = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  const text = await reply.text()
  if (reply.status !== 200) session.bodies.push(text, ...[...reply.headers].flat())
  return text
}

async function run(...args: string[]): Promise<string> {
  const line = [MAIN, ...args, '--data', temporary.data, '--json']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, line, { timeout: 300_000 })
  session.commands += stderr
  return stdout
}

type Token = { text: string; kid: string; about: { client: string; workspace: string; jti: string } }

/** Reads the claims of a token, and adds it to the secrets. */
function tokenOf(printed: string): Token {
  const { token, access_token: text = token } = JSON.parse(printed)
  keep(`token ${session.secrets.size}`, text)
  const [header, claims] = text.split('.').map((part: string) => Buffer.from(part, 'base64url').toString())
  const { client_id: client, workspace, jti } = JSON.parse(claims)
  return { text, kid: JSON.parse(header).kid, about: { client, workspace, jti } }
}

function keep(name: string, secret: string): void {
  session.secrets.set(name, secret)
}

/** Adds the private half of every signing key, and the keys of hashes and links, as stored. */
async function keepKeys(): Promise<void> {
  for (const { kid, privateJwk } of await listSigningKeys(temporary.store.database))
    keep(`the key ${kid}`, JSON.parse(privateJwk).d)
  const { clientSecret, fileSecret, shareSecret } = temporary.store.identity
  for (const [name, secret] of Object.entries({ clientSecret, fileSecret, shareSecret }))
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      keep(`${name} in ${encoding}`, Buffer.from(secret).toString(encoding))
}

function linesOf(log: string): Line[] {
  const lines = log.split('\n').filter(line => line !== '')
  return lines.flatMap((line): Line[] => {
    const { level: _, time: __, msg: ___, message, ...fields } = JSON.parse(line)
    return message === undefined ? [fields] : []
  })
}

/** Opens an audit that collects lines and counts. */
function collectingAudit() {
  const lines: object[] = []
  const counts = new Map<string, number>()
  const log = { ...silent, info: (fields: object) => void lines.push(fields) }
  const countAccess = (event: string, reason: string) => {
    const key = `${event} ${reason}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return { record: openAudit(log, { countAccess }), lines, counts }
}

test('a flood of refusals writes 30 lines a minute for each event and reason, then the number of the rest, and counts each one', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { record, lines, counts } = collectingAudit()
    const refusal = { event: 'token-refused', reason: 'signature', address: '192.0.2.1' } satisfies AccessEvent
    const limited = { event: 'edit_refused', workspace: 'acme', paths: ['pages/logo.md'] } satisfies AccessEvent
    for (let at = 0; at < 1000; at++) record(refusal)
    for (let at = 0; at < 31; at++) record(limited)
    assert.equal(lines.length, 60)
    assert.equal(lines.filter(line => line === limited).length, 30)
    mock.timers.tick(60_000)
    assert.deepEqual(lines.slice(60), [
      { event: 'token-refused', reason: 'signature', unlogged: 970 },
      { event: 'edit_refused', unlogged: 1 },
    ])
    record(refusal)
    assert.equal(lines.at(-1), refusal)
    mock.timers.tick(60_000)
    assert.equal(lines.length, 63)
    assert.deepEqual([...counts.values()], [1001, 31])
  } finally {
    mock.timers.reset()
  }
})

test('the log names each refused host once a minute, in any letter case, and at most 30 of them', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { record, lines, counts } = collectingAudit()
    const refuse = (host: string) => record({ event: 'host-refused', status: 421, host, address: '192.0.2.1' })
    for (let at = 0; at < 100; at++) for (const host of ['a.example', 'A.example', 'b.example']) refuse(host)
    const hosts = () => lines.flatMap(line => ('host' in line ? [line.host] : []))
    assert.deepEqual(hosts(), ['a.example', 'b.example'])
    mock.timers.tick(60_000)
    assert.deepEqual(lines.slice(2), [{ event: 'host-refused', unlogged: 298 }])
    refuse('a.example')
    assert.deepEqual(hosts(), ['a.example', 'b.example', 'a.example'])
    for (let at = 0; at < 1000; at++) refuse(`${at}.example`)
    assert.equal(hosts().length, 32)
    assert.deepEqual([...counts], [['host-refused ', 1301]])
  } finally {
    mock.timers.reset()
  }
})

test('events that need a secret or a command are always logged', () => {
  const { record, lines } = collectingAudit()
  for (let at = 0; at < 100; at++) record({ event: 'token-issued', client: 'acme-1' })
  for (let at = 0; at < 100; at++) record({ event: 'edit_saved', commit: `${at}`, paths: ['pages/logo.md'] })
  assert.equal(lines.length, 200)
})
