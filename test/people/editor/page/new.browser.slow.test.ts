import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page, Route } from 'playwright-core'
import { addAxe, axeProblems } from '../../../support/axe.ts'
import { openPage } from '../../../support/browser.ts'
import { editorService } from '../../../support/editor-service.ts'
import { needs } from '../../../support/programs.ts'
import { socketService } from '../../../support/socket-service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const HOSTS = {
  github: { url: 'https://github.com/acme/brand.git', edit: 'https://github.com/acme/brand/edit/main/brand/{path}' },
  gitlab: { url: 'https://gitlab.com/acme/brand.git', edit: 'https://gitlab.com/acme/brand/-/edit/main/brand/{path}' },
  gitea: {
    url: 'https://codeberg.org/acme/brand.git',
    edit: 'https://codeberg.org/acme/brand/_edit/main/brand/{path}',
  },
} as const
type Host = keyof typeof HOSTS

const COMMIT = 'c'.repeat(40)
const temporary = await temporaryStore()
for (const [host, { edit }] of Object.entries(HOSTS))
  await temporary.publishing(`${host}/guide`, {
    'workspace.yaml': `edit: ${edit}\n`,
    'guide/project.yaml': 'visibility: public\n',
    'guide/pages/index.md': '# Welcome\n',
  })

type Sent = { address: string; authorization: string | undefined; body: Record<string, unknown> }
type Answer = { status?: number; json: object } | undefined

/** Opens the page that adds a guide, signed in at a host, which gives these answers; undefined is a lost connection. */
async function open(host: Host, answers: Answer[], { signedInAt = host, ...options }: OpenOptions = {}) {
  const source = { url: HOSTS[host].url, publish: 'auto' } as const
  const url = await socketService(async publicUrl => {
    const editor = await editorService(temporary, { publicUrl, git: [source] })
    await editor.pulled(COMMIT, { workspace: host }, source)
    return editor.service
  })
  const sent: Sent[] = []
  const watched = await openPage({ viewport: { width: 360, height: 700 }, ...options })
  const { page } = watched
  await addAxe(page)
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'access-control-allow-methods': '*',
  }
  await page.context().route('https://*/**', async (route: Route) => {
    const request = route.request()
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers })
    const body: Record<string, unknown> = request.postDataJSON()
    sent.push({ address: request.url(), authorization: request.headers().authorization, body })
    const answer = answers.shift()
    return answer ? route.fulfill({ headers, ...answer }) : route.abort()
  })
  const user = JSON.stringify({ backendName: signedInAt, token: 'the-token' })
  await page.addInitScript(value => localStorage.setItem('sveltia-cms.user', value), user)
  await page.goto(`${url}/-/edit/new`)
  return { ...watched, sent }
}

type OpenOptions = { signedInAt?: string; locale?: string; colorScheme?: 'light' | 'dark' }

const make = (page: Page) => page.getByRole('button', { name: 'Make the guide' }).click()

const BRANCH: Answer = { json: { data: { repository: { ref: { target: { oid: 'head' } }, object: null } } } }
const CASES: readonly (readonly [host: Host, answers: Answer[], addresses: string[]])[] = [
  [
    'github',
    [BRANCH, { json: { data: { createCommitOnBranch: { commit: { oid: COMMIT } } } } }],
    ['https://api.github.com/graphql', 'https://api.github.com/graphql'],
  ],
  ['gitlab', [{ json: { id: COMMIT } }], ['https://gitlab.com/api/v4/projects/acme%2Fbrand/repository/commits']],
  ['gitea', [{ json: { commit: { sha: COMMIT } } }], ['https://codeberg.org/api/v1/repos/acme/brand/contents']],
]

for (const [host, answers, addresses] of CASES)
  test(`a new guide is one commit at ${host}, and the page says when it is live`, needs('chromium'), async () => {
    const { page, sent, complaints } = await open(host, [...answers])
    await page.getByLabel('Name').fill('Zoë & Söhne')
    assert.equal(await page.getByLabel('Address').inputValue(), 'zoe-sohne')
    await page.getByLabel('Who may read it').selectOption('Everyone')
    assert.deepEqual(await axeProblems(page), [])
    await make(page)
    await page.getByText('The guide is live.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Open the guide' }).getAttribute('href'), `/${host}/guide`)
    assert.ok(await page.getByRole('status').evaluate(status => status.matches(':focus')))
    const seen = sent.map(({ address, authorization }) => [address, authorization])
    const expected = addresses.map(address => [address, 'Bearer the-token'])
    assert.deepEqual(seen, expected)
    const files = filesOf(sent.at(-1)?.body)
    assert.deepEqual([...files.keys()].sort().slice(0, 2), [
      'brand/zoe-sohne/files/files.yaml',
      'brand/zoe-sohne/files/images/mark-white.svg',
    ])
    assert.match(files.get('brand/zoe-sohne/project.yaml') ?? '', /^id: zoe-sohne\nname: "Zoë & Söhne guidelines"$/m)
    assert.match(files.get('brand/zoe-sohne/project.yaml') ?? '', /^visibility: public$/m)
    assert.match(files.get('brand/zoe-sohne/pages/index.md') ?? '', /^# Zoë & Söhne$/m)
    assert.equal(files.has('brand/zoe-sohne/workspace.yaml'), false)
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

test('the page names whose mistake it is, and keeps the form', needs('chromium'), async () => {
  const taken = { data: { repository: { ref: { target: { oid: 'head' } }, object: { oid: 'tree' } } } }
  const problems: readonly (readonly [answer: Answer, text: string])[] = [
    [undefined, 'there is no connection to the host'],
    [{ status: 401, json: { message: 'Bad credentials' } }, 'your sign-in at the host has ended'],
    [{ status: 403, json: { message: 'Forbidden' } }, 'your account or token may not write to this repository'],
    [
      { json: { errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible' }] } },
      'may not write to this repository',
    ],
    [{ json: taken }, 'the repository already has a folder with this name'],
    [{ status: 500, json: { message: 'We are tired' } }, 'The host answered: We are tired'],
  ]
  const { page, sent } = await open(
    'github',
    problems.map(([answer]) => answer),
  )
  const signIn = page.getByRole('link', { name: 'sign in with the editor' })
  await page.getByLabel('Name').fill('Shop')
  for (const [answer, text] of problems) {
    await make(page)
    await page.getByRole('status').getByText(`Nothing was made`).getByText(text).waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Shop')
    assert.equal(await signIn.isVisible(), answer?.status === 401)
  }
  await page.getByLabel('Address').fill('guide')
  await make(page)
  assert.equal(sent.length, problems.length)
})

test('the page is in the language of the browser, and asks for a sign-in first', needs('chromium'), async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, sent } = await open('github', [], { signedInAt: 'gitlab', locale: 'ar', colorScheme })
    assert.deepEqual(await page.locator('html').evaluate(html => [html.lang, html.dir]), ['ar', 'rtl'])
    const signIn = page.getByRole('link', { name: 'سجّل الدخول في المحرر' })
    assert.deepEqual([await signIn.getAttribute('href'), await signIn.getAttribute('target')], ['./', '_blank'])
    assert.equal(await page.getByRole('textbox').count(), 0)
    assert.deepEqual([sent, await axeProblems(page)], [[], []])
  }
})
