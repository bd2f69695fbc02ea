import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claims } from '#people/signin/people/groups-claim.ts'
import { allowedBy, identityOf, rightsOf, subjectHash } from '#people/signin/people/person.ts'
import type { SigninRules } from '#store/access/signins.ts'

const ISSUER = { issuer: 'https://login.example', isProxy: false, groupsClaim: 'groups' }
const GOOGLE = { ...ISSUER, issuer: 'https://accounts.google.com' }
const PROXY = { ...ISSUER, isProxy: true }
const NOBODY = { isEmailVerified: false, groups: [], areGroupsUnreadable: false, isGroupListCut: false }
const anna = (name = 'anna@example.com') => ({ name, email: 'anna@example.com' })

const identities: Record<string, [claims: Claims, identity: object, source?: typeof ISSUER]> = {
  'an address is verified if the issuer says so': [
    { name: 'Anna Lee', email: 'Anna@Example.com', email_verified: true },
    { ...anna('Anna Lee'), isEmailVerified: true },
  ],
  'an address is not verified if the issuer does not say so': [{ email: 'anna@example.com' }, { ...anna() }],
  'an address that the issuer calls unverified is not verified by another claim': [
    { email: 'anna@example.com', email_verified: false, xms_edov: true },
    { ...anna() },
  ],
  'Entra verifies an address with xms_edov': [
    { email: 'anna@example.com', xms_edov: '1' },
    { ...anna(), isEmailVerified: true },
  ],
  'an address of a Google organization is verified': [
    { email: 'anna@example.com', email_verified: true, hd: 'example.com' },
    { ...anna(), isEmailVerified: true },
    GOOGLE,
  ],
  'hd alone does not verify a Google address': [
    { email: 'anna@example.com', hd: 'example.com' },
    { ...anna() },
    GOOGLE,
  ],
  'a private Google account with an address of another domain is not verified': [
    { email: 'anna@example.com', email_verified: true },
    { ...anna() },
    GOOGLE,
  ],
  'a final slash in the address of Google changes nothing': [
    { email: 'anna@example.com', email_verified: true },
    { ...anna() },
    { ...GOOGLE, issuer: 'https://accounts.google.com/' },
  ],
  'a letter that only looks like one of ASCII in lower case remains another letter': [
    { email: 'MAR\u212a@Example.com', email_verified: true },
    { name: 'mar\u212a@example.com', email: 'mar\u212a@example.com', isEmailVerified: true },
  ],
  'a Gmail address is verified': [
    { email: 'anna@gmail.com', email_verified: true },
    { name: 'anna@gmail.com', email: 'anna@gmail.com', isEmailVerified: true },
    GOOGLE,
  ],
  'a proxy vouches for addresses': [{ email: 'anna@example.com' }, { ...anna(), isEmailVerified: true }, PROXY],
  'a proxy may say that an address is not verified': [
    { email: 'anna@example.com', email_verified: 'false' },
    { ...anna() },
    PROXY,
  ],
  'a domain without a name before it is no address': [{ email: 'example.com', email_verified: true }, {}],
  'an address with two at signs is no address': [{ email: 'a@b@example.com', email_verified: true }, {}],
  'an address with a line break is no address': [{ email: 'a\n@example.com', email_verified: true }, {}],
  'a list of addresses is no address': [{ email: ['anna@example.com'], email_verified: true }, {}],
  'groups are the strings of the list': [{ groups: ['a', 1, null, 'b'] }, { groups: ['a', 'b'] }],
  'a single group may be a string': [{ groups: 'a' }, { groups: ['a'] }],
  'the keys of a map are groups': [{ groups: { a: { id: 'x' }, b: true, c: false, d: null } }, { groups: ['a', 'b'] }],
  'a string is one group, and a list of groups': [
    { groups: 'brand team, staff' },
    { groups: ['brand team, staff', 'brand team', 'staff'] },
  ],
  'the claim of groups may be nested': [
    { realm_access: { roles: ['a'] }, groups: ['b'] },
    { groups: ['a'] },
    { ...ISSUER, groupsClaim: 'realm_access.roles' },
  ],
  'groups in another form are unreadable': [{ groups: [{ name: 'a' }] }, { areGroupsUnreadable: true }],
  'a reference to groups elsewhere cuts the list': [
    { _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } },
    { isGroupListCut: true },
  ],
  'hasgroups cuts the list': [{ hasgroups: true }, { isGroupListCut: true }],
  'a reference to other claims does not cut the list': [{ _claim_names: { roles: 'src1' } }, {}],
  'a name is one line without invisible characters': [{ name: '  Anna\u202e\n\u0000Lee ' }, { name: 'Anna Lee' }],
  'without a name, the user name is shown': [{ name: '', preferred_username: 'anna' }, { name: 'anna' }],
  'a long name is cut after 100 characters': [{ name: '😀'.repeat(101) }, { name: '😀'.repeat(100) }],
}
for (const [name, [claims, identity, source = ISSUER]] of Object.entries(identities))
  test(name, () => assert.deepEqual(identityOf(claims, source), { ...NOBODY, ...identity }))

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
    {},
  ],
  'a verified allowed address opens all projects': [{ email: 'ben@partner.example', isEmailVerified: true }, {}],
  'an unverified address of an allowed domain opens nothing': [{ email: 'anna@example.com' }, 'email-unverified'],
  'an unverified allowed address opens nothing': [{ email: 'ben@partner.example' }, 'email-unverified'],
  'a subdomain of an allowed domain is another domain': [
    { email: 'anna@mail.example.com', isEmailVerified: true },
    'not-allowed',
  ],
  'a domain that ends with an allowed one is another domain': [
    { email: 'anna@evilexample.com', isEmailVerified: true },
    'not-allowed',
  ],
  'an allowed domain before the last at sign opens nothing': [
    { email: 'example.com@evil.example', isEmailVerified: true },
    'not-allowed',
  ],
  'no address and no group open nothing': [{ isEmailVerified: true }, 'not-allowed'],
  'a group without projects opens all': [{ groups: ['designers'] }, {}],
  'a group opens its projects': [{ groups: ['agency', 'others'] }, { projects: [guide, web] }],
  'two groups open the projects of both, each once': [
    { groups: ['printers', 'agency'] },
    { projects: [guide, web, print] },
  ],
  'a group that opens all projects counts more than one that opens some': [{ groups: ['agency', 'designers'] }, {}],
  'the name of a group is compared exactly': [{ groups: ['Agency'] }, 'not-allowed'],
  'a group of a person with an unverified address opens its projects': [
    { email: 'anna@example.com', groups: ['agency'] },
    { projects: [guide, web] },
  ],
  'a cut list of groups is refused': [{ isGroupListCut: true }, 'groups-cut'],
  'a cut list of groups does not matter to a person whose address opens everything': [
    { email: 'anna@example.com', isEmailVerified: true, isGroupListCut: true },
    {},
  ],
} as const
for (const [name, [identity, given]] of Object.entries(admissions))
  test(name, () => {
    const expected = typeof given === 'string' ? { ok: false, problem: given } : { ok: true, value: given }
    assert.deepEqual(allowedBy(RULES, { ...NOBODY, ...identity }), expected)
  })

