import assert from 'node:assert/strict'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { publishEvery } from '#publishing/publish.ts'
import { type ProjectState, projectStates } from '#publishing/status.ts'
import {
  allowIssuer,
  formOf,
  hiddenFields,
  PEOPLE_URL,
  peopleService,
  sessionCookie,
  shownAfter,
} from '../../support/people-service.ts'
import type { TestService } from '../../support/service.ts'
import { publishedStore, resultOf, runCommand, type TemporaryStore } from '../../support/temporary-store.ts'

const REVIEW = '/acme/guide/-/draft/-/changes'
const MANAGE = '/acme/guide/-/manage'

/** A service of a store with two published projects; the first has a draft that differs. */
async function setup() {
  const temporary = await publishedStore('acme/guide', {
    'workspace.yaml': 'name: Acme\n',
    'guide/pages/index.md': '# One\n',
    'other/pages/index.md': '# Other\n',
  })
  await temporary.publish('acme/other')
  await temporary.importing('acme', { 'guide/pages/index.md': '# Two\n' })
  return { temporary, service: await peopleService(temporary) }
}

const stateOf = async ({ store }: TemporaryStore): Promise<ProjectState> =>
  (await projectStates(store, { workspace: 'acme', project: 'guide' }))[0] ?? assert.fail()

const approvedOf = async (temporary: TemporaryStore) => (await stateOf(temporary)).approved

/** Opens a page in a browser with a cookie, and presses a button later. */
async function open({ ask }: TestService, cookie: string, path: string) {
  const { text, status } = await ask(path, { headers: { cookie } })
  const press = (action: string, entered: Readonly<Record<string, string>> = {}) =>
    ask(path, formOf({ ...hiddenFields(text, action), ...entered }, { cookie, 'sec-fetch-site': 'same-origin' }))
  return { text, status, press }
}

const answer = async (service: TestService, cookie: string, action: 'approve' | 'ask') =>
  (await (await open(service, cookie, REVIEW)).press(action, { comment: action === 'ask' ? 'Larger, please' : '' }))
    .status

/** A manager makes a link to the draft in the browser. Returns its cookie in the browser of its reader. */
async function linkOf(service: TestService, manager: string, name: string) {
  const page = await open(service, manager, `${MANAGE}/links`)
  const made = await page.press('share', { of: 'draft', mayApprove: 'on', name, expires: '7d' })
  const path =
    new RegExp(`${PEOPLE_URL}(/acme/guide/-/draft/-/share/[\\w-]+)`).exec(
      await shownAfter(service, manager, made),
    )?.[1] ?? ''
  const { headers } = await service.ask(path)
  return { path, cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

for (const [what, contents] of [
  ['the visibility', { 'guide/project.yaml': 'visibility: public\n' }],
  ['served revisions', { 'guide/project.yaml': 'revisions: served\n' }],
  ['the order of pages', { 'guide/project.yaml': 'pages: [z, index]\n', 'guide/pages/z.md': '# Z\n' }],
  ['the contact', { 'guide/project.yaml': 'contact: brand@acme.example\n' }],
  ['the language', { 'guide/project.yaml': 'lang: de\n' }],
  ['the name of the workspace', { 'workspace.yaml': 'name: Other\n' }],
  ['the contact of the workspace', { 'workspace.yaml': 'name: Acme\ncontact: brand@acme.example\n' }],
  ['the theme of the workspace', { 'workspace.yaml': 'name: Acme\ntheme: { accent: "#c8102e" }\n' }],
] as const)
  test(`a change of ${what} makes approvals and opened forms old, and returning to the earlier state does not`, async () => {
    const { temporary, service } = await setup()
    const ann = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true, subject: 'ann' })
    assert.equal(await answer(service, ann, 'approve'), 303)
    const opened = await open(service, ann, REVIEW)
    await temporary.importing('acme', contents)
    const { approved, reviews } = await stateOf(temporary)
    assert.deepEqual([approved, reviews.map(({ old }) => old)], [false, [true]])
    const refused = await runCommand(temporary.folder, ['publish', 'acme/guide', '--approved'])
    assert.equal(refused.exitCode, 1)
    const stale = await opened.press('approve')
    assert.deepEqual([stale.status, await approvedOf(temporary)], [409, false])
    assert.equal(await answer(service, ann, 'approve'), 303)
    assert.equal(await approvedOf(temporary), true)
    assert.equal((await runCommand(temporary.folder, ['publish', 'acme/guide', '--approved'])).exitCode, 0)
    assert.equal(await approvedOf(temporary), true)
  })

