import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test, { beforeEach } from 'node:test'
import { addAxe, axeProblems } from '../../../support/axe.ts'
import { openPage } from '../../../support/browser.ts'
import { localServer } from '../../../support/local-server.ts'
import { needs } from '../../../support/programs.ts'

const SCRIPT = readFileSync(new URL('../../../../src/people/editor/page/status.js', import.meta.url))
const PAGE =
  '<!doctype html><html lang="en"><title>Edit</title><script defer src="status.js"></script><main><h1>Edit</h1></main>'
const COMMIT = 'a'.repeat(40)
const LIVE = { state: 'live', revision: 8, publishedAt: '2026-01-02T12:03:00Z', address: '/acme/guide' }

/* The events of the service, and the questions about commits. */
let events: object[] | undefined
let isSignedIn = true
const questions: string[] = []
beforeEach(() => questions.splice(0))

/** The editor at a service, and a forge at the same address. */
const { url } = await localServer(async (request, response) => {
  const { pathname, search } = new URL(request.url ?? '', 'http://x')
  const send = (type: string, body: string | Uint8Array) => void response.setHeader('Content-Type', type).end(body)
  for await (const _ of request);
  if (pathname === '/-/edit/') send('text/html', PAGE)
  else if (pathname === '/-/edit/status.js') send('text/javascript', SCRIPT)
  else if (pathname === '/-/edit/events') {
    questions.push(search)
    if (events) send('text/event-stream', events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''))
    else response.writeHead(404).end()
  } else if (pathname === '/-/edit/config.json' && isSignedIn) send('application/json', '{}')
  else {
    const reply = ANSWERS[pathname]
    if (reply) send('application/json', JSON.stringify(reply))
    else response.writeHead(404).end()
  }
})

const ANSWERS: Readonly<Record<string, object>> = {
  '/graphql': { data: { createCommitOnBranch: { commit: { oid: COMMIT } } } },
  '/query/graphql': { data: { repository: { id: 1 } } },
  '/api/v4/projects/1/repository/commits': { id: COMMIT },
  '/api/v1/repos/acme/brand/contents': { commit: { sha: COMMIT } },
  '/repos/acme/brand/pulls/3/merge': { sha: COMMIT, merged: true },
  '/api/v4/projects/1/merge_requests/3/merge': { merge_commit_sha: null, squash_commit_sha: COMMIT },
}
const CHANGES = { additions: [{ path: 'pages/logo.md' }], deletions: [] }
const MUTATION = {
  query: 'mutation { createCommitOnBranch }',
  variables: { input: { branch: { branchName: 'main' }, fileChanges: CHANGES } },
}
const CONTENTS = { branch: 'main', files: [{ path: 'pages/logo.md' }] }

/** Opens the editor, and sends a request as its library does; returns the reply that the library reads. */
async function editorAfter(path: string, method: string, body: object) {
  const opened = await openPage({ timezoneId: 'UTC', locale: 'en-GB' })
  const { page } = opened
  await addAxe(page)
  await page.goto(`${url}/-/edit/`)
  const reply = await page.evaluate(
    async ([address = '', name = '', text = '']) => (await fetch(address, { method: name, body: text })).json(),
    [path, method, JSON.stringify(body)],
  )
  return { ...opened, reply, status: page.getByRole('status') }
}

const SAVES: readonly [what: string, path: string, method: string, body: object, question: string][] = [
  ['GitHub', '/graphql', 'POST', MUTATION, `?commit=${COMMIT}&branch=main&path=pages%2Flogo.md`],
  [
    'Gitea',
    '/api/v1/repos/acme/brand/contents',
    'POST',
    CONTENTS,
    `?commit=${COMMIT}&branch=main&path=pages%2Flogo.md`,
  ],
  ['GitLab', '/api/v4/projects/1/repository/commits', 'POST', { branch: 'a/b' }, `?commit=${COMMIT}&branch=a%2Fb`],
  ['a merge at GitHub', '/repos/acme/brand/pulls/3/merge', 'PUT', {}, `?commit=${COMMIT}`],
  ['a merge at GitLab', '/api/v4/projects/1/merge_requests/3/merge', 'PUT', {}, `?commit=${COMMIT}`],
]
for (const [what, path, method, body, question] of SAVES)
  test(`after a save by ${what}, the page says when it is live, with a link`, needs('chromium'), async () => {
    events = [{ state: 'waiting' }, LIVE]
    const { status, reply, complaints } = await editorAfter(path, method, body)
    assert.deepEqual(reply, ANSWERS[path])
    await status.getByText('Live since 12:03 as revision 8.').waitFor()
    assert.equal(await status.getByRole('link', { name: 'Open the guide' }).getAttribute('href'), '/acme/guide')
    await status.getByRole('button', { name: 'Close' }).click()
    assert.equal(await status.textContent(), '')
    assert.deepEqual(questions, [question])
    assert.deepEqual(complaints, [])
  })

const STATES: readonly [event: object, text: string][] = [
  [{ state: 'review' }, 'Saved. It waits for review. Close'],
  [
    { state: 'refused', message: 'styles/colors.yaml:3 <b>' },
    'Saved, but not published: styles/colors.yaml:3 <b> Close',
  ],
  [
    { state: 'blocked', message: 'pages/b.md:3 is wrong' },
    'Saved. It is not live yet because of an error in another file: pages/b.md:3 is wrong Close',
  ],
  [{ state: 'late' }, 'Saved, but not live yet. Reload the guide later. Close'],
]
for (const [event, text] of STATES)
  test(`the page says: ${text}`, needs('chromium'), async () => {
    events = [event]
    const { status } = await editorAfter('/graphql', 'POST', MUTATION)
    await status.getByText('Saved').waitFor()
    assert.equal(await status.textContent(), text)
  })

test('the status line has no accessibility problem in light and dark', needs('chromium'), async () => {
  events = [LIVE]
  const { page, status } = await editorAfter('/graphql', 'POST', MUTATION)
  await status.getByText('Live').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await axeProblems(page), [])
  }
})

test('a save that fails leaves no line about the one before', needs('chromium'), async () => {
  events = [{ state: 'review' }]
  const { page, status } = await editorAfter('/graphql', 'POST', MUTATION)
  await status.getByText('Saved').waitFor()
  const body = JSON.stringify(MUTATION)
  await page.evaluate(text => fetch('/failing/graphql', { method: 'POST', body: text }).then(() => null), body)
  assert.equal(await status.textContent(), '')
})

test('a person whose sign-in at the guide ends learns that the text is saved', needs('chromium'), async t => {
  events = undefined
  isSignedIn = false
  t.after(() => {
    isSignedIn = true
  })
  const { status } = await editorAfter('/graphql', 'POST', MUTATION)
  await status.getByText('Saved. Your sign-in at the guide has ended').waitFor()
})

test('without a service, and after other requests, the page shows nothing', needs('chromium'), async () => {
  events = undefined
  const alone = await editorAfter('/graphql', 'POST', MUTATION)
  await alone.page.waitForTimeout(300)
  assert.equal(await alone.status.textContent(), '')
  assert.equal(questions.length, 1)
  const { page, status } = await editorAfter('/query/graphql', 'POST', { query: 'query' })
  await page.waitForTimeout(300)
  assert.equal(await status.textContent(), '')
  assert.equal(questions.length, 1)
})
