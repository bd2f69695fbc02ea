import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSignin, type SigninOptions } from '#serving/access/session/signin-options.ts'

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

const NO_ONE =
  'no one could sign in: say who may, with --allow-domain, --allow-email or --allow-group, or --manage-group or --edit-group (each may be repeated)'
const refused: [changes: Partial<SigninOptions>, base: SigninOptions, problem: string | RegExp][] = [
  [{ issuer: undefined }, CLIENT, /^--issuer: name the issuer/],
  [{ issuer: 'http://login.example' }, CLIENT, /^--issuer: "http:\/\/login.example" is not an issuer/],
  [{ issuer: 'https://login.example?x=1' }, CLIENT, /^--issuer: .* is not an issuer/],
  [
    { issuer: 'https://user:se@cr/et#@login.example' },
    CLIENT,
    /^--issuer: "https:\/\/…@login.example" is not an issuer/,
  ],
  [{ issuer: 'https://login.microsoftonline.com/common/v2.0' }, CLIENT, /accounts of any organization/],
  [{ issuer: 'https://login.microsoftonline.com/organizations/v2.0' }, CLIENT, /accounts of any organization/],
  [{ clientId: undefined }, CLIENT, /^--client-id: give the id/],
  [{ clientId: '' }, CLIENT, /^--client-id: give the id/],
  [{ jwks: 'https://login.example/keys' }, CLIENT, /belong to --proxy-header/],
  [{ audience: 'x' }, CLIENT, /belong to --proxy-header/],
  [{ domains: [] }, CLIENT, NO_ONE],
  [{ domains: ['@example.com'] }, CLIENT, '--allow-domain: "@example.com" is not a domain: write example.com'],
  [{ domains: ['com'] }, CLIENT, '--allow-domain: "com" is not a domain: write example.com'],
  [{ managers: [''] }, CLIENT, '--manage-group: give the name of a group'],
  [{ editors: ['=web'] }, CLIENT, '--edit-group: give the name of a group'],
  [{ groups: [''] }, CLIENT, '--allow-group: give the name of a group'],
  [{ domains: [''] }, CLIENT, '--allow-domain: "" is not a domain: write example.com'],
  [{ emails: ['anna'] }, CLIENT, '--allow-email: "anna" is not an address: write anna@example.com'],
  [{ groups: [''] }, CLIENT, '--allow-group: give the name of a group'],
  [{ groups: ['=web'] }, CLIENT, '--allow-group: give the name of a group'],
  [{ groupsClaim: '' }, CLIENT, '--groups-claim: give the name of a claim'],
  [{ domains: [] }, PROXY, NO_ONE],
  [{ clientId: 'guides' }, PROXY, /^--proxy-header needs no client/],
  [{ clientSecret: 'secret' }, PROXY, /^--proxy-header needs no client/],
  [{ proxyHeader: 'Authorization' }, PROXY, /is not a header with a signed JWT/],
  [{ proxyHeader: 'two words' }, PROXY, /is not a header with a signed JWT/],
  [{ jwks: undefined }, PROXY, /^--jwks: give the https address/],
  [{ jwks: 'http://guides.corp.example/keys' }, PROXY, /^--jwks: give the https address/],
  [{ audience: undefined }, PROXY, /^--audience: give the audience/],
]
for (const [changes, base, expected] of refused)
  test(`${base === PROXY ? 'a proxy' : 'a client'} with ${JSON.stringify(changes)} is refused`, () => {
    const parsed = parseSignin({ ...base, ...Object.fromEntries(Object.entries(changes)) })
    assert.ok(!parsed.ok)
    if (typeof expected === 'string') assert.equal(parsed.problem, expected)
    else assert.match(parsed.problem, expected)
  })

function valueFor(options: SigninOptions) {
  const parsed = parseSignin(options)
  assert.ok(parsed.ok, 'it was refused')
  return parsed.value
}