test('an approval of a public draft does not count for the same content as private, nor the reverse', async () => {
  const { temporary, service } = await setup()
  const ann = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true, subject: 'ann' })
  const visibility = (value: string) => temporary.importing('acme', { 'guide/project.yaml': `visibility: ${value}\n` })
  await visibility('public')
  const page = await open(service, ann, REVIEW)
  assert.match(page.text, /Publishing makes this guide public/)
  assert.equal((await page.press('approve')).status, 303)
  await visibility('private')
  assert.equal(await approvedOf(temporary), false)
  await visibility('public')
  assert.equal(await approvedOf(temporary), true)
  await temporary.publish('acme/guide')
  await visibility('private')
  const back = await open(service, ann, REVIEW)
  assert.match(back.text, /Publishing makes this guide private/)
})

test('readers of a draft read which settings differ, and that the order of pages does', async () => {
  const { temporary, service } = await setup()
  await temporary.importing('acme', { 'guide/pages/a.md': '# A\n' })
  await temporary.publish('acme/guide')
  await temporary.importing('acme', { 'guide/project.yaml': 'pages: [a, index]\nlang: fr\nrevisions: served\n' })
  const ann = await sessionCookie(temporary, 'acme', { drafts: true, manages: ['guide'] })
  for (const path of [REVIEW, MANAGE]) {
    const codes = [...(await open(service, ann, path)).text.matchAll(/<code dir="ltr">(\w+)<\/code>/g)]
    const names = codes.map(([, name]) => name)
    assert.deepEqual(names, ['pages', 'lang', 'revisions'], path)
  }
})

test('changes of workspace.yaml are shown, and published by people who manage all projects, or on the command line', async () => {
  const { temporary, service } = await setup()
  await temporary.importing('acme', { 'workspace.yaml': 'name: Nova\ntheme: { accent: "#c8102e" }\n' })
  const changes = async () => (await stateOf(temporary)).workspaceChanges ?? []
  assert.deepEqual(await changes(), ['name', 'theme'])
  const [other] = await resultOf(temporary.folder, ['status', 'acme/other'])
  assert.deepEqual(other.workspaceChanges, ['name', 'theme'])
  const served = async () => (await service.ask('/acme/guide', { headers: { cookie: half } })).text
  const half = await sessionCookie(temporary, 'acme', { name: 'Ben', manages: ['guide'], subject: 'ben' })
  const page = await open(service, half, MANAGE)
  assert.match(
    page.text,
    /<code dir="ltr">name<\/code><\/dt>\s*<dd>Before: <bdi>Acme<\/bdi><\/dd>\s*<dd>After: <bdi>Nova/,
  )
  assert.match(page.text, /theme\.accent.*you do not manage all guides of the workspace/s)
  assert.match((await open(service, half, REVIEW)).text, /theme\.accent/)
  assert.equal((await page.press('publish')).status, 303)
  assert.deepEqual(await changes(), ['name', 'theme'])
  assert.doesNotMatch(await served(), /Nova/)
  const all = await sessionCookie(temporary, 'acme', { name: 'Ada', manages: 'all', subject: 'ada' })
  const again = await open(service, all, MANAGE)
  assert.equal((await again.press('publish')).status, 303)
  assert.deepEqual(await changes(), [])
  assert.match(await served(), /Nova/)
  const lines = service.logged.flatMap(line => ('event' in line && line.event === 'published' ? [line] : []))
  const seen = lines.map(line => ('workspaceChanges' in line ? line.workspaceChanges : []))
  assert.deepEqual(seen, [[], ['name', 'theme']])
  await temporary.importing('acme', { 'workspace.yaml': 'name: Third\n' })
  const log = { HOUSESTYLE_LOG: 'info' }
  const { exitCode, out, err } = await runCommand(temporary.folder, ['publish', 'acme/other', '--json'], log)
  assert.deepEqual([exitCode, JSON.parse(out)[0].workspaceChanges], [0, ['name', 'theme']])
  assert.match(err, /"event":"published".*"workspaceChanges":\["name","theme"\]/)
  assert.deepEqual(await changes(), [])
})

