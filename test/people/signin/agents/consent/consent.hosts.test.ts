import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { send } from '../../../../support/agent-client.ts'
import { privateGuide, shareLink } from '../../../../support/agent-program.ts'
import { authorization, postForm, proofIn, redirectOf, tokenRequest } from '../../../../support/authorization.ts'
import { testService } from '../../../../support/service.ts'
import { addHosts } from '../../../../support/temporary-store.ts'
import { visitor } from '../../../../support/visitor.ts'

const { temporary, store, program } = await privateGuide({})
await addHosts(temporary, { 'guide.test': 'acme/guidelines', 'all.test': 'acme' })
const resource = 'http://guide.test/-/mcp'

for (const named of [resource, 'HTTP://Guide.TEST:80/-/mcp'])
  test(`a program connects to ${named}, and its person decides at the public URL`, async () => {
    const { service } = await testService(temporary)
    const browser = visitor(service)
    const link = new URL((await shareLink(store)).path, 'http://brand.test').pathname.replace('/acme/guidelines', '')
    const { target, verifier } = authorization({ ...program, resource: named })
    const consent = redirectOf(await browser.get(target))
    assert.match(consent, /^http:\/\/brand\.test\/acme\/guidelines\/-\/consent\//)
    // A link that was opened at the host opens nothing here.
    const closed = await browser.get(consent)
    const opened = await browser.post(consent, {
      action: 'open',
      place: `http://guide.test${link}`,
      proof: proofIn(closed),
    })
    const page = await browser.get(redirectOf(opened))
    const decided = await browser.post(consent, { action: 'allow', proof: proofIn(page) })
    const code = new URL(redirectOf(await browser.get(redirectOf(decided)))).searchParams.get('code') ?? ''
    const { body } = await postForm(
      service,
      '/oauth/token',
      tokenRequest({ ...program, resource: named }, { code, verifier }),
    )
    assert.equal(body.resource, resource)
    assert.deepEqual(decodeJwt(body.access_token).aud, [store.identity.urn, resource])
    const at: typeof service = request => service({ ...request, headers: { ...request.headers, host: 'guide.test' } })
    const sent = { method: 'tools/list', token: body.access_token, revision: '2025-11-25' } as const
    assert.equal((await send(at, '/-/mcp', sent)).status, 200)
  })

test('a person enters the first page of a host as the address of its guide or workspace, in any case', async () => {
  const { service } = await testService(temporary)
  const browser = visitor(service)
  const enter = async (place: string) => {
    const { target } = authorization({ ...program, resource: 'http://brand.test/mcp' })
    const consent = redirectOf(await browser.get(target))
    return browser.post(consent, { action: 'open', place, proof: proofIn(await browser.get(consent)) })
  }
  for (const place of [
    'http://guide.test',
    'http://guide.test/',
    'HTTP://Guide.test/logo?a=b',
    'http://all.test/guidelines',
  ])
    assert.match(redirectOf(await enter(place)), /^http:\/\/brand\.test\/acme\/guidelines\/-\/consent\//, place)
  for (const place of ['http://all.test', 'http://ALL.test/'])
    assert.match(redirectOf(await enter(place)), /\/oauth\/consent\/[\w-]+\?workspace=acme$/, place)
  assert.equal((await enter('http://unknown.test/')).status, 200)
})

test('the host of a guide has no consent page, and leads to the public URL', async () => {
  const { ask } = await testService(temporary)
  const { status, headers } = await ask('/-/consent/abc', { headers: { host: 'guide.test' } })
  assert.deepEqual([status, headers.get('location')], [307, 'http://brand.test/acme/guidelines/-/consent/abc'])
})
