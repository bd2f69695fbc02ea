import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claims } from '#people/signin/people/groups-claim.ts'
import { allowedBy, identityOf, rightsOf, subjectHash } from '#people/signin/people/person.ts'
import type { SigninRules } from '#store/access/signins.ts'
import { golden } from '../../../support/golden.ts'

const ISSUER = { issuer: 'https://login.example', isProxy: false, groupsClaim: 'groups' }
const NOBODY = { isEmailVerified: false, groups: [], areGroupsUnreadable: false, isGroupListCut: false }
golden('signin/identities', ({ claims, source }: { claims: Claims; source?: Partial<typeof ISSUER> }) =>
  identityOf(claims, { ...ISSUER, ...source }),
)

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
golden('signin/admissions', ({ identity }: { identity: object }) => allowedBy(RULES, { ...NOBODY, ...identity }))

const GIVING = [
  { group: 'designers' },
  { group: 'leads', manage: true },
  { group: 'printers', projects: [print], manage: true },
  { group: 'writers', projects: [web], edit: true },
  { group: 'writers', projects: [guide], edit: true },
] as const
type Given = { settings: object; groups: readonly string[]; coverage?: 'all' }

golden('signin/rights', ({ settings, groups, coverage }: Given) => {
  const flags = { drafts: false, manage: false, edit: false, hasOwnRedirect: false, ...settings }
  const given = { way: { clientId: 'guides' }, rules: { ...RULES, groups: GIVING }, ...flags }
  return rightsOf(given, { ...NOBODY, groups }, coverage === 'all' ? {} : { projects: [guide, web, print] })
})

test('without rules for groups, a cut list of groups does not matter', () => {
  const expected = { ok: false, problem: 'not-allowed' }
  assert.deepEqual(allowedBy({ ...RULES, groups: [] }, { ...NOBODY, isGroupListCut: true }), expected)
})