test('a form that was opened before a change of workspace.yaml publishes nothing', async () => {
  const { temporary, service } = await setup()
  const all = await sessionCookie(temporary, 'acme', { manages: 'all' })
  const page = await open(service, all, MANAGE)
  await temporary.importing('acme', { 'workspace.yaml': 'name: Nova\n' })
  assert.equal((await page.press('publish')).status, 409)
  assert.deepEqual((await stateOf(temporary)).workspaceChanges, ['name'])
})

test('an automatic publication of an approved draft leaves a workspace with several projects as it is', async () => {
  const { temporary, service } = await setup()
  await temporary.importing('acme', { 'workspace.yaml': 'name: Nova\n' })
  const ann = await sessionCookie(temporary, 'acme', { name: 'Ann', drafts: true })
  assert.equal(await answer(service, ann, 'approve'), 303)
  const options = { approvers: 'signed-in' } as const
  const { published } = unwrap(await publishEvery(temporary.store, options, new Date()))
  const projects = published.map(({ project }) => project)
  assert.deepEqual(projects, ['guide'])
  assert.deepEqual((await stateOf(temporary)).workspaceChanges, ['name'])
})

test('an answer through a link says so and who made the link, and counts until the link ends', async () => {
  const { temporary, service } = await setup()
  const ada = await sessionCookie(temporary, 'acme', { name: 'Ada', manages: ['guide'], subject: 'ada' })
  const link = await linkOf(service, ada, 'Ben')
  assert.equal(await answer(service, link.cookie, 'approve'), 303)
  const { approved, reviews } = await stateOf(temporary)
  const seen = [approved, reviews.map(({ at: _, ...each }) => each)]
  assert.deepEqual(seen, [true, [{ answer: 'approve', who: 'Ben', comment: null, old: false, link: true, by: 'Ada' }]])
  const { text } = await open(service, ada, MANAGE)
  const links = await open(service, ada, `${MANAGE}/links`)
  assert.match(text, /Approved by <bdi>Ben<\/bdi> \(through a link made by <bdi>Ada<\/bdi>\)/)
  assert.match(links.text, /made by Ada/)
  const [listed] = await resultOf(temporary.folder, ['share', 'list', 'acme/guide'])
  assert.equal(listed.by, 'Ada')
  const { out } = await runCommand(temporary.folder, ['status', 'acme/guide'])
  assert.match(out, /approved by Ben \(link made by Ada\)/)
  await resultOf(temporary.folder, ['share', 'revoke', listed.id])
  const after = await stateOf(temporary)
  assert.deepEqual([after.approved, after.reviews[0]?.ended], [false, true])
  assert.equal((await runCommand(temporary.folder, ['publish', 'acme/guide', '--approved'])).exitCode, 1)
})

