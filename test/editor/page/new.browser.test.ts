import assert from 'node:assert/strict'
import test from 'node:test'
import type { EditorSource } from '../../../src/editor/editor-config.ts'
import { editorFiles, editorPolicy } from '../../../src/editor/editor-files.ts'
import { addAxe, axeProblems } from '../../support/axe.ts'
import { openPage } from '../../support/browser.ts'
import { localServer } from '../../support/local-server.ts'
import { needs } from '../../support/programs.ts'

type Sent = { address: string; authorization: string | undefined; body: Record<string, unknown> }
let sent: Sent[] = []
let answers: { status?: number; body: object }[] = []
let source: EditorSource | undefined

/** The editor's page, and a forge at the same address. */
const { url } = await localServer(async (request, response) => {
  const address = request.url ?? ''
  if (request.method === 'POST') {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    sent.push({ address, authorization: request.headers.authorization, body })
    const { status = 200, body: answer } = answers.shift() ?? { status: 500, body: {} }
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
    return
  }
  const name = address.replace('/-/edit/', '')
  const bytes = source && (await editorFiles(source)).get(name)
  if (!source || !bytes) return void response.writeHead(404).end()
  const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' }
  const type = Object.entries(types).find(([end]) => name.endsWith(end))?.[1] ?? 'text/plain'
  const policy = await editorPolicy(source, name)
  response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(bytes)
})

type Host = 'github' | 'gitlab' | 'gitea'

function sourceAt(name: Host, changes: Partial<EditorSource> = {}): EditorSource {
  return {
    workspace: 'acme',
    name: 'Acme',
    projects: [{ id: 'guide', name: 'Guide', folder: 'guide', pages: {} }],
    forge: { name, origin: url, repo: 'acme/brand', branch: 'main', path: 'brand' },
    ...changes,
  }
}

/** Opens the page, signed in at a host. */
async function open(at: EditorSource, signedInAt: Host | undefined) {
  source = at
  sent = []
  const opened = await openPage({ viewport: { width: 360, height: 700 } })
  await addAxe(opened.page)
  if (signedInAt) {
    const user = JSON.stringify({ backendName: signedInAt, token: 'the-token' })
    await opened.page.addInitScript(value => localStorage.setItem('sveltia-cms.user', value), user)
  }
  await opened.page.goto(`${url}/-/edit/new.html`)
  return opened
}

const BRANCH = { data: { repository: { ref: { target: { oid: 'head' } }, object: null } } }
const CASES: readonly (readonly [host: Host, answers: object[], addresses: string[]])[] = [
  ['github', [BRANCH, { data: {} }], ['/api/graphql', '/api/graphql']],
  ['gitlab', [{ id: 'commit' }], ['/api/v4/projects/acme%2Fbrand/repository/commits']],
  ['gitea', [{ commit: {} }], ['/api/v1/repos/acme/brand/contents']],
]

for (const [host, replies, addresses] of CASES)
  test(`a new guide is a folder with the starter, as one commit at ${host}`, needs('chromium'), async () => {
    answers = replies.map(body => ({ body }))
    const { page, complaints } = await open(sourceAt(host), host)
    await page.getByLabel('Name').fill('Zoë Works')
    assert.equal(await page.getByLabel('Address').inputValue(), 'zoe-works')
    await page.getByLabel('Everyone').check()
    assert.deepEqual(await axeProblems(page), [])
    await page.getByRole('button', { name: 'Make the guide' }).click()
    await page.getByText('brand/zoe-works is in the repository.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Your guides' }).getAttribute('href'), '../../acme/-/manage')
    assert.ok(await page.getByRole('status').evaluate(status => status.matches(':focus')))
    assert.deepEqual(
      sent.map(({ address, authorization }) => [address, authorization]),
      addresses.map(address => [address, 'Bearer the-token']),
    )
    const files = filesOf(sent.at(-1)?.body)
    assert.deepEqual([...files.keys()].sort().slice(0, 2), [
      'brand/zoe-works/files/files.yaml',
      'brand/zoe-works/files/images/mark-white.svg',
    ])
    assert.match(files.get('brand/zoe-works/project.yaml') ?? '', /^id: zoe-works\nname: "Zoë Works guidelines"$/m)
    assert.match(files.get('brand/zoe-works/project.yaml') ?? '', /^visibility: public$/m)
    assert.match(files.get('brand/zoe-works/pages/index.md') ?? '', /^# Zoë Works$/m)
    assert.equal(files.has('brand/zoe-works/workspace.yaml'), false)
    assert.deepEqual(complaints, [])
  })

/** The files of a commit by path, from the request for any host. */
function filesOf(body: Record<string, unknown> | undefined): Map<string, string> {
  const { variables, actions = [], files = [] } = Object(body)
  const added = variables?.input.fileChanges.additions ?? []
  const decoded = [...added, ...files].map(({ path, contents, content }) => [
    path,
    Buffer.from(contents ?? content, 'base64').toString(),
  ])
  return new Map([...decoded, ...actions.map((action: Record<string, string>) => [action.file_path, action.content])])
}

test('a folder that exists, and an ended sign-in, are named and keep the form', needs('chromium'), async () => {
  answers = [
    { body: { data: { repository: { ref: { target: { oid: 'head' } }, object: { oid: 'tree' } } } } },
    { status: 401, body: { message: 'Bad credentials' } },
  ]
  const { page } = await open(sourceAt('github'), 'github')
  const button = page.getByRole('button', { name: 'Make the guide' })
  await page.getByLabel('Name').fill('Shop')
  await button.click()
  await page.getByText('the repository already has brand/shop. Choose another address.').waitFor()
  await button.click()
  await page.getByText('your sign-in at the host has ended.').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Shop')
  assert.ok(await page.getByRole('link', { name: 'sign in with the editor' }).isVisible())
  await page.getByLabel('Address').fill('guide')
  await button.click()
  assert.equal(sent.length, 2)
})

test('without a sign-in at this host, the page asks for one and sends nothing', needs('chromium'), async () => {
  for (const signedInAt of [undefined, 'gitlab'] as const) {
    const { page } = await open(sourceAt('github'), signedInAt)
    assert.equal(await page.getByRole('link', { name: 'sign in with the editor' }).getAttribute('href'), './')
    assert.equal(await page.getByLabel('Name').isVisible(), false)
    assert.deepEqual(sent, [])
  }
})

const root = { id: 'guide', name: 'Guide', folder: '', pages: {} }
const OBSTACLES: readonly (readonly [what: string, changes: Partial<EditorSource>, text: RegExp])[] = [
  ['a folder', { forge: undefined }, /works on a folder: make the folder with <code>housestyle init<\/code>/],
  ['a reviewed repository', { isReviewed: true }, /only after a review: .* propose it as any other change/],
  ['a repository that is one guide', { projects: [root] }, /Move its files into a folder of their own/],
]
for (const [what, changes, text] of OBSTACLES)
  test(`for ${what}, the page says why it adds no guide, and what to do instead`, async () => {
    const page = (await editorFiles(sourceAt('github', changes))).get('new.html')
    assert.match(new TextDecoder().decode(page), text)
    assert.doesNotMatch(new TextDecoder().decode(page), /<form/)
  })
