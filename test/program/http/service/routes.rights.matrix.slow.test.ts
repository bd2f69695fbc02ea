import assert from 'node:assert/strict'
import test from 'node:test'
import { startGitServer } from '#test/support/git-server.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { resultOf } from '#test/support/run-command.ts'
import { runningService } from '#test/support/running.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const MARK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
const guide = (id: string, home = '# Home\n'): Record<string, string> => ({
  [`${id}/project.yaml`]: `name: ${id}\nvisibility: public\n`,
  [`${id}/pages/index.md`]: home,
  [`${id}/pages/voice.md`]: '# Voice\n\nShort words.\n',
  [`${id}/pages/gone.md`]: '# Gone\n',
  [`${id}/styles/colors.yaml`]: '- name: Ink\n  hex: "#14212b"\n',
  [`${id}/files/mark.svg`]: MARK,
  [`${id}/files/old.svg`]: MARK,
})
const WORKSPACE = { 'workspace.yaml': 'name: Acme\nid: acme\n' }

const server = await startGitServer()
const repository = await server.make('brand')
await repository.commit({ ...WORKSPACE, ...guide('guide'), ...guide('other') })
await repository.git(['config', 'http.receivepack', 'true'])
const temporary = await temporaryStore()
const flags = { git: repository.url, edit: 'on', publish: 'manual', smtp: 'smtp://127.0.0.1:9?from=brand@example.com' }
const { url } = await runningService(temporary, flags)
const status = async () => (await resultOf(temporary.folder, ['status', 'acme/guide']))[0]
await until(async () => (await fetch(`${url}/acme/guide/-/draft`)).status !== 503)
await until(async () => (await resultOf(temporary.folder, ['status'])).length === 2)
await resultOf(temporary.folder, ['publish', 'acme/guide'])
await resultOf(temporary.folder, ['publish', 'acme/other'])

type Visitor = Parameters<typeof sessionCookie>[2]

/** The people of the table, each with a session for every test. */
const PEOPLE = {
  reader: {},
  reviewer: { drafts: true, email: 'rita@example.com' },
  editor: { edits: ['guide'] },
  'editor of another guide': { edits: ['other'] },
  'editor of all guides': { edits: 'all' },
  manager: { manages: 'all', drafts: true, email: 'mona@example.com' },
} as const satisfies Record<string, Visitor>

type Role = keyof typeof PEOPLE

const sessionOf = (role: Role) =>
  sessionCookie(temporary, 'acme', { subject: role.replaceAll(' ', '-'), name: role, ...PEOPLE[role] })
const ROLES = ['reader', 'reviewer', 'editor', 'editor of another guide', 'editor of all guides', 'manager'] as const
const cookies = new Map<Role, string>()
for (const role of ROLES) cookies.set(role, await sessionOf(role))
const cookieOf = (role: Role) => cookies.get(role) ?? ''
const idOf = (cookie: string) => /=([0-9a-f]+)\./.exec(cookie)?.[1] ?? ''

const page = async (address: string, cookie: string) =>
  (await fetch(url + address, { headers: { cookie, accept: 'text/html' }, redirect: 'follow' })).text()
/** The token in the forms of a person, who has it on the page of their sessions. */
const tokenOf = async (cookie: string) =>
  /name="token" value="([^"]+)"/.exec(await page('/acme/-/sessions', cookie))?.[1] ?? ''
