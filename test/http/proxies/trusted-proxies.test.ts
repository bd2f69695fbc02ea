import assert from 'node:assert/strict'
import test from 'node:test'
import type { Request, RequestHeaders } from '../../../src/exchange/message.ts'
import { behindProxies } from '../../../src/http/proxies/trusted-proxies.ts'
import { readSettings } from '../../../src/settings.ts'
import { resultOf } from '../../support/run-command.ts'
import { runningService } from '../../support/running.ts'
import { silent } from '../../support/service.ts'
import { SMALL_BRAND } from '../../support/small-brand.ts'
import { exchange, requestText } from '../../support/socket.ts'
import { publishedStore } from '../../support/temporary-store.ts'

function networksOf(text: string) {
  const sources = { environment: {}, file: {}, trust: [], readSecret: () => '' }
  return readSettings({ ...sources, flags: { trustedProxies: text } }).trustedProxies
}

/** Finds the client of a request with these fields from this peer. */
async function clientOf(
  trusted: string,
  address: string,
  headers: RequestHeaders,
): Promise<Pick<Request, 'address' | 'isHttps'>> {
  const found: Request[] = []
  const service = behindProxies(networksOf(trusted), request => {
    found.push(request)
    return { status: 200, headers: [], body: undefined }
  })
  await service({ method: 'GET', path: '/', query: '', headers, authorizations: 0, address })
  return { address: found[0]?.address ?? '', isHttps: found[0]?.isHttps ?? false }
}

const TRUSTED = '10.0.0.0/8, 192.168.1.1,fd00::/8'
const [PROXY, PROXY_6, CLIENT, CLIENT_6] = ['10.0.0.1', 'fd00::1', '192.0.2.1', '2001:db8::1']

const CASES: readonly [what: string, peer: string, headers: RequestHeaders, address: string, isHttps?: boolean][] = [
  ['no field', PROXY, {}, PROXY],
  ['X-Forwarded-For', PROXY, { 'x-forwarded-for': CLIENT }, CLIENT],
  ['both X-Forwarded', PROXY, { 'x-forwarded-for': CLIENT, 'x-forwarded-proto': 'https' }, CLIENT, true],
  ['only X-Forwarded-Proto', PROXY, { 'x-forwarded-proto': 'https' }, PROXY, true],
  ['Forwarded', PROXY, { forwarded: `for=${CLIENT};proto=https` }, CLIENT, true],
  ['Forwarded of IPv6', PROXY_6, { forwarded: `for="[${CLIENT_6}]:80"` }, CLIENT_6],
  [
    'fields from a peer that is not a proxy',
    CLIENT,
    { 'x-forwarded-for': '1.1.1.1', 'x-forwarded-proto': 'https' },
    CLIENT,
  ],
  ['Forwarded from a peer that is not a proxy', CLIENT, { forwarded: 'for=1.1.1.1;proto=https' }, CLIENT],
  ['an IPv4-mapped IPv6 peer', `::ffff:${PROXY}`, { 'x-forwarded-for': CLIENT }, CLIENT],
  ['an IPv6 peer that is not a proxy', `::ffff:${CLIENT}`, { 'x-forwarded-for': '1.1.1.1' }, CLIENT],
  ['an IPv4-mapped IPv6 client', PROXY, { 'x-forwarded-for': `::ffff:${CLIENT}` }, CLIENT],
  ['a peer that is gone', '', { 'x-forwarded-for': CLIENT }, ''],
  ['an address invented by a client', PROXY, { 'x-forwarded-for': `1.1.1.1, ${CLIENT}` }, CLIENT],
  ['proxies invented by a client', PROXY, { 'x-forwarded-for': `1.1.1.1, ${PROXY}, ${CLIENT}` }, CLIENT],
  ['two proxies', PROXY, { 'x-forwarded-for': `1.1.1.1, ${CLIENT}, 192.168.1.1` }, CLIENT],
  [
    'three proxies of both families',
    PROXY,
    { 'x-forwarded-for': `${CLIENT}, [${PROXY_6}]:1, ::ffff:10.9.9.9` },
    CLIENT,
  ],
  ['only proxies', PROXY, { 'x-forwarded-for': `10.0.0.4, 10.0.0.3` }, '10.0.0.4'],
  ['a neighbour of a proxy', PROXY, { 'x-forwarded-for': `${CLIENT}, 192.168.1.2` }, '192.168.1.2'],
  ['garbage', PROXY, { 'x-forwarded-for': 'garbage' }, PROXY],
  ['garbage after a proxy', PROXY, { 'x-forwarded-for': `${CLIENT}, garbage, 10.0.0.2` }, '10.0.0.2'],
  ['unknown', PROXY, { forwarded: `for=${CLIENT}, for=unknown;proto=https, for=10.0.0.2` }, '10.0.0.2', true],
  ['an obfuscated name', PROXY, { forwarded: `for=${CLIENT}, for=_gazonk` }, PROXY],
  ['a malformed Forwarded', PROXY, { forwarded: `for="${CLIENT}`, 'x-forwarded-for': '1.1.1.1' }, PROXY],
  ['both, which disagree', PROXY, { forwarded: `for=${CLIENT};proto=https`, 'x-forwarded-for': '1.1.1.1' }, PROXY],
  ['both, which agree', PROXY, { forwarded: `for=${CLIENT};proto=https`, 'x-forwarded-for': CLIENT }, CLIENT, true],
  ['both, with another scheme', PROXY, { forwarded: `for=${CLIENT}`, 'x-forwarded-proto': 'https' }, CLIENT],
  [
    'https only to the first proxy',
    PROXY,
    { forwarded: `for=${CLIENT};proto=https, for=10.0.0.2;proto=http` },
    CLIENT,
    true,
  ],
  ['https invented by a client', PROXY, { forwarded: `for=1.1.1.1;proto=https, for=${CLIENT};proto=http` }, CLIENT],
]

