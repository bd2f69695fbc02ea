import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRedirectPath, redirectPath } from '../../../src/signin/people/redirect-path.ts'
import { type AlteredIssuer, startAlteredIssuer } from '../../support/altered-issuer.ts'
import { allowIssuer, peopleService, type Visitor, visitor } from '../../support/people-service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const UNNAMED = { authorization_response_iss_parameter_supported: undefined }

test('an issuer that does not name itself, and is not the first, has its own path, the same for each spelling', () => {
  const pathOf = (issuer: string, hasOwnRedirect = true) => redirectPath({ issuer, hasOwnRedirect }, {})
  const own = pathOf('https://one.example')
  assert.match(own, /^\/-\/signed-in\/[\w-]{16}$/)
  assert.equal(pathOf('https://one.example/'), own)
  assert.notEqual(pathOf('https://two.example'), own)
  assert.equal(pathOf('https://one.example', false), '/-/signed-in')
  const named = { authorization_response_iss_parameter_supported: true }
  assert.equal(redirectPath({ issuer: 'https://one.example', hasOwnRedirect: true }, named), '/-/signed-in')
  assert.deepEqual([own, '/-/signed-in', '/-/signed-in/', `${own}/x`, '/-/signed-in/short'].map(isRedirectPath), [
    true,
    true,
    false,
    false,
    false,
  ])
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
      const asked = await begin(visitor(service), 'acme')
      // Only the address of the first issuer may be registered at both.
      const usual = order === 'after' ? ['http://127.0.0.1:9/-/signed-in'] : []
      for (const redirect of [asked.searchParams.get('redirect_uri') ?? '', ...usual]) {
        const victim = visitor(service)
        asked.searchParams.set('state', (await begin(victim, 'evil')).searchParams.get('state') ?? '')
        asked.searchParams.set('redirect_uri', redirect)
        const { status, text } = await victim.get(await answerOf(asked))
        assert.equal(status, 400, text)
        assert.match(text, /You are not signed in/)
      }
      assert.deepEqual(evil.tokenRequests, [])
      const anna = visitor(service)
      const { status, headers } = await anna.get(await answerOf(await begin(anna, 'acme')))
      assert.deepEqual([status, headers.get('location')], [303, '/acme'])
    }
  })
