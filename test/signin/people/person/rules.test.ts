import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedBy } from '../../../../src/signin/people/person/rules.ts'
import type { SigninRules } from '../../../../src/store/access/signins.ts'

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
const NOBODY = { isEmailVerified: false, groups: [], isGroupListCut: false }

const cases = {
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
for (const [name, [identity, expected]] of Object.entries(cases))
  test(name, () => assert.deepEqual(allowedBy(RULES, { ...NOBODY, ...identity }), expected))

test('without rules for groups, a cut list of groups does not matter', () => {
  const expected = { ok: false, problem: 'not-allowed' }
  assert.deepEqual(allowedBy({ ...RULES, groups: [] }, { ...NOBODY, isGroupListCut: true }), expected)
})
