import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claims } from '#people/signin/people/groups-claim.ts'
import { allowedBy, identityOf, subjectHash } from '#people/signin/people/person.ts'
import type { SigninRules } from '#store/access/signins.ts'

const ISSUER = { issuer: 'https://login.example', isProxy: false, groupsClaim: 'groups' }
const GOOGLE = { ...ISSUER, issuer: 'https://accounts.google.com' }
const PROXY = { ...ISSUER, isProxy: true }
const NOBODY = { isEmailVerified: false, groups: [], areGroupsUnreadable: false, isGroupListCut: false }
const anna = (name = 'anna@example.com') => ({ name, email: 'anna@example.com' })

const identities: Record<string, [source: typeof ISSUER, claims: Claims, identity: object]> = {
  'an address is verified if the issuer says so': [
    ISSUER,
    { name: 'Anna Lee', email: 'Anna@Example.com', email_verified: true },
    { ...NOBODY, ...anna('Anna Lee'), isEmailVerified: true },
  ],
  'an address is not verified if the issuer does not say so': [
    ISSUER,
    { email: 'anna@example.com' },
    { ...NOBODY, ...anna() },
  ],
  'an address that the issuer calls unverified is not verified by another claim': [
    ISSUER,
    { email: 'anna@example.com', email_verified: false, xms_edov: true },
    { ...NOBODY, ...anna() },
  ],
  'Entra verifies an address with xms_edov': [
    ISSUER,
    { email: 'anna@example.com', xms_edov: '1' },
    { ...NOBODY, ...anna(), isEmailVerified: true },
  ],
  'an address of a Google organization is verified': [
    GOOGLE,
    { email: 'anna@example.com', email_verified: true, hd: 'example.com' },
    { ...NOBODY, ...anna(), isEmailVerified: true },
  ],
  'hd alone does not verify a Google address': [
    GOOGLE,
    { email: 'anna@example.com', hd: 'example.com' },
    { ...NOBODY, ...anna() },
  ],
  'a private Google account with an address of another domain is not verified': [
    GOOGLE,
    { email: 'anna@example.com', email_verified: true },
    { ...NOBODY, ...anna() },
  ],
  'a final slash in the address of Google changes nothing': [
    { ...GOOGLE, issuer: 'https://accounts.google.com/' },
    { email: 'anna@example.com', email_verified: true },
    { ...NOBODY, ...anna() },
  ],
  'a letter that only looks like one of ASCII in lower case remains another letter': [
    ISSUER,
    { email: 'MAR\u212a@Example.com', email_verified: true },
    { ...NOBODY, name: 'mar\u212a@example.com', email: 'mar\u212a@example.com', isEmailVerified: true },
  ],
  'a Gmail address is verified': [
    GOOGLE,
    { email: 'anna@gmail.com', email_verified: true },
    { ...NOBODY, name: 'anna@gmail.com', email: 'anna@gmail.com', isEmailVerified: true },
  ],
  'a proxy vouches for addresses': [
    PROXY,
    { email: 'anna@example.com' },
    { ...NOBODY, ...anna(), isEmailVerified: true },
  ],
  'a proxy may say that an address is not verified': [
    PROXY,
    { email: 'anna@example.com', email_verified: 'false' },
    { ...NOBODY, ...anna() },
  ],
  'a domain without a name before it is no address': [ISSUER, { email: 'example.com', email_verified: true }, NOBODY],
  'an address with two at signs is no address': [ISSUER, { email: 'a@b@example.com', email_verified: true }, NOBODY],
  'an address with a line break is no address': [ISSUER, { email: 'a\n@example.com', email_verified: true }, NOBODY],
  'a list of addresses is no address': [ISSUER, { email: ['anna@example.com'], email_verified: true }, NOBODY],
  'groups are the strings of the list': [ISSUER, { groups: ['a', 1, null, 'b'] }, { ...NOBODY, groups: ['a', 'b'] }],
  'a single group may be a string': [ISSUER, { groups: 'a' }, { ...NOBODY, groups: ['a'] }],
  'the keys of a map are groups': [
    ISSUER,
    { groups: { a: { id: 'x' }, b: true, c: false, d: null } },
    { ...NOBODY, groups: ['a', 'b'] },
  ],
  'a string is one group, and a list of groups': [
    ISSUER,
    { groups: 'brand team, staff' },
    { ...NOBODY, groups: ['brand team, staff', 'brand team', 'staff'] },
  ],
  'the claim of groups may be nested': [
    { ...ISSUER, groupsClaim: 'realm_access.roles' },
    { realm_access: { roles: ['a'] }, groups: ['b'] },
    { ...NOBODY, groups: ['a'] },
  ],
  'groups in another form are unreadable': [
    ISSUER,
    { groups: [{ name: 'a' }] },
    { ...NOBODY, areGroupsUnreadable: true },
  ],
  'a reference to groups elsewhere cuts the list': [
    ISSUER,
    { _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } },
    { ...NOBODY, isGroupListCut: true },
  ],
  'hasgroups cuts the list': [ISSUER, { hasgroups: true }, { ...NOBODY, isGroupListCut: true }],
  'a reference to other claims does not cut the list': [ISSUER, { _claim_names: { roles: 'src1' } }, NOBODY],
  'a name is one line without invisible characters': [
    ISSUER,
    { name: '  Anna\u202e\n\u0000Lee ' },
    { ...NOBODY, name: 'Anna Lee' },
  ],
  'without a name, the user name is shown': [
    ISSUER,
    { name: '', preferred_username: 'anna' },
    { ...NOBODY, name: 'anna' },
  ],
  'a long name is cut after 100 characters': [
    ISSUER,
    { name: '😀'.repeat(101) },
    { ...NOBODY, name: '😀'.repeat(100) },
  ],
}
for (const [name, [source, claims, expected]] of Object.entries(identities))
  test(name, () => assert.deepEqual(identityOf(claims, source), expected))