for (const [what, peer, headers, address, isHttps = false] of CASES) {
  const who = `${address || 'unknown'}${isHttps ? ', over https' : ''}`
  test(`with ${what}, the client is ${who}`, async () => {
    assert.deepEqual(await clientOf(TRUSTED, peer, headers), { address, isHttps })
  })
}

test('without trusted proxies, no forwarding field is trusted', async () => {
  assert.deepEqual(await clientOf('', PROXY, { 'x-forwarded-for': CLIENT, 'x-forwarded-proto': 'https' }), {
    address: PROXY,
    isHttps: false,
  })
})

test('the log and the limits of a real server use the client address, and ignore a forwarded host', async () => {
  const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
  const made = await resultOf(temporary.folder, ['client', 'create', 'acme'])
  const events: object[] = []
  const log = { ...silent, info: (event: object) => events.push(event) }
  const { port } = await runningService(temporary, { trustedProxies: '127.0.0.1' }, log)
  const ask = async (client: string, secret: string) => {
    const body = `grant_type=client_credentials&client_id=${made.client_id}&client_secret=${secret}`
    const type = 'Content-Type: application/x-www-form-urlencoded'
    // The client invented the first line; a proxy may add its own line.
    const fields = [
      'X-Forwarded-For: 203.0.113.9',
      `X-Forwarded-For: ${client}`,
      type,
      `Content-Length: ${body.length}`,
    ]
    const [reply] = await exchange(
      port,
      requestText('POST /oauth/token', [...fields, 'X-Forwarded-Host: evil.test'], body),
    )
    assert.doesNotMatch(JSON.stringify(reply), /evil\.test/)
    return reply?.status
  }
  for (let at = 0; at < 20; at++) assert.equal(await ask('192.0.2.1', 'wrong'), 401)
  assert.equal(await ask('192.0.2.1:99', 'wrong'), 429)
  assert.equal(await ask('192.0.2.2', 'wrong'), 401)
  assert.equal(await ask('192.0.2.1', made.client_secret), 200)
  const addresses = events.flatMap(event => ('address' in event ? [event.address] : []))
  assert.deepEqual(addresses, [...Array(21).fill('192.0.2.1'), '192.0.2.2'])
  await exchange(port, requestText('GET /beta/workspace/acme', ['Forwarded: for="[2001:db8::9]"']))
  assert.deepEqual(events.at(-1), { event: 'token-refused', reason: 'no-credentials', address: '2001:db8::9' })
})

test('over https through a trusted proxy, the cookie of a share link is valid only for https', async () => {
  const temporary = await publishedStore('acme/empty', SMALL_BRAND)
  const { url } = await resultOf(temporary.folder, ['share', 'acme/empty'])
  const { pathname } = new URL(url)
  const { port } = await runningService(temporary, { trustedProxies: '127.0.0.1' })
  const others = await runningService(temporary)
  const get = async (at: number, path: string, ...fields: string[]) => {
    const [reply] = await exchange(at, requestText(`GET ${path}`, fields))
    const cookie = reply?.fields.find(([name]) => name === 'Set-Cookie')?.[1] ?? ''
    return { status: reply?.status, cookie: cookie.split(';')[0] ?? '', isSecure: /; Secure/.test(cookie), reply }
  }
  const https = 'X-Forwarded-Proto: https'
  const secured = await get(port, pathname, https)
  const plain = await get(port, pathname)
  assert.deepEqual([secured.status, secured.isSecure, /^__Secure-/.test(secured.cookie)], [303, true, true])
  assert.deepEqual([plain.status, plain.isSecure, /^__Secure-/.test(plain.cookie)], [303, false, false])
  assert.equal((await get(others.port, pathname, https)).isSecure, false)
  const open = async (cookie: string, ...fields: string[]) =>
    (await get(port, '/acme/empty', `Cookie: ${cookie}`, ...fields)).status
  assert.deepEqual([await open(secured.cookie, https), await open(plain.cookie)], [200, 200])
  assert.deepEqual([await open(secured.cookie), await open(plain.cookie, https)], [404, 404])
})
