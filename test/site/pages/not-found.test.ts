import assert from 'node:assert/strict'
import test from 'node:test'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import { allowIssuer, peopleService } from '../../support/people-service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { visitor } from '../../support/visitor.ts'

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="30"><path d="M0 0h9v9z"/></svg>'
const temporary = await temporaryStore()
const theme = 'theme: { logo: brand/logo.svg, accent: "#ffcc00" }'
await temporary.importing('acme', {
  'workspace.yaml': `name: Acme & Sons\ncontact: brand@acme.example\n${theme}\n`,
  'brand/logo.svg': LOGO,
  'plan/project.yaml': 'name: Secret plan\n',
  'plan/pages/index.md': '# Plan\n',
})
await temporary.importing('quiet', { 'plan/pages/index.md': '# Plan\n' })
await temporary.importing('asked', { 'workspace.yaml': 'contact: +1 555\n', 'plan/pages/index.md': '# Plan\n' })
for (const place of ['acme/plan', 'quiet/plan', 'asked/plan']) await temporary.publish(place)
await allowIssuer(temporary, 'https://login.example')
const { service } = await peopleService(temporary)
const nobody = visitor(service)

async function pageAt(path: string, headers: RequestHeaders = {}) {
  const { status, headers: fields, text } = await nobody.get(path, headers)
  return { status, text, fields: [...fields] }
}

test('the page before a guide has the theme, the name and the contact of its workspace, and nothing of a project', async () => {
  const { text } = await pageAt('/acme/plan')
  assert.match(text, /<title>This guide is for people of Acme &#38; Sons<\/title>/)
  assert.match(text, /<h1>This guide is for people of Acme &#38; Sons<\/h1>/)
  assert.match(text, /<a href="mailto:brand@acme\.example">/)
  assert.match(text, /<a class="primary" href="\/-\/signin\?workspace=acme">Sign in<\/a>/)
  assert.doesNotMatch(text, /plan|login\.example/i)
})

test('everyone gets the logo and the accent of a theme, which caches may keep', async () => {
  const { text } = await pageAt('/acme/plan')
  const [, logo = ''] =
    /<img class="logo[^"]*" src="([^"]+)" alt="Acme &#38; Sons" width="120" height="30">/.exec(text) ?? []
  assert.match(logo, /^\/acme\/-\/logo\/[0-9a-f]{16}\/logo\.svg$/)
  const { status, headers: fields } = await nobody.get(logo)
  assert.equal(status, 200)
  const seen = ['content-type', 'cache-control', 'x-content-type-options'].map(name => fields.get(name))
  assert.deepEqual(seen, ['image/svg+xml', 'public, max-age=3600', 'nosniff'])
  assert.match(fields.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
  const [address = ''] = /\/acme\/-\/theme\/[0-9a-f]{16}\.css/.exec(text) ?? []
  const sheet = await nobody.get(address)
  assert.match(sheet.text, /--accent:(?:light-dark\()?#ffcc00/)
  assert.match(sheet.headers.get('cache-control') ?? '', /^public, max-age=/)
  assert.deepEqual(await pageAt(logo.replace(/[0-9a-f]{16}/, '0'.repeat(16))), await pageAt('/acme/plan'))
})

test('a workspace without a theme or an issuer has the page of an unknown one, even if it has a contact', async () => {
  const expected = await pageAt('/unknown/plan')
  assert.match(expected.text, /<h1>There is nothing here<\/h1>/)
  for (const path of ['/quiet', '/quiet/plan', '/quiet/other', '/asked/plan'])
    assert.deepEqual(await pageAt(path), expected)
})

test('the pages of sign-in have the theme of the workspace', async () => {
  for (const path of ['/-/signout?workspace=acme', '/-/signin?workspace=acme'])
    assert.match((await nobody.get(path)).text, /<main id="Content" class="front">/)
})