const GIVING = [
  { group: 'designers' },
  { group: 'leads', manage: true },
  { group: 'printers', projects: [print], manage: true },
  { group: 'writers', projects: [web], edit: true },
  { group: 'writers', projects: [guide], edit: true },
] as const
const NONE = { drafts: false, manages: undefined, edits: undefined }
for (const [name, settings, groups, expected] of [
  ['without --drafts, --manage and --edit, a person only sees projects', {}, ['designers'], NONE],
  ['with --manage, a person manages the projects that they see', { manage: true }, [], { drafts: true, manages: {} }],
  ['with --edit, a person edits the projects that they see', { edit: true }, [], { drafts: true, edits: {} }],
  [
    'with --manage and --edit, a person does both',
    { manage: true, edit: true },
    [],
    { drafts: true, manages: {}, edits: {} },
  ],
  ['a group that manages edits nothing', {}, ['leads'], { manages: {} }],
  ['a group that edits manages nothing', {}, ['writers'], { edits: { projects: [web, guide] } }],
  [
    'the groups of each right count apart',
    {},
    ['printers', 'writers', 'designers'],
    { manages: { projects: [print] }, edits: { projects: [web, guide] } },
  ],
] as const)
  test(name, () => {
    const flags = { drafts: false, manage: false, edit: false, hasOwnRedirect: false, ...settings }
    const given = { way: { clientId: 'guides' }, rules: { ...RULES, groups: GIVING }, ...flags }
    const seen = { projects: [guide, web, print] }
    const coverage = Object.values(expected).some(right => right && Object.keys(right).length === 0) ? {} : seen
    const rights = rightsOf(given, { ...NOBODY, groups }, coverage)
    assert.deepEqual(rights, { projects: undefined, ...NONE, ...coverage, ...expected })
  })

test('without rules for groups, a cut list of groups does not matter', () => {
  const expected = { ok: false, problem: 'not-allowed' }
  assert.deepEqual(allowedBy({ ...RULES, groups: [] }, { ...NOBODY, isGroupListCut: true }), expected)
})
