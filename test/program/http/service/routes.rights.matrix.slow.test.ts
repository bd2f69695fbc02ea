import assert from 'node:assert/strict'
import test from 'node:test'
import { ROUTES } from '#program/http/service/routes.ts'
import { stateText } from '#publishing/draft-state.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { allowIssuer, formOf, PEOPLE_URL, peopleService, sessionCookie } from '#test/support/people-service.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { runningService } from '#test/support/service.ts'
import { addHosts, resultOf, seenDraft, temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

/*
 * Everyone opens every page for people with rights, and sends every form: of `acme`, which is imported, of `hosted`, whose
 * guides have hosts, and of the editor of `brand`, which is in a repository.
 */

const MARK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
const guideFiles = (id: string, visibility = 'private') => ({
  [`${id}/project.yaml`]: `name: ${id}\nvisibility: ${visibility}\n`,
  [`${id}/pages/index.md`]: '# Home\n',
  [`${id}/pages/voice.md`]: '# Voice\n\nShort words.\n',
  [`${id}/pages/gone.md`]: '# Gone\n',
  [`${id}/styles/colors.yaml`]: '- name: Ink\n  hex: "#14212b"\n',
  [`${id}/files/mark.svg`]: MARK,
  [`${id}/files/old.svg`]: MARK,
})
const GUIDES = { ...guideFiles('guide'), ...guideFiles('open', 'public') }

const server = await startGitServer()
const repository = await server.make('brand')
await repository.commit({ 'workspace.yaml': 'name: Brand\nid: brand\n', ...GUIDES })
const temporary = await temporaryStore()
for (const workspace of ['acme', 'hosted'])
  for (const project of ['guide', 'open']) await temporary.publishing(`${workspace}/${project}`, GUIDES)
await addHosts(temporary, { 'guide.test': 'hosted/guide', 'all.test': 'hosted', 'open.test': 'hosted/open' })
const smtp = { host: '127.0.0.1', port: 25, isSecure: false, user: '', from: 'brand@example.com' }
const { ask } = await peopleService(temporary, { smtp })
const { url } = await runningService(temporary, { git: repository.url, edit: 'on', publish: 'manual' })
await until(async () => (await resultOf(temporary.folder, ['status'])).length === 6)
await resultOf(temporary.folder, ['publish', 'brand/guide', 'brand/open'])
await until(async () => (await fetch(`${url}/brand/open/voice`)).ok)
await allowIssuer(temporary, 'http://127.0.0.1:9/issuer', { workspace: 'brand' })
await until(async () => (await fetch(`${url}/brand/open/-/edit/voice`, { redirect: 'manual' })).status === 303)

type Workspace = 'acme' | 'hosted' | 'brand'
type Headers = Readonly<Record<string, string>>
type Role = {
  headers: (workspace: Workspace, host?: string) => Promise<Headers>
  /** The pages of the private guide that open, by the right that they need. */
  opens: readonly string[]
  /** What the editor replies at the public and the private guide. */
  edits: readonly [open: number, closed: number]
}

const signedIn =
  (subject: string, rights: Parameters<typeof sessionCookie>[2] = {}): Role['headers'] =>
  async (workspace, host) => ({
    cookie: await sessionCookie(temporary, workspace, { subject, name: subject, ...rights, ...(host && { host }) }),
  })
const linked =
  (...options: string[]): Role['headers'] =>
  async workspace => {
    const { url: link } = await resultOf(temporary.folder, ['share', `${workspace}/guide`, ...options])
    const { headers } = await ask(new URL(link).pathname)
    return { cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  }

const ROLES = {
  nobody: { headers: async () => ({}), opens: [], edits: [303, 404] },
  'a reader': { headers: signedIn('reader'), opens: ['person'], edits: [403, 403] },
  'a reader of the public guide': {
    headers: signedIn('half', { projects: ['open'] }),
    opens: ['person'],
    edits: [403, 404],
  },
  'a reviewer': {
    headers: signedIn('reviewer', { drafts: true, email: 'rita@example.com' }),
    opens: ['person', 'reviewer', 'mailed'],
    edits: [403, 403],
  },
  'an editor of the guide': {
    headers: signedIn('editor', { edits: ['guide'] }),
    opens: ['person', 'reviewer', 'mailed'],
    edits: [403, 200],
  },
  'an editor of the public guide': {
    headers: signedIn('another', { edits: ['open'] }),
    opens: ['person', 'mailed'],
    edits: [200, 403],
  },
  'an editor of all guides': {
    headers: signedIn('all', { edits: 'all' }),
    opens: ['person', 'reviewer', 'mailed'],
    edits: [200, 200],
  },
  'a manager': {
    headers: signedIn('manager', { manages: 'all', drafts: true, email: 'mona@example.com' }),
    opens: ['person', 'reviewer', 'mailed', 'manager', 'workspace'],
    edits: [403, 403],
  },
  'a manager of the guide': {
    headers: signedIn('owner', { manages: ['guide'] }),
    opens: ['person', 'reviewer', 'mailed', 'manager', 'workspace'],
    edits: [403, 403],
  },
  'a manager of the public guide': {
    headers: signedIn('other', { manages: ['open'] }),
    opens: ['person', 'mailed', 'workspace'],
    edits: [403, 403],
  },
  'a person with all rights whose session has ended': {
    headers: signedIn('ended', { manages: 'all', edits: 'all', isEnded: true }),
    opens: [],
    edits: [303, 404],
  },
  'a person with all rights in another workspace': {
    headers: workspace => signedIn('far', { manages: 'all', edits: 'all' })(workspace === 'acme' ? 'brand' : 'acme'),
    opens: [],
    edits: [303, 404],
  },
  'the holder of a share link': { headers: linked(), opens: [], edits: [303, 303] },
  'the holder of a draft link': {
    headers: linked('--draft', '--may-approve'),
    opens: ['reviewer'],
    edits: [303, 404],
  },
  'a token with all scopes': {
    headers: async workspace => ({ authorization: `Bearer ${(await temporary.issue(workspace)).token}` }),
    opens: [],
    edits: [303, 303],
  },
} as const satisfies Record<string, Role>

/** The pages for people with rights, each with the right that it needs. */
const PAGES = ROUTES.filter(({ who }) => ['manager', 'reviewer', 'person', 'mailed'].includes(who)).map(
  ({ pattern, who }) => ({
    address: pattern.replace('{workspace}', 'acme').replace('{project}', 'guide').replace('{revision}', '1'),
    right: pattern === '/{workspace}/-/manage' ? 'workspace' : `${who}`,
  }),
)
/** Of these, the guide has none. */
const ABSENT = /\/draft\/-\/changes\.atom$|\/revision\/1\/-\/changes(?:\.css)?$|\/-\/(?:contrast|book\.pdf)$/

function unknownAt(address: string): string {
  return address.replace(/(?<=\/-\/draft).*/, '/-/nothing').replace(/(?<=\/-\/)(?!draft).*/, 'nothing')
}

const EDITOR_PAGES =
  'voice index -/colors -/types -/files -/project -/new -/picture?page=voice -/file/files/mark.svg'.split(' ')

for (const [role, { headers, opens, edits }] of Object.entries<Role>(ROLES))
  test(`${role} opens only the pages of the role, and gets at all others what an unknown address gives`, async () => {
    const asking = { headers: { accept: 'text/html', ...(await headers('acme')) } }
    for (const { address, right } of PAGES) {
      const { status, text } = await ask(address, asking)
      const unknown = await ask(unknownAt(address), asking)
      if (!opens.includes(right)) assert.deepEqual([status, text], [404, unknown.text], address)
      else if (!address.includes('{') && !ABSENT.test(address)) assert.ok(status === 200 || status === 308, address)
    }
    const sent = { headers: await headers('brand'), redirect: 'manual' } as const
    for (const [at, guide] of ['open', 'guide'].entries())
      for (const page of EDITOR_PAGES) {
        const reply = await fetch(`${url}/brand/${guide}/-/edit/${page}`, sent)
        assert.equal(reply.status, edits[at], `${guide} ${page}`)
        if (reply.status === 200) assert.equal(reply.headers.get('cache-control'), 'no-store')
      }
    const isForNew = (await fetch(`${url}/brand/-/edit/new`, sent)).status === 200
    assert.equal(isForNew, role === 'an editor of all guides')
  })

/** Pages at a host for people who manage its guide or workspace; the last one is for everyone with a session. */
const AT_HOSTS = {
  'guide.test': ['/-/manage', '/-/manage/history', '/-/manage/links', '/-/manage/usage', '/-/draft/-/changes'],
  'all.test': ['/-/manage', '/-/manage/mail', '/-/sessions'],
} as const

for (const [host, paths] of Object.entries(AT_HOSTS))
  test(`at ${host}, only managers with a session of that host open its pages`, async () => {
    const manager = ROLES['a manager'].headers
    const others = {
      nobody: {},
      'a manager at the public URL': await manager('hosted'),
      'a manager at another host': await manager('hosted', 'open.test'),
      'a manager whose session has ended': await ROLES['a person with all rights whose session has ended'].headers(
        'hosted',
        host,
      ),
      'a reader': await ROLES['a reader'].headers('hosted', host),
    }
    const asking = (headers: Headers) => ({ headers: { accept: 'text/html', ...headers, host } })
    for (const path of paths) {
      assert.equal((await ask(path, asking(await manager('hosted', host)))).status, 200, path)
      for (const [role, headers] of Object.entries(others)) {
        if (role === 'a reader' && path === '/-/sessions') continue
        const [page, unknown] = [await ask(path, asking(headers)), await ask(unknownAt(path), asking(headers))]
        assert.deepEqual([page.status, page.text], [404, unknown.text], `${role} ${path}`)
      }
    }
  })

test('a form at a host needs the session, the token and the origin of that host', async () => {
  const before = await resultOf(temporary.folder, ['history', 'hosted/guide'])
  await temporary.importing('hosted', { ...GUIDES, 'guide/pages/index.md': '# New\n' })
  const ref = { workspace: 'hosted', project: 'guide' }
  const draft = stateText(await seenDraft(temporary.store, ref))
  const [own, elsewhere] = [
    await ROLES['a manager'].headers('hosted', 'guide.test'),
    await ROLES['a manager'].headers('hosted'),
  ]
  const shown = await ask('/-/manage', { headers: { ...own, host: 'guide.test' } })
  const post = (host: string, path: string, cookie: Headers, origin = `http://${host}:9`) =>
    ask(path, formOf({ do: 'publish', draft, token: valueIn(shown.text, 'token') }, { ...cookie, host, origin }))
  assert.equal((await post('guide.test', '/-/manage', own, PEOPLE_URL)).status, 403)
  assert.equal((await post('guide.test', '/-/manage', own, 'http://open.test:9')).status, 403)
  assert.equal((await post('guide.test', '/-/manage', elsewhere)).status, 404)
  assert.equal((await post('all.test', '/guide/-/manage', own)).status, 404)
  assert.deepEqual(await resultOf(temporary.folder, ['history', 'hosted/guide']), before)
  const done = await post('guide.test', '/-/manage', own)
  assert.deepEqual([done.status, done.headers.get('location')], [303, '/-/manage?done=publish'])
  assert.match(done.headers.get('set-cookie') ?? '', /Path=\/-\/manage;/)
  assert.equal((await resultOf(temporary.folder, ['history', 'hosted/guide'])).length, before.length + 1)
})

const valueIn = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? ''
const textAt = async (address: string, headers: Headers) =>
  address.startsWith('/brand/')
    ? (await fetch(url + address, { headers: { ...headers, accept: 'text/html' } })).text()
    : (await ask(address, { headers })).text
/** The token in the forms of a person, who has it on the page of their sessions. */
const tokenOf = async (address: string, headers: Headers) =>
  valueIn(await textAt(`/${address.split('/')[1]}/-/sessions`, headers), 'token')
const idOf = ({ cookie = '' }: Headers) => /=([0-9a-f]+)\./.exec(cookie)?.[1] ?? ''

type RoleName = keyof typeof ROLES
type Fields = Readonly<Record<string, string | Blob>>

/** A form: where it is sent, who may send it, and its fields, made once before all attempts. */
type Form = {
  address: string
  may: readonly RoleName[]
  fields: (headers: Headers) => Promise<Fields>
  isUpload?: boolean
}

const MANAGE = '/acme/guide/-/manage'
const REVIEW = '/acme/guide/-/draft/-/changes'
const EDIT = '/brand/guide/-/edit'
const MANAGERS = ['a manager', 'a manager of the guide'] as const
const EDITORS = ['an editor of the guide', 'an editor of all guides'] as const
/** Who edits a guide sees its draft. */
const REVIEWERS = ['a reviewer', ...EDITORS, ...MANAGERS] as const

/** A new draft of the guide, as a person sees it. */
async function newDraft(): Promise<string> {
  await temporary.importing('acme', { ...GUIDES, 'guide/pages/index.md': `# Home\n\n${drafts++}\n` })
  return stateText(await seenDraft(temporary.store))
}
let drafts = 0

const managing = (
  fields: (draft: string, headers: Headers) => Fields | Promise<Fields>,
  { address = MANAGE, may = MANAGERS }: Partial<Form> = {},
): Form => ({ address, may, fields: async headers => fields(await newDraft(), headers) })
const editing = (below: string, change: (form: URLSearchParams) => void): Form => ({
  address: `${EDIT}/${below}`,
  may: EDITORS,
  fields: async headers => {
    const form = formOnPage(await textAt(`${EDIT}/${below}`, headers))
    form.set('do', 'save')
    change(form)
    return Object.fromEntries(form)
  },
})
const uploading = (below: string, fields: () => Fields): Form => ({
  address: `${EDIT}/-/${below}`,
  may: EDITORS,
  isUpload: true,
  fields: async () => fields(),
})
const file = (name: string) => new File([MARK.replace('h1v1', `h2v${drafts++}`)], name, { type: 'image/svg+xml' })

const FORMS: Readonly<Record<string, Form>> = {
  'publish a draft': managing(draft => ({ do: 'publish', draft, note: 'New' })),
  'publish a draft at a time': managing(draft => ({ do: 'publish', draft, at: '2999-01-01T09:00' })),
  'plan a publication': managing(draft => ({ do: 'plan', draft, at: '2999-01-01T09:00' })),
  'cancel a plan': managing(async (draft, headers) => {
    const token = await tokenOf(MANAGE, headers)
    assert.equal((await send(MANAGE, { do: 'plan', draft, at: '2998-01-01T09:00', token }, headers)).status, 303)
    return { do: 'cancel-plan' }
  }),
  'restore a revision': managing(() => ({ do: 'restore', revision: '1', sure: 'yes' })),
  'restore a revision of the history': managing(() => ({ do: 'restore', revision: '2', sure: 'yes' }), {
    address: `${MANAGE}/history`,
  }),
  'make a link': managing(() => ({ do: 'share', of: 'guide', name: 'Studio', expires: '7d' })),
  'make a link on the page of links': managing(() => ({ do: 'share', of: 'draft', name: 'Studio', expires: '7d' }), {
    address: `${MANAGE}/links`,
  }),
  'end a link': managing(async () => {
    const { id } = await resultOf(temporary.folder, ['share', 'acme/guide'])
    return { do: 'end-share', id, sure: 'yes' }
  }),
  'change the addresses of files': managing(() => ({ do: 'rotate-files' }), { address: `${MANAGE}/links` }),
  'dismiss a request': managing(async (draft, headers) => {
    const reviewer = await ROLES['a reviewer'].headers('acme')
    const token = await tokenOf(REVIEW, reviewer)
    assert.equal((await send(REVIEW, { do: 'ask', draft, comment: 'Larger', token }, reviewer)).status, 303)
    return { do: 'dismiss', id: valueIn(await textAt(MANAGE, headers), 'id') }
  }),
  'publish ticked drafts': managing(draft => ({ do: 'publish', 'draft guide': draft }), { address: '/acme/-/manage' }),
  'end the session of somebody else': managing(
    async () => ({ do: 'end-session', id: idOf(await ROLES['a reader'].headers('acme')) }),
    { address: '/acme/-/manage', may: ['a manager'] },
  ),
  'ask for changes': managing(draft => ({ do: 'ask', draft, comment: 'Smaller' }), {
    address: REVIEW,
    may: REVIEWERS,
  }),
  'approve a draft': managing(draft => ({ do: 'approve', draft }), { address: REVIEW, may: REVIEWERS }),
  'choose mail': managing(() => ({ do: 'save', draft: 'on', answer: 'on' }), {
    address: '/acme/-/manage/mail',
    may: ['a reviewer', 'a manager'],
  }),
  'save a page': editing('voice', form => form.set('/body', `# Voice\n\nWords ${drafts++}.`)),
  'save colours': editing('-/colors', form => form.set('/items/0/hex', `#1421${10 + drafts++}`)),
  'save the settings': editing('-/project', form => form.set('/name', `Guide ${drafts++}`)),
  'make a page': editing('new-page?title=New', form => form.set('summary', 'New')),
  'delete a page': editing('gone', form => {
    form.set('do', 'delete')
    form.set('sure', 'yes')
  }),
  'replace a file': uploading('file/files/mark.svg', () => ({ do: 'replace', file: file('mark.svg') })),
  'remove a file': uploading('file/files/old.svg', () => ({ do: 'remove' })),
  'add a picture': uploading('picture?page=voice', () => ({ description: 'A mark', picture: file('photo.svg') })),
  'undo a save': {
    address: `${EDIT}/voice`,
    may: EDITORS,
    fields: async headers => {
      const form = formOnPage(await textAt(`${EDIT}/voice`, headers))
      form.set('do', 'save')
      form.set('/body', `# Voice\n\nUndo ${drafts++}.`)
      form.set('token', await tokenOf(EDIT, headers))
      const saved = await send(`${EDIT}/voice`, Object.fromEntries(form), headers)
      const commit = new URL(saved.headers.get('location') ?? '', url).searchParams.get('saved') ?? ''
      assert.match(commit, /^[0-9a-f]{40}$/)
      return { do: 'undo', commit }
    },
  },
  'make a guide': {
    address: '/brand/-/edit/new',
    may: ['an editor of all guides'],
    fields: async () => ({ name: `Guide ${drafts++}`, id: `new-${drafts}`, visibility: 'private' }),
  },
}

/** Sends a form as a page of the service does, to the service that has the workspace. */
async function send(
  address: string,
  fields: Fields,
  headers: Headers,
  isUpload = false,
): Promise<{ status: number; headers: globalThis.Headers }> {
  const form = new FormData()
  const plain = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, value)
    if (typeof value === 'string') plain.set(name, value)
  }
  if (!address.startsWith('/brand/')) return ask(address, formOf(Object.fromEntries(plain), headers))
  const body = isUpload ? form : plain
  const sent = { origin: url, accept: 'text/html', ...headers }
  return fetch(url + address, { method: 'POST', body, headers: sent, redirect: 'manual' })
}

