import assert from 'node:assert/strict'
import test from 'node:test'
import { PEOPLE_URL, peopleService, sessionCookie } from '#test/support/people-service.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { FORM } from '#test/support/visitor.ts'

const HTML = { accept: 'text/html' }
const temporary = await temporaryStore()
const page = (project: string, text = '') => ({ [`${project}/pages/index.md`]: `# Home\n\n${text}\n` })
const PROJECTS = ['done', 'guide', 'open', 'web']
await temporary.importing('acme', {
  'workspace.yaml': 'name: Acme Inc.\n',
  ...Object.assign({}, ...PROJECTS.map(project => page(project))),
  'open/project.yaml': 'visibility: public\n',
})
for (const project of ['done', 'guide', 'open']) await temporary.publish(`acme/${project}`)
await temporary.importing('acme', { ...page('guide', 'New.'), ...page('open', 'New.') })
await temporary.importing('lone', { 'guide/pages/index.md': '# Home\n' })
await temporary.publish('lone/guide')
const { ask, follow } = await peopleService(temporary)

/** The links in the header of a guide except those to sessions and for signing out, as text and address. */
async function headerOf(path: string, cookie: string): Promise<string[]> {
  const { text } = await ask(path, { headers: { ...HTML, cookie } })
  const [, person = ''] = /<p class="person">(.*?)<\/p>/s.exec(text) ?? []
  const links = Array.from(person.matchAll(/<a href="([^"]+)"[^>]*>(.*?)<\/a>/gs), ([, to, name = '']) => [
    name.replace(/<svg.*?<\/svg>|<b .*?<\/b>/gs, ''),
    to,
  ])
  return links.filter(([, to]) => !/sessions|signout/.test(`${to}`)).map(link => link.join(' → '))
}

/** The addresses in the list of what waits. */
async function waitingAt(path: string, cookie: string): Promise<(string | undefined)[]> {
  const { text } = await ask(path, { headers: { ...HTML, cookie } })
  const [list = ''] = /<h2>Waiting for you<\/h2>.*?<\/section>/s.exec(text) ?? []
  return Array.from(list.matchAll(/href="([^"]+)"/g), ([, to]) => to)
}

const MANAGE = (project: string) => `/acme/${project}/-/manage`
const REVIEW = (project: string) => `/acme/${project}/-/draft/-/changes`

for (const [who, options, header, elsewhere, waiting] of [
  [
    'manages all guides',
    { manages: 'all' },
    [`Manage · 3 drafts → ${MANAGE('guide')}`],
    [`Manage → ${MANAGE('done')}`, '3 drafts → /acme'],
    [MANAGE('guide'), MANAGE('open'), MANAGE('web')],
  ],
  [
    'manages one guide',
    { manages: ['guide'] },
    [`Manage · 1 draft → ${MANAGE('guide')}`],
    ['1 draft → /acme'],
    [MANAGE('guide')],
  ],
  ['manages a guide without changes', { manages: ['done'] }, [], [`Manage → ${MANAGE('done')}`], []],
  [
    'may see drafts',
    { drafts: true },
    [`Review · 3 drafts → ${REVIEW('guide')}`],
    ['3 drafts → /acme'],
    [REVIEW('guide'), REVIEW('open'), REVIEW('web')],
  ],
  [
    'only edits one guide',
    { edits: ['guide'] },
    [`Review · 1 draft → ${REVIEW('guide')}`],
    ['1 draft → /acme'],
    [REVIEW('guide')],
  ],
  ['only reads', {}, [], [], []],
] as const)
  test(`a person who ${who} sees what waits in the header, at / and on the page of the workspace`, async () => {
    const cookie = await sessionCookie(temporary, 'acme', { ...options, subject: who })
    assert.deepEqual(await headerOf('/acme/guide', cookie), header)
    assert.deepEqual(await headerOf('/acme/done', cookie), elsewhere)
    for (const path of ['/', '/acme']) assert.deepEqual(await waitingAt(path, cookie), waiting, path)
  })

test('of two people without a name who see the same guides, only the one who manages gets a link to manage', async () => {
  for (const options of [{}, { manages: ['done'] }, {}]) {
    const cookie = await sessionCookie(temporary, 'acme', { ...options, subject: JSON.stringify(options) })
    const { text } = await ask('/acme', { headers: { ...HTML, cookie } })
    assert.equal(text.includes('href="/acme/-/manage"'), 'manages' in options)
  }
})

test('a draft about which a reviewer has answered no longer waits for them, until it changes', async () => {
  const cookie = await sessionCookie(temporary, 'acme', { drafts: true, subject: 'reviewer' })
  const { text } = await ask(REVIEW('guide'), { headers: { ...HTML, cookie } })
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''
  const body = `${new URLSearchParams({ do: 'approve', token: field('token'), draft: field('draft'), comment: '' })}`
  const headers = { 'content-type': FORM, origin: PEOPLE_URL, cookie }
  assert.equal((await ask(REVIEW('guide'), { method: 'POST', headers, body })).status, 303)
  await follow()
  assert.deepEqual(await waitingAt('/acme', cookie), [REVIEW('open'), REVIEW('web')])
  await temporary.importing('acme', page('guide', 'Newer.'))
  await follow()
  assert.deepEqual(await waitingAt('/acme', cookie), [REVIEW('guide'), REVIEW('open'), REVIEW('web')])
})

test('what waits is read once for each change, and follows publications', async () => {
  const cookie = await sessionCookie(temporary, 'acme', { manages: 'all', subject: 'publisher' })
  assert.deepEqual(await headerOf('/acme/guide', cookie), [`Manage · 3 drafts → ${MANAGE('guide')}`])
  const { database } = temporary.store
  const { all } = database
  let queries = 0
  database.all = (...query) => {
    queries++
    return all(...query)
  }
  for (const path of ['/acme/guide', '/acme', '/']) await ask(path, { headers: { ...HTML, cookie } })
  queries = 0
  for (const path of ['/acme/guide', '/acme', '/']) await ask(path, { headers: { ...HTML, cookie } })
  database.all = all
  assert.equal(queries, 0)
  await temporary.publish('acme/guide')
  await follow()
  assert.deepEqual(await headerOf('/acme/guide', cookie), [`Manage → ${MANAGE('guide')}`, '2 drafts → /acme'])
})

test('the pages of a public guide are the same for people with rights', async () => {
  const cookie = await sessionCookie(temporary, 'acme', { manages: 'all', subject: 'public' })
  const [everyone, own] = await Promise.all([ask('/acme/open'), ask('/acme/open', { headers: { cookie } })])
  assert.equal(own.text, everyone.text)
  assert.match(own.headers.get('cache-control') ?? '', /public/)
})

test('people who manage a workspace without a guide read how to start; others get what an unknown address gets', async () => {
  const cookie = await sessionCookie(temporary, 'soon', { manages: 'all' })
  const { status, text } = await ask('/soon', { headers: { ...HTML, cookie } })
  assert.deepEqual([status, text.includes('There is no guide here yet.')], [200, true])
  const reader = await sessionCookie(temporary, 'soon', { subject: 'reader' })
  for (const headers of [{}, { cookie: reader }])
    assert.equal((await ask('/soon', { headers: { ...HTML, ...headers } })).status, 404)
})
