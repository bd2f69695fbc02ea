import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Database } from '#store/database/database.ts'
import { cookieOf, share, type TestService, testService } from '../support/service.ts'
import { resultOf, temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
const { folder } = temporary

const picture = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><path fill="${color}" d="M0 0h9v9z"/></svg>\n`

const PUBLISHED = {
  'pages/index.md': '# Home\n\n![Logo](../files/logo.svg)\n',
  'pages/logo.md': '# Logo\n\n[Plan](../files/plan.txt)\n',
  'pages/lost.md': '# Lost page\n',
  'styles/colors.yaml': '- { name: Red, hex: "#ff0000" }\n- { name: Lost colour, hex: "#0000ff" }\n',
  'styles/types.yaml': '- { name: Body, family: Sans, size: 16 }\n',
  'files/logo.svg': picture('red'),
  'files/plan.txt': 'First plan',
  'files/same.txt': 'Same',
}
const DRAFT = {
  'pages/index.md': '# Home of the draft\n\n![Logo](../files/logo.svg)\n',
  'pages/logo.md': '---\naliases: [mark]\n---\n\n# Logo\n\n[Plan](../files/plan.txt) [New](../files/new.txt)\n',
  'pages/draft.md': '# A page called draft\n',
  'styles/colors.yaml': '- { name: Red, hex: "#ee1100" }\n- { name: Fresh, hex: "#00ff00" }\n',
  'styles/types.yaml': '- { name: Body, family: Sans, size: 17 }\n',
  'files/logo.svg': picture('green'),
  'files/plan.txt': 'Second plan',
  'files/new.txt': 'New',
}

/** Imports files into a project of a workspace. */
async function importing(workspace: string, project: string, files: object, settings = 'name: Guide\n'): Promise<void> {
  const named = Object.entries(files).map(([path, text]) => [`${project}/${path}`, text])
  await temporary.importing(workspace, { [`${project}/project.yaml`]: settings, ...Object.fromEntries(named) })
}

/** Makes a project whose draft differs from its published revision. */
async function publishedWithDraft(workspace: string, settings?: string): Promise<void> {
  await importing(workspace, 'guide', PUBLISHED, settings)
  await temporary.publish(`${workspace}/guide`)
  await rm(join(folder, workspace, 'guide/pages/lost.md'))
  await importing(workspace, 'guide', DRAFT, settings)
}

before(() => publishedWithDraft('acme'))

/** Asks a service as the reader of a link. */
async function readerOf(service: TestService, { path }: { path: string }) {
  const cookie = cookieOf(await service.ask(path))
  return (target: string, headers = {}) => service.ask(target, { headers: { cookie, ...headers } })
}

async function assertUnknown({ ask }: TestService, path: string, headers = {}): Promise<void> {
  const invented = path.replace(/^\/[^/]+/, '/nowhere')
  const [answer, unknown] = [await ask(path, { headers }), await ask(invented)]
  assert.deepEqual([answer.status, answer.text, ...answer.headers], [404, unknown.text, ...unknown.headers], path)
}

const FILE = /\/-\/files\/[\w-]{32}\//

/** The addresses in the attributes of a page, and in Markdown, without fragments. */
function addressesIn(text: string): string[] {
  const found = text.matchAll(/(?:href|src|action|data-copy)="(\/[^"#]*|http:\/\/brand\.test[^"#]*)|\]\((http:[^)#]*)/g)
  return Array.from(found, ([, attribute, link]) => (attribute ?? link ?? '').replace('http://brand.test', ''))
}

test('a draft link sets a cookie only for the draft, and redirects to its clean address', async () => {
  const { path } = await share(folder, 'acme/guide', '--draft')
  assert.match(path, /^\/acme\/guide\/-\/draft\/-\/share\/[\w-]{32}$/)
  const { ask } = await testService(temporary)
  for (const method of ['GET', 'HEAD']) {
    const visited = await ask(path, { method })
    assert.equal(visited.status, 303)
    const { 'set-cookie': _, ...headers } = Object.fromEntries(visited.headers)
    assert.deepEqual(headers, {
      location: '/acme/guide/-/draft',
      'cache-control': 'no-store',
      'content-length': '0',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    const [set = '', ...others] = visited.headers.getSetCookie()
    assert.match(
      set,
      /^housestyle_draft_acme_guide=[0-9a-f]{16}\.\d+\.[\w-]{43}; Max-Age=25\d{5}; Path=\/acme\/guide\/-\/draft; HttpOnly; SameSite=Lax$/,
    )
    assert.deepEqual(others, [set.replace('/-/draft;', '/-/draft.md;')])
  }
})

test('every page and file of a draft is below its address, private and not indexed, under a banner with its date', async () => {
  const service = await testService(temporary)
  const ask = await readerOf(service, await share(folder, 'acme/guide', '--draft', '--name', 'Nord'))
  const home = '/acme/guide/-/draft'
  const [due, seen, types] = [[home], new Set<string>(), new Set<string>()]
  for (let path = due.pop(); path !== undefined; path = due.pop()) {
    if (seen.has(path) || path.startsWith('/assets/')) continue
    seen.add(path)
    assert.ok(path === home || path === `${home}.md` || path.startsWith(`${home}/`), path)
    // The address of a form, which adds a width.
    const query = path.includes('/-/png/') && !path.includes('?') ? '?width=512' : ''
    const { status, headers, text } = await ask(path.replaceAll('&#38;', '&') + query)
    assert.equal(status, 200, path)
    assert.match(headers.get('cache-control') ?? '', /^private|^no-store/, path)
    const type = headers.get('content-type') ?? ''
    types.add(type)
    if (type.startsWith('text/html')) {
      assert.equal(headers.get('x-robots-tag'), 'noindex', path)
      assert.match(text, /<meta name="robots" content="noindex">/, path)
      assert.match(text, /<aside class="draft" aria-label="Draft"><p>Draft since <time datetime="[^"]+">\d+ \w+ \d{4}/)
      assert.match(text, /<a href="\/acme\/guide\/-\/draft\/-\/changes"[^>]*>Changes since publication<\/a><\/aside>/)
      assert.doesNotMatch(text, /claude mcp add|housestyle export/, path)
    }
    due.push(...addressesIn(text))
  }
  for (const type of ['text/html; charset=utf-8', 'text/markdown; charset=utf-8', 'image/svg+xml', 'application/zip'])
    assert.ok(types.has(type), type)
  const { text } = await ask(home)
  assert.match(text, /<h1[^>]*>Home of the draft/)
  assert.match(text, /For Nord, until/)
  assert.match((await ask(`${home}/draft`)).text, /A page called draft/)
  assert.match((await ask(`${home}.md`)).text, /# Home of the draft/)
  assert.equal((await ask(`${home}/`)).headers.get('location'), home)
  assert.equal((await ask(`${home}/mark`)).headers.get('location'), `${home}/logo`)
  const found = await ask(`${home}/-/search?q=fresh`, { accept: 'application/json' })
  assert.match(found.text, /"\/acme\/guide\/-\/draft\/-\/contrast\/fresh"/)
  const missing = await ask(`${home}/nope`)
  assert.equal(missing.status, 404)
  assert.match(missing.text, /<aside class="draft"/)
  for (const hidden of ['/-/draft', '/-/mcp', '/-/share/x'])
    assert.equal((await ask(home + hidden)).status, 404, hidden)
  const etag = (await ask(home)).headers.get('etag') ?? ''
  assert.equal((await ask(home, { 'if-none-match': etag })).status, 304)
})

test('the changes of a draft are those since publication, with changed lines, removed names and old pictures', async () => {
  const service = await testService(temporary)
  const ask = await readerOf(service, await share(folder, 'acme/guide', '--draft'))
  const { text } = await ask('/acme/guide/-/draft/-/changes')
  const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''
  assert.match(main, /<p>Since revision 1 of \d+ \w+ \d{4}:<\/p>/)
  for (const name of ['A page called draft', 'Lost page', '#ff0000', '#ee1100', 'Fresh', 'Lost colour', '>Body<'])
    assert.ok(main.includes(name), name)
  assert.match(main, /<pre class="diff"[^>]*><code>@@ [^\n]*\n<del>-# Home<\/del>\n<ins>\+# Home of the draft<\/ins>\n/)
  const pictures = Array.from(main.matchAll(/<img src="([^"]*logo\.svg)"/g), ([, address = '']) => address)
  const bodies = await Promise.all(pictures.map(async address => (await ask(address)).text))
  assert.deepEqual([...new Set(bodies)], [picture('red'), picture('green')])
  await importing('acme', 'guide', DRAFT, 'name: Renamed\n')
  await service.follow()
  const renamed = await ask('/acme/guide/-/draft/-/changes')
  assert.match(renamed.text, /The name, theme or other settings of the guide have changed\./)
  await importing('acme', 'guide', DRAFT)
})

test('a draft link never opens the published guide, its link never opens the draft, and tokens open no draft', async () => {
  await importing('kinds', 'guide', PUBLISHED)
  await temporary.publish('kinds/guide')
  await importing('kinds', 'guide', DRAFT)
  const service = await testService(temporary)
  const links = { draft: await share(folder, 'kinds/guide', '--draft'), guide: await share(folder, 'kinds/guide') }
  const cookies = {
    draft: cookieOf(await service.ask(links.draft.path)),
    guide: cookieOf(await service.ask(links.guide.path)),
  }
  const renamed = {
    draft: cookies.draft.replace('housestyle_draft_', 'housestyle_'),
    guide: cookies.guide.replace('housestyle_', 'housestyle_draft_'),
  }
  for (const cookie of [cookies.draft, renamed.draft]) await assertUnknown(service, '/kinds/guide', { cookie })
  for (const cookie of [cookies.guide, renamed.guide]) await assertUnknown(service, '/kinds/guide/-/draft', { cookie })
  const secretOf = ({ path }: { path: string }) => path.split('/').at(-1)
  await assertUnknown(service, `/kinds/guide/-/share/${secretOf(links.draft)}`)
  await assertUnknown(service, `/kinds/guide/-/draft/-/share/${secretOf(links.guide)}`)
  const { token } = await temporary.issue('kinds')
  assert.equal((await service.ask('/kinds/guide', { token })).status, 200)
  for (const path of ['/kinds/guide/-/draft', '/kinds/guide/-/draft/logo.md', '/kinds/guide/-/draft/-/files.zip']) {
    const [answer, unknown] = [await service.ask(path, { token }), await service.ask('/kinds/unknown', { token })]
    assert.deepEqual([answer.status, answer.text, ...answer.headers], [404, unknown.text, ...unknown.headers], path)
  }
  const api = await service.ask('/beta/workspace/kinds/project/guide/pages', { token })
  assert.ok(!api.text.includes('draft'), api.text)
})

test('the files of a draft need its cookie, and their keys never work at the published address', async () => {
  await publishedWithDraft('files', 'visibility: public\n')
  const service = await testService(temporary)
  const link = await share(folder, 'files/guide', '--draft')
  const ask = await readerOf(service, link)
  const files = addressesIn((await ask('/files/guide/-/draft/-/files')).text).filter(path => FILE.test(path))
  assert.ok(files.length >= 4, `${files}`)
  for (const path of files) {
    const answer = await ask(path)
    assert.equal(answer.status, 200, path)
    assert.match(answer.headers.get('cache-control') ?? '', /^private, no-cache$/, path)
    await assertUnknown(service, path)
    await assertUnknown(service, path.replace('/-/draft/', '/'))
  }
  await temporary.publish('files/guide')
  await service.follow()
  for (const path of files) await assertUnknown(service, path.replace('/-/draft/', '/'))
  const published = addressesIn((await service.ask('/files/guide/-/files')).text).filter(path => FILE.test(path))
  for (const path of published) {
    assert.equal((await service.ask(path)).status, 200, path)
    assert.equal((await ask(path.replace('/-/', '/-/draft/-/'))).status, 404, path)
  }
  await resultOf(folder, ['share', 'revoke', link.id])
  await service.follow()
  for (const path of files) assert.equal((await ask(path)).status, 404, path)
})

test('a draft link follows imports and publications, and an unchanged draft says so', async () => {
  await importing('follow', 'guide', PUBLISHED)
  await temporary.importing('follow', { 'other/project.yaml': 'name: Other\n' })
  const service = await testService(temporary)
  await assertUnknown(service, '/follow/guide/-/draft')
  const ask = await readerOf(service, await share(folder, 'follow/guide', '--draft'))
  const banner = async () => {
    const { status, text } = await ask('/follow/guide/-/draft')
    assert.equal(status, 200)
    return /<aside class="draft"[^>]*>(.*?)<\/aside>/s.exec(text)?.[1]?.replace(/<\/?(?:p|time)[^>]*>/g, '')
  }
  const unpublished = /^Draft since \d+ \w+ \d{4}, not published\n<a href="[^"]*\/-\/changes">Review<\/a>$/
  assert.match((await banner()) ?? '', unpublished)
  assert.match((await ask('/follow/guide/-/draft/-/changes')).text, /Nothing has been published yet\./)
  await assertUnknown(service, '/follow/guide')
  await temporary.publish('follow/guide')
  await service.follow()
  assert.match((await banner()) ?? '', /^Draft, unchanged since revision 1 of \d+ \w+ \d{4}$/)
  assert.doesNotMatch((await ask('/follow/guide/-/draft')).text, /-\/changes"/)
  assert.match((await ask('/follow/guide/-/draft/-/changes')).text, /No page has changed\./)
  await importing('follow', 'guide', DRAFT)
  await service.follow()
  assert.match((await banner()) ?? '', /not published\n<a href="[^"]*">Changes since publication<\/a>$/)
  assert.match((await ask('/follow/guide/-/draft')).text, /Home of the draft/)
  await resultOf(folder, ['unpublish', 'follow/guide'])
  await service.follow()
  assert.match((await banner()) ?? '', unpublished)
})

test('pages of an unchanged draft stay in memory when another project of its workspace changes', async () => {
  await importing('stays', 'guide', DRAFT)
  await temporary.importing('stays', { 'other/project.yaml': 'name: Other\n' })
  const { store } = temporary
  let queries = 0
  const database: Database = {
    ...store.database,
    get: (...query) => {
      queries++
      return store.database.get(...query)
    },
    all: (...query) => {
      queries++
      return store.database.all(...query)
    },
  }
  const service = await testService({ store: { ...store, database } })
  const ask = await readerOf(service, await share(folder, 'stays/guide', '--draft'))
  await service.follow()
  const pages = ['/stays/guide/-/draft', '/stays/guide/-/draft/-/colors']
  for (const page of pages) assert.equal((await ask(page)).status, 200)
  await temporary.importing('stays', { 'other/project.yaml': 'name: Changed\n' })
  await service.follow()
  const before = queries
  for (const page of pages) assert.equal((await ask(page)).status, 200)
  assert.equal(queries, before)
})
