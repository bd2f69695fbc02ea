import assert from 'node:assert/strict'
import test from 'node:test'
import { canonicalAddress } from '#platform/exchange/ip-address.ts'
import type { Request } from '#platform/exchange/message.ts'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { addressIn, behindProxies, hopsOf } from '#program/http/trusted-proxies.ts'
import { golden } from '../../support/golden.ts'
import { fc, forAll, forAllIn } from '../../support/random.ts'
import { runningService, silent } from '../../support/service.ts'
import { exchange, requestText } from '../../support/socket.ts'
import { publishedStore, resultOf, SMALL_BRAND } from '../../support/temporary-store.ts'

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
const [PROXY, CLIENT] = ['10.0.0.1', '192.0.2.1']

golden('http/clients', ({ peer, headers }: { peer: string; headers: RequestHeaders }) =>
  clientOf(TRUSTED, peer, headers),
)
golden('http/forwarded', ({ headers }: { headers: RequestHeaders }) => hopsOf(headers))
golden('http/addresses', ({ text }: { text: string }) => addressIn(text) ?? 'none')

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

const ADDRESS = fc.oneof(fc.ipV4(), fc.ipV6())
const PORT = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined })

test('any address that a proxy writes, in any header and with any port, is read as that address', () =>
  forAll([fc.array(fc.tuple(ADDRESS, PORT, fc.boolean()), { minLength: 1, maxLength: 8 })], written => {
    const nodes = written.map(([address, port]) => {
      const node = address.includes(':') ? `[${address}]` : address
      return port === undefined ? node : `${node}:${port}`
    })
    const elements = written.map(([, , isHttps], at) => `for="${nodes[at]}";proto=${isHttps ? 'https' : 'http'}`)
    const schemes = written.map(([, , isHttps]) => (isHttps ? 'https' : 'http'))
    const expected = written.map(([address, , isHttps]) => [canonicalAddress(address), isHttps]).reverse()
    const unstandard = { 'x-forwarded-for': nodes.join(', '), 'x-forwarded-proto': schemes.join(', ') }
    for (const headers of [{ forwarded: elements.join(', ') }, unstandard]) {
      const seen = hopsOf(headers).map(hops => hops.map(({ from, isHttps }) => [addressIn(from ?? ''), isHttps]))
      assert.deepEqual(seen, [expected])
    }
  }))

/** Input that may break parsers: special characters, and some ordinary ones. */
const HOSTILE = fc.string({ unit: fc.constantFrom(...'for=192.0.2.1";,\\ \t[]:_unknown%\0é'), maxLength: 60 })

test('input that a client puts before a proxy’s part does not change the meaning of that part, or makes the whole field invalid', async () => {
  const added = ['for=192.0.2.7', 'for="[2001:db8::7]:80"', 'for=192.0.2.7;proto=https;by="[::1]"']
  await forAllIn(500, [HOSTILE, fc.constantFrom(...added)], (before, own) => {
    const nearest = (headers: Parameters<typeof hopsOf>[0]) => hopsOf(headers)[0][0]
    const first = nearest({ forwarded: `${before}, ${own}` })
    if (first) assert.deepEqual(first, nearest({ forwarded: own }))
    assert.equal(nearest({ 'x-forwarded-for': `${before}, 192.0.2.7` })?.from, '192.0.2.7')
  })
})

test('any 16 KiB are read quickly', () => {
  for (const piece of [' ', ';', ',', '"', 'a=', 'a="\\', 'for=a;', 'for="a",', ' ;\t', '\\"'])
    assert.ok(hopsOf({ forwarded: piece.repeat(Math.ceil(16_384 / piece.length)) })[0].length <= 16_384)
})
