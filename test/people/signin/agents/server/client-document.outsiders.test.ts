import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REDIRECT } from '#test/support/agent-program.ts'
import { authorization, redirectOf } from '#test/support/authorization.ts'
import { makeCertificate, OPENSSL, secureServer, trustCertificate } from '#test/support/certificate.ts'
import { testService, URL_OF_SERVICE } from '#test/support/service.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { visitor } from '#test/support/visitor.ts'

const { skip } = OPENSSL
const temporary = await temporaryStore()
const settings = { outgoingAllow: [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' } as const] }
const ELSEWHERE = ['https://evil.example/login', 'com.example.evil:/back']

/** Publishes the metadata of a program of an outsider, whose id may begin with another spelling of `https`. */
async function publish(scheme = 'https') {
  const certificate = await makeCertificate('IP:127.0.0.1')
  trustCertificate(certificate)
  const port = await secureServer(certificate, (_request, reply) => {
    reply.end(JSON.stringify({ client_id: clientId, client_name: 'Notebook', redirect_uris: [REDIRECT, ...ELSEWHERE] }))
  })
  const clientId = `${scheme}://127.0.0.1:${port}/program.json`
  return { clientId, redirectUri: REDIRECT, resource: `${URL_OF_SERVICE}/mcp` }
}

test('before a person decides, no link redirects to a program that anyone published', { skip }, async () => {
  const { service } = await testService(temporary, settings)
  const program = await publish()
  for (const redirectUri of ELSEWHERE)
    for (const change of [
      '&prompt=none',
      '&resource=https://elsewhere.example',
      '&state=twice',
      '&response_type=token',
    ]) {
      const { status, headers, text } = await visitor(service).get(
        authorization({ ...program, redirectUri }).target + change,
      )
      assert.deepEqual([status, headers.get('location')], [400, null], change)
      assert.match(text, /This program cannot be connected/)
      assert.doesNotMatch(text, /<code>unknown/)
    }
  const wrong = await visitor(service).get(`${authorization(program).target}&prompt=none`)
  assert.match(redirectOf(wrong), /^http:\/\/127\.0\.0\.1\/callback\?error=consent_required/)
  const right = await visitor(service).get(authorization({ ...program, redirectUri: ELSEWHERE[0] ?? '' }).target)
  assert.match(redirectOf(right), /\/oauth\/consent\//)
})

test('a program of an outsider cannot appear as one that the operator registered', { skip }, async () => {
  const { service } = await testService(temporary, settings)
  const browser = visitor(service)
  const { status, text } = await browser.get(authorization(await publish('HTTPS')).target)
  assert.equal(status, 400, text)
})
