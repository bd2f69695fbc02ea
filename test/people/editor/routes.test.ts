import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import type { Service } from '#program/http/service/service.ts'
import { listLatest } from '#store/catalogue/catalogue.ts'
import { saveEditLinks } from '#store/catalogue/edit-links.ts'
import { EDIT, editorService, SOURCE } from '../../support/editor-service.ts'
import { sessionCookie } from '../../support/people-service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { type Visit, visitor } from '../../support/visitor.ts'

const PAGE = { 'pages/index.md': '# Welcome\n', 'styles/colors.yaml': '- name: Ink\n  hex: "#000000"\n' }
const inFolder = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
const PUBLIC = { ...PAGE, 'project.yaml': 'name: Guide\nvisibility: public\n' }
const HASH = 'a'.repeat(40)

const temporary = await temporaryStore()
const workspace = (edit: string) => ({ 'workspace.yaml': `name: Acme\nedit: ${edit}\n` })
await temporary.importing('acme', { ...workspace(EDIT), ...inFolder('guide', PUBLIC), ...inFolder('secret', PAGE) })
await temporary.importing('closed', { ...workspace(EDIT), ...inFolder('guide', PAGE) })
await temporary.importing('foreign', {
  ...workspace('https://github.evil.example/acme/brand/edit/main/{path}'),
  ...inFolder('guide', PUBLIC),
})
for (const place of ['acme/guide', 'acme/secret', 'closed/guide', 'foreign/guide']) await temporary.publish(place)

const SHOP = { url: 'https://github.com/acme/brand.git', ref: 'shop', publish: 'auto' } as const
const one = await editorService(temporary)
await one.pulled(HASH)

async function get(service: Service, path: string, cookie?: string): Promise<Visit> {
  return visitor(service).get(path, cookie === undefined ? {} : { cookie })
}

