import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { imageSize } from 'image-size'
import { readSettings } from '#platform/settings/settings.ts'
import { startService } from '#program/compose/compose.ts'
import { withStore } from '#program/compose/store.ts'
import { commandsWith, housestyle } from '#test/program/cli/housestyle.ts'
import { variableInter } from '#test/support/fonts.ts'
import { POSTGRES, startPostgres } from '#test/support/postgres.ts'
import { silent } from '#test/support/service.ts'
import { temporaryFolder, writeFolder } from '#test/support/temporary.ts'
import { SMALL_BRAND } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const folder = join(await temporaryFolder(), 'my brand (new)')
await writeFolder(folder, {
  'workspace.yaml': 'id: acme\n',
  'Guide/project.yaml': 'id: guidelines\n',
  'Guide/pages/index.md': '# Welcome\n\n[Logo](marks.md) ![](../files/logo/a%20mark.svg) [All](../files/logo/)\n',
  'Guide/pages/marks.md': '---\nid: logo\n---\n# Logo\n\n## Smallest size\n\nA walrus wide.\n',
  'Guide/files/logo/a mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n',
  'Guide/files/logo/ours.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><path d="M20 20h60v60h-60z" fill="#eee"/></svg>\n',
  'Guide/files/logo/words.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>Ours</text></svg>\n',
  'Guide/files/text/inter.ttf': variableInter([['wght', 100, 400, 900]]),
  'Guide/files/files.yaml':
    'logo/a mark.svg:\n  description: The mark\nlogo/ours.svg: { ground: fog, minWidth: 24, clearSpace: 0.5 }\n',
  'Guide/styles/colors.yaml': '- name: Walrus\n  hex: "#556"\n- name: Fog\n  hex: "#667"\n',
})

/** The results of calls, one after the other. On a busy machine, the first search ends before its index is made. */
async function call(...calls: readonly [name: string, args: object][]) {
  return (await results(...calls)).map(({ structuredContent }) => structuredContent)
}

async function results(...calls: readonly [name: string, args: object][]) {
  return resultsOf(folder, ...calls)
}

async function resultsOf(folder: string, ...calls: readonly [name: string, args: object][]) {
  const replies = new Map<number, string>()
  async function* input() {
    for (const [id, [name, args]] of calls.entries())
      do {
        replies.delete(id)
        yield new TextEncoder().encode(
          `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`,
        )
        await until(() => replies.has(id))
      } while (/The search index is not ready yet/.test(replies.get(id) ?? ''))
  }
  const outBytes = async (bytes: Uint8Array) => {
    const text = new TextDecoder().decode(bytes)
    replies.set(JSON.parse(text).id, text)
  }
  await housestyle(['mcp', folder], {}, { input: input(), outBytes })
  return calls.map((_, id) => JSON.parse(replies.get(id) ?? '').result)
}