test('a request through a link that has ended blocks nothing', async () => {
  const { temporary, service } = await setup()
  const ada = await sessionCookie(temporary, 'acme', { name: 'Ada', manages: ['guide'], subject: 'ada' })
  const link = await linkOf(service, ada, 'Nord')
  assert.equal(await answer(service, link.cookie, 'ask'), 303)
  assert.equal(await answer(service, ada, 'approve'), 303)
  assert.equal(await approvedOf(temporary), false)
  const { database } = temporary.store
  await database.transaction(queries => queries.run('UPDATE share SET expires_at = ?', Date.now() - 1))
  assert.equal(await approvedOf(temporary), true)
})

test('a manager dismisses a request for changes, which is audited, and only as long as it is the latest answer', async () => {
  const { temporary, service } = await setup()
  const ada = await sessionCookie(temporary, 'acme', { name: 'Ada', manages: ['guide'], subject: 'ada' })
  const ben = await sessionCookie(temporary, 'acme', { name: 'Ben', drafts: true, subject: 'ben' })
  assert.equal(await answer(service, ada, 'approve'), 303)
  assert.equal(await answer(service, ben, 'ask'), 303)
  const earlier = await open(service, ada, MANAGE)
  assert.equal(await answer(service, ben, 'ask'), 303)
  assert.equal((await earlier.press('dismiss')).status, 409)
  assert.equal(await approvedOf(temporary), false)
  const dismissed = await (await open(service, ada, MANAGE)).press('dismiss')
  assert.deepEqual([dismissed.status, dismissed.headers.get('location')], [303, `${MANAGE}?done=dismiss`])
  const { approved, reviews } = await stateOf(temporary)
  assert.deepEqual(
    [approved, reviews.map(({ who, dismissed }) => [who, dismissed])],
    [
      true,
      [
        ['Ben', true],
        ['Ada', undefined],
      ],
    ],
  )
  const [line] = service.logged.filter(each => 'event' in each && each.event === 'dismissed')
  assert.deepEqual(line, {
    event: 'dismissed',
    workspace: 'acme',
    project: 'guide',
    subject: 'ben',
    by: 'ada',
    message: 'dismissed',
  })
  assert.equal((await open(service, ben, MANAGE)).status, 404)
})

test('ending the session of a person ends their answers and the links that they made, also on the command line', async () => {
  for (const way of ['page', 'command'] as const) {
    const { temporary, service } = await setup()
    const boss = await sessionCookie(temporary, 'acme', { name: 'Boss', manages: 'all', subject: 'boss' })
    const ada = await sessionCookie(temporary, 'acme', { name: 'Ada', manages: ['guide'], subject: 'ada' })
    const link = await linkOf(service, ada, 'Studio')
    assert.equal(await answer(service, link.cookie, 'ask'), 303)
    assert.equal(await answer(service, ada, 'approve'), 303)
    const id = /=([0-9a-f]+)\./.exec(ada)?.[1] ?? ''
    if (way === 'command') {
      assert.deepEqual(await resultOf(temporary.folder, ['signin', 'end', id]), {
        endedSessions: 1,
        endedConnections: 0,
        endedLinks: 1,
      })
      await service.follow()
    } else {
      const page = await open(service, boss, '/acme/-/manage')
      assert.match(page.text, /Ending a session also ends the share links/)
      assert.equal((await page.press('end-session', { id })).status, 303)
    }
    assert.equal((await service.ask(link.path)).status, 404, way)
    const { approved, reviews } = await stateOf(temporary)
    assert.deepEqual([approved, reviews.map(({ ended }) => ended)], [false, [true, true]], way)
    assert.equal(await answer(service, boss, 'approve'), 303)
    assert.equal(await approvedOf(temporary), true)
  }
})