test('the hash of a person depends on issuer, name and store', () => {
  const [key, other] = [Buffer.from('one'), Buffer.from('other')]
  const hashes = [
    subjectHash('https://a', 'b', key),
    subjectHash('https://a', 'c', key),
    subjectHash('https://b', 'b', key),
    subjectHash('https://a', 'b', other),
  ]
  assert.equal(new Set(hashes).size, 4)
  assert.equal(subjectHash('https://a', 'b', key), hashes[0])
})

const [guide, web, print] = ['guide', 'web', 'print'].map(project => ({ project, instance: `${project}1` }))
assert.ok(guide && web && print)
const RULES: SigninRules = {
  domains: ['example.com'],
  emails: ['ben@partner.example'],
  groups: [
    { group: 'designers' },
    { group: 'agency', projects: [guide, web] },
    { group: 'printers', projects: [web, print] },
  ],
  groupsClaim: 'groups',
}
const admissions = {
  'a verified address of an allowed domain opens all projects': [
    { email: 'anna@example.com', isEmailVerified: true },
    { ok: true, value: {} },
  ],
  'a verified allowed address opens all projects': [
    { email: 'ben@partner.example', isEmailVerified: true },
    { ok: true, value: {} },
  ],
  'an unverified address of an allowed domain opens nothing': [
    { email: 'anna@example.com' },
    { ok: false, problem: 'email-unverified' },
  ],
  'an unverified allowed address opens nothing': [
    { email: 'ben@partner.example' },
    { ok: false, problem: 'email-unverified' },
  ],
  'a subdomain of an allowed domain is another domain': [
    { email: 'anna@mail.example.com', isEmailVerified: true },
    { ok: false, problem: 'not-allowed' },
  ],
  'a domain that ends with an allowed one is another domain': [
    { email: 'anna@evilexample.com', isEmailVerified: true },
    { ok: false, problem: 'not-allowed' },
  ],
  'an allowed domain before the last at sign opens nothing': [
    { email: 'example.com@evil.example', isEmailVerified: true },
    { ok: false, problem: 'not-allowed' },
  ],
  'no address and no group open nothing': [{ isEmailVerified: true }, { ok: false, problem: 'not-allowed' }],
  'a group without projects opens all': [{ groups: ['designers'] }, { ok: true, value: {} }],
  'a group opens its projects': [{ groups: ['agency', 'others'] }, { ok: true, value: { projects: [guide, web] } }],
  'two groups open the projects of both, each once': [
    { groups: ['printers', 'agency'] },
    { ok: true, value: { projects: [guide, web, print] } },
  ],
  'a group that opens all projects counts more than one that opens some': [
    { groups: ['agency', 'designers'] },
    { ok: true, value: {} },
  ],
  'the name of a group is compared exactly': [{ groups: ['Agency'] }, { ok: false, problem: 'not-allowed' }],
  'a group of a person with an unverified address opens its projects': [
    { email: 'anna@example.com', groups: ['agency'] },
    { ok: true, value: { projects: [guide, web] } },
  ],
  'a cut list of groups is refused': [{ isGroupListCut: true }, { ok: false, problem: 'groups-cut' }],
  'a cut list of groups does not matter to a person whose address opens everything': [
    { email: 'anna@example.com', isEmailVerified: true, isGroupListCut: true },
    { ok: true, value: {} },
  ],
} as const
for (const [name, [identity, expected]] of Object.entries(admissions))
  test(name, () => assert.deepEqual(allowedBy(RULES, { ...NOBODY, ...identity }), expected))

test('without rules for groups, a cut list of groups does not matter', () => {
  const expected = { ok: false, problem: 'not-allowed' }
  assert.deepEqual(allowedBy({ ...RULES, groups: [] }, { ...NOBODY, isGroupListCut: true }), expected)
})