const valueIn = async (address: string, name: string, cookie: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(await page(address, cookie))?.[1] ?? ''

type Fields = Readonly<Record<string, string | Blob>>

/** An action that writes: where its form is sent, who may send it, and its fields, made once before all attempts. */
type Action = {
  address: string
  may: readonly Role[]
  fields: (may: Role) => Promise<Fields>
  isUpload?: boolean
}

const EDIT = '/acme/guide/-/edit'
const MANAGE = '/acme/guide/-/manage'
const REVIEW = '/acme/guide/-/draft/-/changes'
const EDITORS = ['editor', 'editor of all guides'] as const
/** Who edits a guide sees its draft. */
const REVIEWERS = ['reviewer', ...EDITORS, 'manager'] as const

/** A new draft of the guide, whose state its managers see. */
async function newDraft(): Promise<string> {
  const before = (await status()).draft
  await repository.commit({ ...WORKSPACE, ...guide('guide', `# Home\n\n${drafts++}\n`), ...guide('other') })
  await resultOf(temporary.folder, ['pull', '--git', repository.url, '--publish', 'manual'])
  await until(async () => (await status()).draft !== before)
  return valueIn(REVIEW, 'draft', cookieOf('manager'))
}
let drafts = 0

const managing = (fields: (draft: string) => Fields | Promise<Fields>, address = MANAGE): Action => ({
  address,
  may: ['manager'],
  fields: async () => fields(await newDraft()),
})
const editing = (below: string, change: (form: URLSearchParams) => void): Action => ({
  address: `${EDIT}/${below}`,
  may: EDITORS,
  fields: async () => {
    const form = formOnPage(await page(`${EDIT}/${below}`, cookieOf('editor')))
    form.set('do', 'save')
    change(form)
    return Object.fromEntries(form)
  },
})
const file = (name: string) => new File([MARK.replace('h1v1', `h2v${drafts++}`)], name, { type: 'image/svg+xml' })

const ACTIONS: Readonly<Record<string, Action>> = {
  'publish a draft': managing(draft => ({ do: 'publish', draft, note: 'New' })),
  'plan a publication': managing(draft => ({ do: 'plan', draft, at: '2999-01-01T09:00' })),
  'cancel a plan': managing(async draft => {
    const token = await tokenOf(cookieOf('manager'))
    const plan = { do: 'plan', draft, at: '2998-01-01T09:00', token }
    assert.equal((await send(MANAGE, plan, cookieOf('manager'))).status, 303)
    return { do: 'cancel-plan' }
  }),
  'restore a revision': managing(() => ({ do: 'restore', revision: '1', sure: 'yes' })),
  'make a link': managing(() => ({ do: 'share', of: 'guide', name: 'Studio', expires: '7d' })),
  'end a link': managing(async () => {
    const { id } = await resultOf(temporary.folder, ['share', 'acme/guide'])
    return { do: 'end-share', id, sure: 'yes' }
  }),
  'dismiss a request': managing(async draft => {
    const token = await tokenOf(cookieOf('reviewer'))
    const asked = { do: 'ask', draft, comment: 'Larger', token }
    assert.equal((await send(REVIEW, asked, cookieOf('reviewer'))).status, 303)
    return { do: 'dismiss', id: await valueIn(MANAGE, 'id', cookieOf('manager')) }
  }),
  'publish ticked drafts': managing(draft => ({ do: 'publish', 'draft guide': draft }), '/acme/-/manage'),
  'end a session': managing(async () => ({ do: 'end-session', id: idOf(await sessionOf('reader')) }), '/acme/-/manage'),
  'ask for changes': {
    address: REVIEW,
    may: REVIEWERS,
    fields: async () => ({ do: 'ask', draft: await newDraft(), comment: 'Smaller' }),
  },
  'approve a draft': {
    address: REVIEW,
    may: REVIEWERS,
    fields: async () => ({ do: 'approve', draft: await newDraft() }),
  },
  'choose mail': {
    address: '/acme/-/manage/mail',
    may: ['reviewer', 'manager'],
    fields: async () => ({ do: 'save', draft: 'on', answer: 'on' }),
  },
  'save a page': editing('voice', form => form.set('/body', `# Voice\n\nWords ${drafts++}.`)),
  'save colours': editing('-/colors', form => form.set('/items/0/hex', `#1421${10 + drafts++}`)),
  'save the settings': editing('-/project', form => form.set('/name', `Guide ${drafts++}`)),
  'make a page': editing('new-page?title=New', form => form.set('summary', 'New')),
  'delete a page': editing('gone', form => {
    form.set('do', 'delete')
    form.set('sure', 'yes')
  }),
  'replace a file': {
    address: `${EDIT}/-/file/files/mark.svg`,
    may: EDITORS,
    isUpload: true,
    fields: async () => ({ do: 'replace', file: file('mark.svg') }),
  },
  'remove a file': {
    address: `${EDIT}/-/file/files/old.svg`,
    may: EDITORS,
    isUpload: true,
    fields: async () => ({ do: 'remove' }),
  },
  'add a picture': {
    address: `${EDIT}/-/picture?page=voice`,
    may: EDITORS,
    isUpload: true,
    fields: async () => ({ description: 'A mark', picture: file('photo.svg') }),
  },
  'undo a save': {
    address: `${EDIT}/voice`,
    may: EDITORS,
    fields: async () => {
      const form = formOnPage(await page(`${EDIT}/voice`, cookieOf('editor')))
      form.set('do', 'save')
      form.set('/body', `# Voice\n\nUndo ${drafts++}.`)
      form.set('token', await tokenOf(cookieOf('editor')))
      const saved = await send(`${EDIT}/voice`, Object.fromEntries(form), cookieOf('editor'))
      const commit = new URL(saved.headers.get('location') ?? '', url).searchParams.get('saved') ?? ''
      assert.match(commit, /^[0-9a-f]{40}$/)
      return { do: 'undo', commit }
    },
  },
  'make a guide': {
    address: '/acme/-/edit/new',
    may: ['editor of all guides'],
    fields: async () => ({ name: `Guide ${drafts++}`, id: `new-${drafts}`, visibility: 'private' }),
  },
}

async function send(address: string, fields: Fields, cookie: string, isUpload = false): Promise<Response> {
  const form = new FormData()
  const plain = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, value)
    if (typeof value === 'string') plain.set(name, value)
  }
  const headers = { origin: url, cookie, accept: 'text/html' }
  return fetch(url + address, { method: 'POST', body: isUpload ? form : plain, headers, redirect: 'manual' })
}