function preview(
  service: Service,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Visit> {
  return visitor(service).post('/-/edit/preview', fields, headers)
}

/** The ids of the projects in a configuration, by its collections. */
function projectsIn({ status, text }: Visit): string[] {
  assert.equal(status, 200, text)
  const { collections } = JSON.parse(text)
  return collections.flatMap(({ name }: { name: string }) =>
    name.endsWith('_pages') ? name.replace('_pages', '') : [],
  )
}

test('the configuration has for each guide its address, look, and pages in their order', async () => {
  const { app_title, guides } = JSON.parse((await get(one.service, '/-/edit/config.json')).text)
  const { look, ...guide } = guides.guide_pages
  assert.equal(app_title, 'Acme')
  assert.deepEqual(guide, {
    project: 'guide',
    name: 'Guide',
    paths: ['index'],
    names: { index: 'Welcome' },
    pictures: [],
    media: 'brand/guide/files',
  })
  assert.equal(look.address, 'http://brand.test/acme/guide')
  for (const scheme of ['light', 'dark']) assert.ok(look.sheet.includes(`html:root[data-theme="${scheme}"] {`))
  assert.match(look.sheet, /--guide-ground: #[\da-f]{6};/)
})

test('the preview shows a page with another text, as the guide would, and keeps nothing', async () => {
  const { status, headers, text } = await preview(one.service, {
    project: 'guide',
    page: 'index',
    text: '# Hello\n\n[Home](index.md), [ink](../styles/colors.yaml#ink), [none](none.md)\n<script>alert(1)</script>',
  })
  assert.equal(status, 200)
  assert.deepEqual([headers.get('cache-control'), headers.get('content-security-policy')], ['no-store', 'sandbox'])
  assert.match(text, /<h1 id="hello">Hello/)
  assert.match(text, /<a href="\/acme\/guide">Home<\/a>/)
  assert.match(text, /href="\/acme\/guide\/-\/colors#color-ink"/)
  assert.doesNotMatch(text, /alert\(1\)/)
  assert.match((await get(one.service, '/acme/guide')).text, /Welcome/)
})

test('only pages of this service can ask for a preview, and only of published pages that the person may edit', async () => {
  const form = { project: 'guide', page: 'index', text: 'Hello' }
  for (const [fields, headers] of [
    [form, { 'sec-fetch-site': 'cross-site' }],
    [form, { origin: 'https://evil.example' }],
    [form, { 'content-type': 'text/plain' }],
    [{ ...form, project: 'secret' }, {}],
    [{ ...form, page: 'unknown' }, {}],
  ] as const)
    assert.equal((await preview(one.service, fields, headers)).status, 404, JSON.stringify([fields, headers]))
  const cookie = await sessionCookie(temporary, 'acme', { projects: ['secret'] })
  assert.equal((await preview(one.service, { ...form, project: 'secret' }, { cookie })).status, 200)
})

test('the editor of a followed repository is a page with its own policy, and no shared cache keeps it', async () => {
  const { status, headers, text } = await get(one.service, '/-/edit/')
  assert.equal(status, 200)
  assert.match(text, /<title>Edit Acme<\/title>/)
  const { 'content-security-policy': policy = '', etag = '', ...rest } = Object.fromEntries(headers)
  assert.match(etag, /^"[\w-]+"$/)
  assert.deepEqual(rest, {
    'cache-control': 'private, no-cache',
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    vary: 'Accept-Encoding, Cookie',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  })
  for (const part of ["default-src 'none'; script-src 'sha256-", "; form-action 'none'", "; frame-ancestors 'none'"])
    assert.ok(policy.includes(part), policy)
  assert.match(policy, /; connect-src 'self' blob: https:\/\/github\.com https:\/\/api\.github\.com;/)
  const [, sources = ''] = /; script-src ([^;]*);/.exec(policy) ?? []
  const integrity = [...text.matchAll(/<script defer src="([\w.-]+)" integrity="([^"]+)"/g)]
  const expected = integrity.map(([, , hash]) => `'${hash}'`)
  assert.deepEqual(sources.split(' '), expected)
  const names = integrity.map(([, name]) => name)
  assert.deepEqual(names, 'editor.js forms.js status.js saves.js versions.js sveltia-cms.js formats.js'.split(' '))
  const script = await get(one.service, '/-/edit/status.js')
  const digest = createHash('sha256').update(script.text).digest('base64')
  assert.ok(integrity.some(([, name, hash]) => name === 'status.js' && hash === `sha256-${digest}`))
  assert.deepEqual([script.status, script.headers.get('content-type')], [200, 'text/javascript; charset=utf-8'])
  assert.equal((await get(one.service, '/-/edit/unknown.js')).status, 404)
  const { status: moved, headers: where } = await get(one.service, '/-/edit')
  assert.deepEqual([moved, where.get('location')], [308, '/-/edit/'])
})

test('the configuration names only projects that the person may see', async () => {
  assert.deepEqual(projectsIn(await get(one.service, '/-/edit/config.json')), ['guide'])
  const cookieFor = (projects?: string[]) => sessionCookie(temporary, 'acme', projects ? { projects } : {})
  for (const [cookie, projects] of [
    [await cookieFor(), ['guide', 'secret']],
    [await cookieFor(['secret']), ['guide', 'secret']],
    [await cookieFor(['guide']), ['guide']],
    [await sessionCookie(temporary, 'acme', { isEnded: true }), ['guide']],
    [await sessionCookie(temporary, 'closed'), ['guide']],
  ] as const)
    assert.deepEqual(projectsIn(await get(one.service, '/-/edit/config.json', cookie)), projects)
})

test('the configuration has the place of the repository, and offers only a token without an app', async () => {
  const { backend } = JSON.parse((await get(one.service, '/-/edit/config.json')).text)
  assert.deepEqual(backend, { name: 'github', repo: 'acme/brand', branch: 'main', auth_methods: ['token'] })
  const githubApp = { id: 'Iv1.app', secret: 'hunter2' }
  const withApp = await editorService(temporary, { githubApp, publicUrl: 'https://brand.test' })
  await withApp.pulled(HASH)
  const { text } = await get(withApp.service, '/-/edit/config.json')
  const { backend: signin } = JSON.parse(text)
  assert.deepEqual([signin.base_url, signin.auth_endpoint], ['https://brand.test', '-/edit/auth'])
  assert.doesNotMatch(text, /hunter2/)
})

test('the editor of private guides is for their people; for others, its addresses are as unknown ones', async () => {
  const closed = await editorService(temporary)
  await closed.pulled(HASH, { workspace: 'closed' })
  const cookie = await sessionCookie(temporary, 'closed')
  assert.deepEqual(projectsIn(await get(closed.service, '/-/edit/config.json', cookie)), ['guide'])
  for (const path of [
    '/-/edit',
    '/-/edit/',
    '/-/edit/new',
    '/-/edit/config.json',
    '/-/edit/status.js',
    '/-/edit/events?commit=a',
  ])
    for (const other of [undefined, await sessionCookie(temporary, 'acme')]) {
      const reply = await get(closed.service, path, other)
      const unknown = await get(closed.service, path.replace('edit', 'other'), other)
      assert.equal(reply.status, unknown.status)
      if (reply.status === 308) continue
      assert.deepEqual([reply.status, reply.text, [...reply.headers]], [404, unknown.text, [...unknown.headers]])
    }
})

test('with several repositories, each workspace has its editor, and none is at the root', async () => {
  const both = await editorService(temporary, { git: [SOURCE, SHOP] })
  await both.pulled(HASH)
  await both.pulled(HASH, { workspace: 'foreign' }, SHOP)
  assert.deepEqual(projectsIn(await get(both.service, '/acme/-/edit/config.json')), ['guide'])
  const { status, headers } = await get(both.service, '/acme/-/edit')
  assert.deepEqual([status, headers.get('location')], [308, '/acme/-/edit/'])
  assert.match((await get(both.service, '/acme/-/edit/')).text, /<title>Edit Acme</)
  for (const path of ['/-/edit/config.json', '/closed/-/edit/config.json', '/foreign/-/edit/config.json'])
    assert.equal((await get(both.service, path)).status, 404, path)
})

test('below the path of the public URL, the editor of a workspace is found', async () => {
  const below = await editorService(temporary, { git: [SOURCE, SHOP], publicUrl: 'http://brand.test/brand' })
  await below.pulled(HASH)
  assert.deepEqual(projectsIn(await get(below.service, '/brand/acme/-/edit/config.json')), ['guide'])
  assert.equal((await get(below.service, '/brand/acme/-/edit')).headers.get('location'), '/brand/acme/-/edit/')
})

test('with edit: review, the editor proposes changes', async () => {
  const own = await temporaryStore()
  await own.publishing('acme/guide', { ...workspace(EDIT), ...inFolder('guide', PUBLIC) })
  const service = await editorService(own)
  await service.pulled(HASH)
  const mode = async () => JSON.parse((await get(service.service, '/-/edit/config.json')).text).publish_mode
  assert.equal(await mode(), undefined)
  const { database } = own.store
  const [record] = await listLatest(database, 1)
  assert.ok(record)
  const paths = { folder: 'guide', pages: {}, isReviewed: true } as const
  await database.transaction(queries => saveEditLinks(queries, record, EDIT, paths))
  assert.equal(await mode(), 'editorial_workflow')
})

test('the page that adds a guide says why a repository cannot get one, and what to do instead', async () => {
  const own = await temporaryStore()
  await own.publishing('acme/guide', { ...workspace(EDIT), ...inFolder('guide', PUBLIC) })
  await own.publishing('lone/lone', { ...workspace(EDIT), ...PUBLIC })
  const service = await editorService(own)
  await service.pulled(HASH, { workspace: 'lone' })
  const page = async () => (await get(service.service, '/-/edit/new')).text
  assert.match(await page(), /This repository is one guide: .*<code>housestyle init<\/code>/)
  await service.pulled('b'.repeat(40))
  assert.match(await page(), /<form hidden/)
  const { database } = own.store
  const record = (await listLatest(database, 2)).find(({ project }) => project === 'guide')
  assert.ok(record)
  const paths = { folder: 'guide', pages: {}, isReviewed: true } as const
  await database.transaction(queries => saveEditLinks(queries, record, EDIT, paths))
  const reviewed = await page()
  assert.match(reviewed, /only after a review: .*<code>housestyle init<\/code>/)
  assert.doesNotMatch(reviewed, /<form/)
})

test('a service that follows no repository has no editor', async () => {
  const none = await editorService(temporary, { git: [] })
  for (const path of ['/-/edit', '/acme/-/edit', '/-/edit/config.json'])
    assert.equal((await get(none.service, path)).status, 404)
})
