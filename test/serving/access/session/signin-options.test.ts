import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSignin, type SigninOptions } from '#serving/access/session/signin-options.ts'
import { golden } from '../../../support/golden.ts'

const CLIENT: SigninOptions = {
  workspace: 'acme',
  issuer: 'https://login.example/tenant/v2.0',
  clientId: 'guides',
  clientSecret: undefined,
  proxyHeader: undefined,
  jwks: undefined,
  audience: undefined,
  domains: ['Example.com'],
  emails: [],
  groups: [],
  groupsClaim: 'groups',
  managers: [],
  editors: [],
  drafts: false,
  manage: false,
  edit: false,
}
const PROXY: SigninOptions = {
  ...CLIENT,
  issuer: 'authenticate.corp.example',
  clientId: undefined,
  proxyHeader: 'X-Pomerium-Jwt-Assertion',
  jwks: 'https://guides.corp.example/.well-known/pomerium/jwks.json',
  audience: 'guides.corp.example',
}

test('an issuer with a client has rules in lower case, and groups with or without projects and a right', () => {
  const groups = ['designers', 'agency=web,print', 'cn=staff,dc=example=']
  const [managers, editors] = [['leads'], ['leads', 'writers=web']]
  const options = { ...CLIENT, emails: [' Ben@Partner.example '], groups, managers, editors }
  const { clientSecret, ...parsed } = valueFor(options)
  assert.equal(clientSecret, undefined)
  assert.deepEqual(parsed, {
    workspace: 'acme',
    name: undefined,
    issuer: 'https://login.example/tenant/v2.0',
    way: { clientId: 'guides' },
    rules: {
      domains: ['example.com'],
      emails: ['ben@partner.example'],
      groups: [
        { group: 'designers' },
        { group: 'agency', projects: ['web', 'print'] },
        { group: 'cn=staff,dc=example' },
        { group: 'leads', manage: true },
        { group: 'leads', edit: true },
        { group: 'writers', projects: ['web'], edit: true },
      ],
      groupsClaim: 'groups',
    },
    drafts: false,
    manage: false,
    edit: false,
  })
})

test('an issuer on this machine may use http', () => {
  const seen = valueFor({ ...CLIENT, issuer: 'http://127.0.0.1:8080/realms/acme' }).issuer
  assert.equal(seen, 'http://127.0.0.1:8080/realms/acme')
})

test('the scheme of an issuer may be in upper case, and is kept in lower case, as tokens name it', () => {
  assert.equal(valueFor({ ...CLIENT, issuer: 'HTTPS://login.example/A' }).issuer, 'https://login.example/A')
  assert.equal(valueFor({ ...PROXY, issuer: 'Https://acme.access.example' }).issuer, 'https://acme.access.example')
})

test('a proxy has a header in lower case, and its issuer may be any name', () => {
  const { issuer, way } = valueFor(PROXY)
  assert.equal(issuer, 'authenticate.corp.example')
  assert.deepEqual(way, {
    proxy: {
      header: 'x-pomerium-jwt-assertion',
      jwks: 'https://guides.corp.example/.well-known/pomerium/jwks.json',
      audience: 'guides.corp.example',
    },
  })
})

/** Changes of the options above; null for an absent one. */
golden('access/signin-options', ({ way, changes }: { way: 'client' | 'proxy'; changes: object }) => {
  const entries = Object.entries(changes).map(([name, value]) => [name, value ?? undefined])
  const parsed = parseSignin({ ...(way === 'proxy' ? PROXY : CLIENT), ...Object.fromEntries(entries) })
  return parsed.ok ? 'fine' : parsed.problem
})

function valueFor(options: SigninOptions) {
  const parsed = parseSignin(options)
  assert.ok(parsed.ok, 'it was refused')
  return parsed.value
}