/** Everything that the actions change. */
async function state(): Promise<unknown> {
  const tables = ['revision', 'review', 'answer', 'planned_publication', 'mail_choice', 'session', 'share']
  const rows = tables.map(async table => {
    const all = await temporary.store.database.all(`SELECT * FROM ${table}`)
    return [table, all.map(row => JSON.stringify({ ...row, used_at: 0, last_used_at: 0 })).toSorted()]
  })
  return [await repository.git(['rev-parse', 'main']), await Promise.all(rows)]
}

/** Ends the sessions of a person as a manager does. */
async function endSession(cookie: string): Promise<void> {
  const token = await tokenOf(cookieOf('manager'))
  const ended = await send('/acme/-/manage', { do: 'end-session', id: idOf(cookie), token }, cookieOf('manager'))
  assert.equal(ended.status, 303)
}

for (const [action, { address, may, fields, isUpload }] of Object.entries(ACTIONS))
  test(`only ${may.join(' and ')} can ${action}, and only until the session ends`, async () => {
    const given = await fields(may[0] ?? 'manager')
    const before = await state()
    const refused = async (name: string, cookie: string, token: string) => {
      const { status: answer } = await send(address, { ...given, token }, cookie, isUpload)
      assert.ok(answer === 303 || (answer >= 400 && answer < 500), `${name}: ${answer}`)
      assert.deepEqual(await state(), before, name)
    }
    await refused('everyone', '', await tokenOf(cookieOf('manager')))
    for (const role of ROLES)
      if (!may.includes(role)) await refused(role, cookieOf(role), await tokenOf(cookieOf(role)))
    const ended: [string, string, string][] = []
    for (const role of may) {
      const cookie = await sessionOf(role)
      const token = await tokenOf(cookie)
      assert.notEqual(token, '')
      await endSession(cookie)
      ended.push([`${role} whose session has ended`, cookie, token])
    }
    const unchanged = await state()
    for (const [name, cookie, token] of ended) {
      const { status: answer } = await send(address, { ...given, token }, cookie, isUpload)
      assert.ok(answer === 303 || (answer >= 400 && answer < 500), `${name}: ${answer}`)
      assert.deepEqual(await state(), unchanged, name)
    }
    const [first = 'manager'] = may
    const done = await send(address, { ...given, token: await tokenOf(cookieOf(first)) }, cookieOf(first), isUpload)
    assert.ok(done.status === 303 || done.status === 200, `${first}: ${done.status} ${await done.text()}`)
    assert.notDeepEqual(await state(), unchanged, first)
  })
