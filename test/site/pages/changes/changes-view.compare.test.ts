import assert from 'node:assert/strict'
import test from 'node:test'
import { retract } from '#publishing/history.ts'
import { peopleService, sessionCookie } from '#test/support/people-service.ts'
import { sharedCookie } from '#test/support/service.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'

const temporary = await temporaryStore()
const picture = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><path fill="${color}" d="M0 0h9v9z"/></svg>\n`
for (const [project, settings] of [
  ['served', 'visibility: public\nrevisions: served\n'],
  ['open', 'visibility: public\n'],
  ['closed', ''],
  ['other', ''],
] as const)
  for (const [at, word] of ['first', 'second', 'third'].entries())
    await temporary.publishing(`acme/${project}`, {
      [`${project}/project.yaml`]: `name: Guide\n${settings}`,
      [`${project}/pages/index.md`]: `# Home\n\nThe ${word} text of this page.\n\n![Mark](../files/mark.svg)\n`,
      [`${project}/files/mark.svg`]: picture(['red', 'green', 'blue'][at] ?? ''),
    })
await retract(temporary.store, { workspace: 'acme', project: 'closed' }, 1, new Date())
const people = await peopleService(temporary)
const { ask } = people
const sessionOf = (options: Parameters<typeof sessionCookie>[2]) => sessionCookie(temporary, 'acme', options)
const manager = { cookie: await sessionOf({ manages: ['open', 'closed', 'served'], subject: 'manager' }) }
const read = (path: string, headers: Record<string, string> = {}) =>
  ask(path, { headers: { accept: 'text/html', ...headers } })

test('readers of a guide that serves its revisions compare any two of them', async () => {
  const { text } = await read('/acme/served/-/changes')
  assert.match(text, /<form class="revisions" method="get">/)
  const options = (name: string) =>
    Array.from(
      (new RegExp(`<select name="${name}">[^]*?</select>`).exec(text)?.[0] ?? '').matchAll(/value="(\d)"( selected)?/g),
      ([, number, selected]) => `${number}${selected ?? ''}`,
    )
  assert.deepEqual(
    [options('from'), options('to')],
    [
      ['3', '2 selected', '1'],
      ['3 selected', '2', '1'],
    ],
  )
  for (const [query, marks] of [
    ['', '<del>second</del><ins>third</ins>'],
    ['?from=1&to=3', '<del>first</del><ins>third</ins>'],
    ['?from=1&to=2', '<del>first</del><ins>second</ins>'],
    ['?to=2', '<del>first</del><ins>second</ins>'],
    ['?from=3&to=1', '<del>third</del><ins>first</ins>'],
  ] as const) {
    const page = await read(`/acme/served/-/changes${query}`)
    assert.ok(page.text.includes(marks), query)
    for (const [, address = ''] of page.text.matchAll(/<img[^>]* src="([^"]+)"/g))
      assert.equal((await ask(address)).status, 200, address)
  }
  for (const query of ['?from=4', '?to=0', '?from=1&to=x', '?from='])
    assert.equal((await read(`/acme/served/-/changes${query}`)).status, query === '?from=' ? 200 : 404, query)
})

test('without served revisions, readers cannot compare earlier ones, and the page has no form', async () => {
  const { text } = await read('/acme/open/-/changes')
  assert.doesNotMatch(text, /<select|second|<del>/)
  for (const [, sheet = ''] of text.matchAll(/rel="stylesheet" href="([^"]+)"/g))
    assert.equal((await read(sheet)).status, 200, sheet)
  for (const query of ['?from=1', '?from=1&to=2', '?to=2'])
    assert.equal((await read(`/acme/open/-/changes${query}`)).status, 404, query)
})

const REVISION = '/-/manage/revision/1'
const nobody = {}
const reader = { cookie: await sessionOf({ subject: 'reader' }) }
const shared = await sharedCookie(people, temporary.folder, 'acme/closed')
const { token } = await temporary.issue('acme')