/** Everything that the forms change. */
async function state(): Promise<unknown> {
  const tables = ['revision', 'review', 'answer', 'planned_publication', 'mail_choice', 'session', 'share']
  const queries = [...tables.map(table => `SELECT * FROM ${table}`), 'SELECT workspace, id, file_key FROM project']
  const rows = queries.map(async query => {
    const all = await temporary.store.database.all(query)
    return all.map(row => JSON.stringify({ ...row, used_at: 0, last_used_at: 0 })).toSorted()
  })
  return [await repository.git(['rev-parse', 'main']), await Promise.all(rows)]
}

/** What other sites send in the name of a person, and forms of other sessions. */
const FORGED: readonly (readonly [Fields, Headers])[] = [
  [{}, { origin: 'https://evil.example' }],
  [{}, { origin: 'null' }],
  [{}, { 'sec-fetch-site': 'cross-site' }],
  [{}, { 'sec-fetch-site': 'same-site' }],
  [{}, { 'sec-fetch-site': 'none' }],
  [{}, { 'content-type': 'text/plain' }],
  [{ token: '' }, {}],
  [{ token: 'x'.repeat(43) }, {}],
]

for (const [form, { address, may, fields, isUpload }] of Object.entries(FORMS))
  test(`only ${may.join(', ')} can ${form}, with the token of a session that has not ended`, async () => {
    const workspace = address.startsWith('/brand/') ? 'brand' : 'acme'
    const sender = await ROLES[may[0] ?? 'a manager'].headers(workspace)
    const given = await fields(sender)
    const token = await tokenOf(address, sender)
    const attempts: { who: string; headers: Headers; token: string }[] = []
    for (const [role, { headers }] of Object.entries<Role>(ROLES)) {
      const own = await headers(workspace)
      attempts.push({ who: role, headers: own, token: (await tokenOf(address, own)) || token })
      if (may.some(each => each === role))
        await temporary.store.database.run('DELETE FROM session WHERE id = ?', idOf(own))
    }
    const before = await state()
    for (const { who, headers, token: own } of attempts) {
      const { status: answer } = await send(address, { ...given, token: own }, headers, isUpload)
      assert.ok(answer === 303 || (answer >= 400 && answer < 500), `${who}: ${answer}`)
    }
    assert.deepEqual(await state(), before)
    for (const [changed, headers] of FORGED) {
      const forged = await send(address, { ...given, token, ...changed }, { ...sender, ...headers }, isUpload)
      assert.equal(forged.status, 403, JSON.stringify([changed, headers]))
    }
    assert.deepEqual(await state(), before)
    const done = await send(address, { ...given, token }, sender, isUpload)
    assert.ok(done.status === 303 || done.status === 200, `${done.status}`)
    assert.notDeepEqual(await state(), before)
  })
