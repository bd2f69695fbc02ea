import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claims } from '#people/signin/people/groups-claim.ts'
import { allowedBy, identityOf, rightsOf, subjectHash } from '#people/signin/people/person.ts'
import { projectStates } from '#publishing/status.ts'
import type { SigninRules } from '#store/access/signins.ts'
import { startAlteredIssuer } from '../../../support/altered-issuer.ts'
import { golden } from '../../../support/golden.ts'
import { allowIssuer, peopleService } from '../../../support/people-service.ts'
import { resultOf, runCommand, temporaryStore } from '../../../support/temporary-store.ts'
import { type Visitor, visitor } from '../../../support/visitor.ts'

const ISSUER = { issuer: 'https://login.example', isProxy: false, groupsClaim: 'groups' }
const NOBODY = { isEmailVerified: false, groups: [], areGroupsUnreadable: false, isGroupListCut: false }
const REVIEW = '/acme/guide/-/draft/-/changes'
const KATE = 'kate@acme.example'
const issuer = await startAlteredIssuer()
const temporary = await temporaryStore()
const { store, folder } = temporary
await temporary.publishing('acme/guide', { 'guide/pages/index.md': '# Home\n' })
const rules = { domains: [], groups: [{ group: 'team', manage: true as const }] }
await allowIssuer(temporary, issuer.url, { rules, drafts: true })
const service = await peopleService(temporary, { logEmail: true })

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

/* People whom a rule for groups admits, also without a verified address. */

let revision = 0

/** Signs somebody in; each of them is another person at the issuer. */
async function signIn(claims: Readonly<Record<string, unknown>>, sub = `person ${++revision}`): Promise<Visitor> {
  issuer.claims = { sub, groups: ['team'], ...claims }
  const person = visitor(service.service)
  const start = await person.get(`/-/signin?${new URLSearchParams({ workspace: 'acme', return: REVIEW })}`)
  const answered = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  assert.equal((await person.get(answered.headers.get('location') ?? '')).status, 303)
  return person
}

/** Approves a new draft that asks for a reviewer. Returns the reviewers who are still missing. */
async function missingAfter(claims: Readonly<Record<string, unknown>>, reviewer = KATE): Promise<unknown> {
  await temporary.importing('acme', {
    'guide/project.yaml': `publishing:\n  reviewers: ["${reviewer}"]\n`,
    'guide/pages/index.md': `# Draft ${++revision}\n`,
  })
  const person = await signIn(claims)
  const form = Object.fromEntries(
    Array.from((await person.get(REVIEW)).text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g), found =>
      found.slice(1, 3),
    ),
  )
  assert.equal((await person.post(REVIEW, { ...form, do: 'approve', comment: '' })).status, 303)
  return (await projectStates(store, { workspace: 'acme', project: 'guide' }))[0]?.missing
}

for (const [what, claims, isEnough] of [
  ['a verified address', { email: KATE, email_verified: true }, true],
  ['a verified address in capitals', { email: 'KATE@ACME.EXAMPLE', email_verified: true }, true],
  ["an address with Entra's xms_edov", { email: KATE, xms_edov: true }, true],
  ['an address that is not verified', { email: KATE, email_verified: false }, false],
  ['an address that is not verified, but has xms_edov', { email: KATE, email_verified: false, xms_edov: true }, false],
  ['an address without a statement', { email: KATE }, false],
  ['an address with another statement', { email: KATE, email_verified: 'yes' }, false],
  ['a name like the address', { name: KATE, email: 'eve@acme.example', email_verified: true }, false],
  ['a user name like the address', { preferred_username: KATE, upn: KATE, email_verified: true }, false],
  ['an address with a letter like k', { email: '\u212aate@acme.example', email_verified: true }, false],
  ['an address with a dotted capital', { email: 'kate@acme.exam\u0130ple', email_verified: true }, false],
] as const)
  test(`${what} ${isEnough ? 'satisfies' : 'does not satisfy'} the reviewer whom a draft names`, async () => {
    assert.deepEqual(await missingAfter(claims), isEnough ? undefined : [KATE])
  })

test('the address of a named reviewer is written in any letter case, and each other letter counts', async () => {
  const kate = { email: KATE, email_verified: true }
  assert.equal(await missingAfter(kate, 'Kate@ACME.example'), undefined)
  assert.deepEqual(await missingAfter(kate, '\u212aate@acme.example'), ['\u212aate@acme.example'])
})

test('an unverified address is shown as such in lists, names and the log, and `signin end` names its sessions instead', async () => {
  await runCommand(folder, ['signin', 'end', '--all'])
  const manager = await signIn({ name: 'Max', email: 'max@acme.example', email_verified: true }, 'max')
  const kate = await signIn({ name: 'Kate', email: KATE, email_verified: true }, 'kate')
  const mallory = await signIn({ name: 'Mallory', email: KATE }, 'mallory')
  const nameless = await signIn({ email: KATE, email_verified: false }, 'nameless')
  await signIn({ name: KATE, email: 'eve@acme.example', email_verified: true }, 'eve')

  const listed: { id: string; name: string; email: string | null; unverifiedEmail?: string }[] = await resultOf(
    folder,
    ['signin', 'sessions', 'acme'],
  )
  const known = new Map(listed.map(each => [each.name, [each.email, each.unverifiedEmail]]))
  assert.deepEqual(known.get('Kate'), [KATE, undefined])
  assert.deepEqual(known.get('Mallory'), [null, KATE])
  assert.deepEqual(
    listed
      .filter(({ name }) => name === `${KATE} (not verified)`)
      .map(each => each.unverifiedEmail ?? each.email)
      .sort(),
    ['eve@acme.example', KATE],
  )
  const text = (await runCommand(folder, ['signin', 'sessions', 'acme'])).out
  assert.match(text, /kate@acme\.example \(not verified\) {2}Mallory/)
  const page = (await manager.get('/acme/-/manage')).text
  assert.match(page, /<bdi>Mallory<\/bdi><\/strong> <span>[^<]*kate@acme\.example[^<]* \(not verified\)/)
  assert.match(JSON.stringify(service.logged), /"unverifiedEmail":"kate@acme\.example"/)

  const { out, err, exitCode } = await runCommand(folder, ['signin', 'end', 'KATE@acme.example'])
  assert.match(out, /^1 session and 0 connections ended/)
  assert.equal(exitCode, 1)
  for (const { id, unverifiedEmail } of listed) assert.equal(err.includes(id), unverifiedEmail !== undefined, err)
  await service.follow()
  assert.deepEqual(
    [(await kate.get(REVIEW)).status, (await mallory.get(REVIEW)).status, (await nameless.get(REVIEW)).status],
    [404, 200, 200],
  )
  assert.equal((await runCommand(folder, ['signin', 'end', 'm\u0430x@acme.example'])).exitCode, 1)
  assert.equal((await runCommand(folder, ['signin', 'end', '\u212aate@acme.example'])).exitCode, 1)
  assert.equal((await manager.get(REVIEW)).status, 200)
})