for (const [who, headers] of Object.entries({
  nobody,
  'a reader who is signed in': reader,
  'a reader of drafts': { cookie: await sessionOf({ drafts: true, subject: 'drafts' }) },
  'a manager of another project': { cookie: await sessionOf({ manages: ['other'], subject: 'other' }) },
  'a manager whose session has ended': { cookie: await sessionOf({ manages: 'all', isEnded: true }) },
  'the holder of a share link': { cookie: shared },
  'a token with all scopes': { authorization: `Bearer ${token}` },
}))
  test(`${who} reads no earlier revision at the address for managers, and gets what an unknown address gives`, async () => {
    for (const project of ['open', 'closed']) {
      const file = await fileOf(project)
      for (const below of ['', '/index', '.md', '/-/changes', '/-/changes.css', '/-/colors', '/-/files', file])
        assert.equal((await read(`/acme/${project}${REVISION}${below}`, headers)).status, 404, below)
      const unknown = await read(`/acme/${project}/-/nothing/revision/1`, headers)
      assert.equal((await read(`/acme/${project}${REVISION}`, headers)).text, unknown.text)
    }
  })

/** The address of the picture of revision 1, below that of the revision. */
async function fileOf(project: string): Promise<string> {
  const { text } = await read(`/acme/${project}${REVISION}`, manager)
  return /revision\/1(\/-\/files\/[^"]*mark\.svg)"/.exec(text)?.[1] ?? ''
}

test('managers read and compare all revisions with their pictures, also those that are retracted or not served', async () => {
  for (const project of ['open', 'closed']) {
    const home = `/acme/${project}${REVISION}`
    const page = await read(home, manager)
    assert.match(page.text, /The first text of this page/)
    assert.match(`${page.headers.get('cache-control')}`, /private, no-cache/)
    const file = await ask(home + (await fileOf(project)), { headers: manager })
    assert.deepEqual([file.status, file.text], [200, picture('red')])
    const last = await read(`/acme/${project}/-/manage/revision/3/-/changes`, manager)
    const history = await read(`/acme/${project}/-/manage/history`, manager)
    assert.ok(history.text.includes(`<a href="/acme/${project}${REVISION}">Revision 1</a>`))
    for (const number of [1, 2, 3])
      assert.ok(last.text.includes(`<a href="/acme/${project}/-/manage/revision/${number}">Revision ${number}</a>`))
    const compared = await read(`/acme/${project}/-/manage/revision/3/-/changes?from=1&to=2`, manager)
    assert.match(compared.text, /<del>first<\/del><ins>second<\/ins>/)
    const pictures = Array.from(compared.text.matchAll(/<img[^>]* src="([^"]+)"/g), ([, address = '']) => address)
    const bodies = await Promise.all(pictures.map(async address => (await ask(address, { headers: manager })).text))
    assert.deepEqual([...new Set(bodies)].sort(), [picture('green'), picture('red')])
  }
  assert.equal((await read('/acme/closed/-/manage/revision/9', manager)).status, 404)
})

test('the form of managers opens the address at which they compare all revisions', async () => {
  const { text } = await read('/acme/closed/-/changes', manager)
  assert.match(
    text,
    /<form class="revisions" method="get" action="\/acme\/closed\/-\/manage\/revision\/3\/-\/changes">/,
  )
})

test('managers find the form on the page of changes of a draft, other readers of the draft do not', async () => {
  await temporary.importing('acme', { 'other/pages/index.md': '# Home\n\nThe draft.\n' })
  const page = async (headers: Record<string, string>) => (await read('/acme/other/-/draft/-/changes', headers)).text
  const text = await page({ cookie: await sessionOf({ manages: ['other'], subject: 'other' }) })
  assert.match(text, /<form class="revisions" method="get" action="\/acme\/other\/-\/manage\/revision\/3\/-\/changes">/)
  assert.match(text, /<option value="2" selected>2 · [\s\S]*<option value="3" selected>3 · /)
  for (const headers of [reader, { cookie: await sessionOf({ drafts: true, subject: 'drafts' }) }])
    assert.doesNotMatch(await page(headers), /<select|manage\/revision/)
})

test('managers see the values of changed settings, other readers a sentence', async () => {
  const files = { 'served/project.yaml': 'name: Guide\nvisibility: public\nrevisions: served\ncontact: Ann\n' }
  await temporary.publishing('acme/served', files)
  const service = await peopleService(temporary)
  const textAt = async (path: string) => (await service.ask(`/acme/served${path}`, { headers: manager })).text
  assert.match(await textAt('/-/manage/revision/4/-/changes'), /<code dir="ltr">contact<\/code><\/dt>\n<dd><ins>/)
  const text = await textAt('/-/changes')
  assert.match(text, /The name, theme or other settings of the guide have changed\.<\/p>/)
  assert.doesNotMatch(text, />contact<\/code>/)
})