test('an agent of a folder gets the paths of its files instead of addresses of a service', async () => {
  const project = 'guidelines'
  const [projects, pages, page, files, styles, search, fetched] = await call(
    ['list_projects', {}],
    ['list_pages', { project }],
    ['get_page', { project, page: 'index' }],
    ['list_files', { project }],
    ['get_styles', { project }],
    ['search', { query: 'walrus' }],
    ['fetch', { id: 'page:guidelines/logo#smallest-size' }],
  )
  const pathOf = (url: string) => {
    assert.match(url, /^file:\/\/\/[\w%/.-]+(?:#[\w-]+)?$/)
    const path = fileURLToPath(url)
    assert.ok(existsSync(path), path)
    return path.slice(folder.length)
  }
  assert.equal(pathOf(projects.projects[0].url), '/Guide')
  const seen = pages.pages.map(({ url }: { url: string }) => pathOf(url))
  assert.deepEqual(seen, ['/Guide/pages/index.md', '/Guide/pages/marks.md'])
  const [, ...links] = /\[Logo\]\((.*)\) !\[The mark\]\((.*)\) \[All\]\((.*)\)/.exec(page.content) ?? []
  assert.deepEqual(links.map(pathOf), ['/Guide/pages/marks.md', '/Guide/files/logo/a mark.svg', '/Guide/files/logo'])
  assert.equal(files.files[0].path, join(folder, 'Guide/files/logo/a mark.svg'))
  assert.equal(pathOf(files.files[0].url), '/Guide/files/logo/a mark.svg')
  assert.equal(pathOf(styles.colors[0].url), '/Guide/styles/colors.yaml')
  assert.deepEqual(search.results.map(({ url }: { url: string }) => pathOf(url)).sort(), [
    '/Guide/pages/marks.md',
    '/Guide/styles/colors.yaml',
  ])
  assert.equal(pathOf(fetched.url), '/Guide/pages/marks.md')
  assert.match(fetched.url, /#smallest-size$/)
})

test('an agent of a folder gets the paths of the original for what a translation leaves out', async () => {
  const folder = join(await temporaryFolder(), 'acme')
  await writeFolder(folder, {
    'workspace.yaml': 'id: acme\n',
    'en/project.yaml': 'id: guide\nlang: en\n',
    'en/pages/index.md': '# Welcome\n',
    'en/pages/tone of voice.md': '---\nid: tone\n---\n# Tone\n',
    'en/files/logo/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n',
    'en/files/notes.txt': 'Read me\n',
    'en/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n',
    'de/project.yaml': 'id: leitfaden\nlang: de\ntranslationOf: guide\n',
    'de/pages/index.md': '# Hallo\n\n[Ton](tone) ![](../files/logo/mark.svg) [Alle](../files/logo/)\n',
    'de/files/notes.txt': 'Lies mich\n',
  })
  const project = 'leitfaden'
  const replies = await resultsOf(
    folder,
    ['get_page', { project, page: 'index' }],
    ['list_files', { project }],
    ['get_styles', { project }],
  )
  const [page, { files }, { colors }] = replies.map(({ structuredContent }) => structuredContent)
  const [, ...links] = /\[Ton\]\((.*)\) !\[\]\((.*)\) \[Alle\]\((.*)\)/.exec(page.content) ?? []
  const urls = [...links, ...files.map(({ url }: { url: string }) => url), colors[0].url, page.url]
  const seen = urls.map(url => fileURLToPath(url).slice(folder.length))
  assert.deepEqual(seen, [
    '/en/pages/tone of voice.md',
    '/en/files/logo/mark.svg',
    '/en/files/logo',
    '/en/files/logo/mark.svg',
    '/de/files/notes.txt',
    '/en/styles/colors.yaml',
    '/de/pages/index.md',
  ])
})

test('an agent learns what the pages of a logo and of a variable font say', async () => {
  const [logo, font, found] = await call(
    ['fetch', { id: 'file:guidelines/files/logo/ours.svg' }],
    ['fetch', { id: 'file:guidelines/files/text/inter.ttf' }],
    ['search', { query: 'inter.ttf' }],
  )
  assert.match(
    logo.text,
    /Smallest width: 24 px\. Clear space on all sides: 0\.5 of its height\. On the colours of the brand: Fog, its background, 4\.\d:1; Walrus, legible, 6\.\d:1\. On other backgrounds: #000000, legible, 18\.\d:1; #FFFFFF, do not use, 1\.1:1\.$/,
  )
  assert.match(font.text, /^Inter; Variable, 100–900\. File: files\/text\/inter\.ttf/)
  assert.match(found.results[0].text, /^Inter; Variable, 100–900\./)
})

test('an agent of a folder sees a picture, and learns of one that cannot be drawn', async () => {
  const [logo, words] = await results(
    ['fetch', { id: 'file:guidelines/files/logo/ours.svg' }],
    ['fetch', { id: 'file:guidelines/files/logo/words.svg' }],
  )
  const [, { type, data, mimeType }] = logo.content
  const { width, height, type: format } = imageSize(Buffer.from(data, 'base64'))
  assert.deepEqual([type, mimeType, width, height, format], ['image', 'image/png', 1024, 512, 'png'])
  assert.equal(words.content.length, 1)
  assert.match(words.structuredContent.text, /Its picture cannot be shown here: open the url\.$/)
})

const CALLS = [
  { name: 'search', arguments: { query: 'colour' } },
  { name: 'list_pages', arguments: { project: 'guidelines' } },
  { name: 'get_page', arguments: { project: 'guidelines', page: 'index' } },
  { name: 'lint', arguments: { project: 'guidelines', content: 'a { color: red }', kind: 'css' } },
]

test('a message of an agent that needs a killed database gets 503', POSTGRES, async () => {
  const postgres = await startPostgres()
  const folder = await temporaryFolder()
  const flags = { database: await postgres.newDatabase(), data: join(folder, 'data') }
  const run = commandsWith('--database', flags.database, '--data', flags.data)
  await writeFolder(join(folder, 'acme'), SMALL_BRAND)
  await run('import', join(folder, 'acme'))
  await run('publish', 'acme/guidelines')
  const token = (await run('token', 'issue', 'acme')).trim()
  const sources = { environment: {}, file: {}, trust: [], readSecret: () => '' }
  const settings = readSettings({ ...sources, flags: { ...flags, port: '0', rate: 'off' } })
  await withStore(settings, async store => {
    const { url, stop } = await startService(settings, store, silent)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const ask = async (call: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
      const reply = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
      return {
        status: reply.status,
        retryAfter: reply.headers.get('retry-after'),
        body: JSON.parse(await reply.text()),
      }
    }
    assert.equal((await ask({ name: 'list_projects', arguments: {} })).status, 200)
    await postgres.stop()
    for (const call of CALLS) {
      const { status, retryAfter, body } = await ask(call)
      assert.deepEqual([status, retryAfter, body.error], [503, '1', 'temporarily_unavailable'], call.name)
    }
    await stop()
  })
})