test('signin remove ends the answers and links of the people of an issuer, or keeps the links', async () => {
  for (const [option, endedLinks, status] of [
    [[], 1, 404],
    [['--keep-links'], 0, 303],
  ] as const) {
    const { temporary, service } = await setup()
    const signin = await allowIssuer(temporary, 'https://login.acme.example')
    const ada = await sessionCookie(temporary, 'acme', { name: 'Ada', manages: ['guide'], subject: 'ada', signin })
    const ben = await sessionCookie(temporary, 'acme', { name: 'Ben', manages: ['guide'], subject: 'ben' })
    const [link, other] = [await linkOf(service, ada, 'Studio'), await linkOf(service, ben, 'Nord')]
    assert.equal(await answer(service, ada, 'approve'), 303)
    assert.equal(await answer(service, link.cookie, 'ask'), 303)
    const removed = await resultOf(temporary.folder, ['signin', 'remove', signin, ...option])
    assert.deepEqual([removed.endedSessions, removed.endedLinks], [1, endedLinks])
    await service.follow()
    assert.deepEqual([(await service.ask(link.path)).status, (await service.ask(other.path)).status], [status, 303])
    const { approved, reviews } = await stateOf(temporary)
    const ended = { Ada: true, Studio: endedLinks === 1 ? true : undefined }
    assert.deepEqual([approved, Object.fromEntries(reviews.map(each => [each.who, each.ended]))], [false, ended])
  }
})

test('the access of a person ends next to a damaged link that they made', async () => {
  const { temporary, service } = await setup()
  const ada = await sessionCookie(temporary, 'acme', { name: 'Ada', manages: ['guide'], subject: 'ada' })
  const link = await linkOf(service, ada, 'Studio')
  await linkOf(service, ada, 'Nord')
  await temporary.store.database.run("UPDATE share SET created_at = 'x' WHERE name = 'Nord'")
  const id = /=([0-9a-f]+)\./.exec(ada)?.[1] ?? ''
  const ended = await resultOf(temporary.folder, ['signin', 'end', id])
  assert.deepEqual([ended.endedSessions, ended.endedLinks], [1, 1])
  await service.follow()
  assert.equal((await service.ask(link.path)).status, 404)
  assert.deepEqual(await temporary.store.database.all('SELECT id FROM share WHERE revoked_at IS NULL'), [])
})

test('signin end --keep-links keeps the links; signing out keeps links and answers', async () => {
  const { temporary, service } = await setup()
  const ada = await sessionCookie(temporary, 'acme', { name: 'Ada', manages: 'all', subject: 'ada' })
  const link = await linkOf(service, ada, 'Studio')
  assert.equal(await answer(service, ada, 'approve'), 303)
  const id = /=([0-9a-f]+)\./.exec(ada)?.[1] ?? ''
  assert.equal((await (await open(service, ada, '/acme/-/manage')).press('end-session', { id })).status, 303)
  assert.equal(await approvedOf(temporary), true)
  await sessionCookie(temporary, 'acme', { name: 'Ada', manages: 'all', subject: 'ada' })
  await resultOf(temporary.folder, ['signin', 'end', '--all', '--keep-links'])
  await service.follow()
  assert.equal((await service.ask(link.path)).status, 303)
  assert.equal(await approvedOf(temporary), false)
})

test('a person who signs in with fewer rights loses their answers and links', async () => {
  const { temporary, service } = await setup()
  const ada = await sessionCookie(temporary, 'acme', { name: 'Ada', manages: ['guide'], subject: 'ada' })
  const link = await linkOf(service, ada, 'Studio')
  assert.equal(await answer(service, ada, 'approve'), 303)
  await sessionCookie(temporary, 'acme', { name: 'Ada', manages: ['guide', 'other'], subject: 'ada' })
  assert.equal(await approvedOf(temporary), true)
  await sessionCookie(temporary, 'acme', { name: 'Ada', drafts: true, subject: 'ada' })
  assert.equal(await approvedOf(temporary), true)
  await service.follow()
  assert.equal((await service.ask(link.path)).status, 404)
  await sessionCookie(temporary, 'acme', { name: 'Ada', subject: 'ada' })
  assert.equal(await approvedOf(temporary), false)
})
