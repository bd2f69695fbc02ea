import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseReturnPath, redirectPath } from '#people/signin/people/signin-addresses.ts'
import { nameInMetrics } from '#program/http/service/routes.ts'
import { type AlteredIssuer, startAlteredIssuer } from '../../../support/altered-issuer.ts'
import { allowIssuer, peopleService } from '../../../support/people-service.ts'
import { fc, forAllIn } from '../../../support/random.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { type Visitor, visitor } from '../../../support/visitor.ts'

const UNNAMED = { authorization_response_iss_parameter_supported: undefined }

test('an issuer that does not name itself, and is not the first, has its own path, the same for each spelling', () => {
  const pathOf = (issuer: string, hasOwnRedirect = true) => redirectPath({ issuer, settings: { hasOwnRedirect } }, {})
  const own = pathOf('https://one.example')
  assert.match(own, /^\/-\/signed-in\/[\w-]{16}$/)
  assert.equal(pathOf('https://one.example/'), own)
  assert.notEqual(pathOf('https://two.example'), own)
  assert.equal(pathOf('https://one.example', false), '/-/signed-in')
  const named = { authorization_response_iss_parameter_supported: true }
  const seen = redirectPath({ issuer: 'https://one.example', settings: { hasOwnRedirect: true } }, named)
  assert.equal(seen, '/-/signed-in')
  const names = [own, '/-/signed-in', '/-/signed-in/', `${own}/x`, '/-/signed-in/short'].map(path =>
    nameInMetrics(path),
  )
  assert.deepEqual(names, ['signin', 'signin', 'page', 'page', 'page'])
})

const URL_OF_SERVICE = 'https://brand.example/guides'

const accepted = {
  '/guides': '/guides',
  '/guides/acme/guide/logo?page=2': '/guides/acme/guide/logo?page=2',
  '/guides/acme/../acme/guide': '/guides/acme/guide',
  '/guides/acme/guide#logo': '/guides/acme/guide',
  '/guides/acme/%2F%2Fevil.example': '/guides/acme/%2F%2Fevil.example',
  '/guides/acme?to=https://evil.example': '/guides/acme?to=https://evil.example',
  '/guides/日本': '/guides/%E6%97%A5%E6%9C%AC',
}
for (const [given, path] of Object.entries(accepted))
  test(`after signing in, people return to ${given}`, () => assert.equal(parseReturnPath(given, URL_OF_SERVICE), path))

const refused = [
  '',
  'guides',
  'https://brand.example/guides',
  'https://evil.example/guides',
  '//evil.example/guides',
  '/\\evil.example/guides',
  '/\t/evil.example/guides',
  '/\n/evil.example/guides',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/guides/..//evil.example',
  '/guides/../..//evil.example/guides',
  '/./\\evil.example',
  '/other',
  '/guidesmore',
  '/guides/../acme',
  '/guides/%2e%2e/acme',
  'javascript:alert(1)',
  '/guides/-/signout',
  '/guides/-/signin?workspace=acme',
  `/guides/${'x'.repeat(9000)}`,
]
for (const given of refused)
  test(`${JSON.stringify(given.slice(0, 40))} is not an address to return to`, () =>
    assert.equal(parseReturnPath(given, URL_OF_SERVICE), undefined))

test('at the root of a host, people return to any address of the service, and to no other host', () => {
  assert.equal(parseReturnPath('/acme/guide', 'https://brand.example'), '/acme/guide')
  for (const given of ['//evil.example', '/.//evil.example', '/x/..//evil.example', '/-/signin'])
    assert.equal(parseReturnPath(given, 'https://brand.example'), undefined)
})

test('a browser resolves each address to return to within the service', async () => {
  const part = fc.constantFrom('/', '\\', '.', '..', '\t', '@', ':', 'evil.example', 'guides', '%2f', '%5c', '?', '#')
  const text = fc.array(part, { maxLength: 8 }).map(parts => parts.join(''))
  await forAllIn(2000, [text], given => {
    const path = parseReturnPath(given, URL_OF_SERVICE)
    if (path !== undefined)
      assert.match(new URL(path, URL_OF_SERVICE).href, /^https:\/\/brand\.example\/guides(?:\/|\?|$)/)
  })
})

/** Begins a sign-in, and returns the address at the issuer. */
async function begin(browser: Visitor, workspace: string): Promise<URL> {
  const start = await browser.get(`/-/signin?workspace=${workspace}`)
  return new URL(start.headers.get('location') ?? '')
}

/** The address to which an issuer redirects. */
async function answerOf(address: URL): Promise<string> {
  return (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? ''
}

for (const order of ['before', 'after'])
  test(`an issuer that was added ${order} another one cannot get its codes if its answers do not name it`, async () => {
    const temporary = await temporaryStore()
    for (const workspace of ['acme', 'evil'])
      await temporary.importing(workspace, { 'guide/pages/index.md': '# Secret\n' })
    const [honest, evil] = [await startAlteredIssuer(), await startAlteredIssuer()]
    const adding = [
      () => allowIssuer(temporary, honest.url),
      () => allowIssuer(temporary, evil.url, { workspace: 'evil' }),
    ]
    for (const add of order === 'after' ? adding : adding.reverse()) await add()
    const claims = { email: 'anna@example.com', email_verified: true }
    Object.assign(honest, { claims, metadata: UNNAMED, redirect: { iss: undefined } } satisfies Partial<AlteredIssuer>)
    for (const metadata of [UNNAMED, {}]) {
      evil.metadata = metadata
      const service = await peopleService(temporary)
      const asked = await begin(visitor(service.service), 'acme')
      // Only the address of the first issuer may be registered at both.
      const usual = order === 'after' ? ['http://127.0.0.1:9/-/signed-in'] : []
      for (const redirect of [asked.searchParams.get('redirect_uri') ?? '', ...usual]) {
        const victim = visitor(service.service)
        asked.searchParams.set('state', (await begin(victim, 'evil')).searchParams.get('state') ?? '')
        asked.searchParams.set('redirect_uri', redirect)
        const { status, text } = await victim.get(await answerOf(asked))
        assert.equal(status, 400, text)
        assert.match(text, /You are not signed in/)
      }
      assert.deepEqual(evil.tokenRequests, [])
      const anna = visitor(service.service)
      const { status, headers } = await anna.get(await answerOf(await begin(anna, 'acme')))
      assert.deepEqual([status, headers.get('location')], [303, '/acme'])
    }
  })
