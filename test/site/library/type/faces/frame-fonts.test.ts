import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { BrandFile } from '#brand/file.ts'
import { type FontReader, openFontReader } from '#brand/fonts/font-reader.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { openFile } from '#serving/downloads/file-reply.ts'
import { frameFaces, prepareFonts, subsetReply, withFontPreloads } from '#site/library/type/faces/frame-fonts.ts'
import { themeOf } from '#site/theme/guide-theme.ts'
import { INTER, interWith } from '#test/support/fonts.ts'
import { guideOf } from '#test/support/guide.ts'
import { testService } from '#test/support/service.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

/** Inter with other embedding rights (OS/2 fsType). */
function interWithRights(fsType: number): Buffer {
  const table = Buffer.from(INTER.get('OS/2') ?? [])
  table.writeUInt16BE(fsType, 8)
  return interWith({ 'OS/2': table })
}

const temporary = await temporaryStore()
const FONTS = { open: interWithRights(0), whole: interWithRights(0x100), secret: interWithRights(0) }
for (const [project, font] of Object.entries(FONTS)) {
  await temporary.importing('acme', {
    [`${project}/project.yaml`]: `visibility: ${project === 'secret' ? 'private' : 'public'}\ntheme: { body: body }\n`,
    [`${project}/styles/types.yaml`]: '- { name: Body, family: Inter }\n',
    [`${project}/files/inter.ttf`]: font,
  })
  await temporary.publish(`acme/${project}`)
}
const { token } = await temporary.issue('acme')
const { ask } = await testService(temporary)

/** The addresses of the fonts in the theme of a guide: the whole font, then its subsets. */
async function addressesOf(project: string): Promise<string[]> {
  const { text } = await ask(`/acme/${project}/-/theme.css`, { token })
  return Array.from(text.matchAll(/url\("([^"]+)"\)/g), ([, address = '']) => address)
}

test('a font of the theme has a subset at an address that never changes its content', async () => {
  // A page waits some seconds for the facts of its fonts, which may be too short on a busy machine.
  await until(async () => (await addressesOf('open')).length > 1)
  const [whole = '', latin = ''] = await addressesOf('open')
  assert.match(latin, /^\/acme\/open\/-\/fonts\/[0-9a-f]{16}\/inter-latin\.woff2$/)
  const { status, headers, bytes } = await ask(latin)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'font/woff2')
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.ok(bytes.length < (await ask(whole)).bytes.length / 2)
  assert.deepEqual((await ask(latin)).bytes, bytes)
  const etag = headers.get('etag') ?? ''
  assert.equal((await ask(latin, { headers: { 'if-none-match': etag } })).status, 304)
  assert.equal((await ask(latin.replace(/[0-9a-f]{16}/, '0'.repeat(16)))).status, 404)
})

test('a page names the subsets of its fonts without making them, and they are made after all facts are read', async () => {
  const { files } = temporary.store
  const reader = openFontReader((workspace, file) => openFile(files, workspace, file), openCaches())
  after(() => reader.close())
  const calls: string[] = []
  const fontFacts: FontReader['facts'] = (workspace, file) => {
    calls.push(`facts of ${file.path}`)
    return reader.facts(workspace, file)
  }
  const fontSubset = (_: string, file: BrandFile) => {
    calls.push(`subset of ${file.path}`)
    return undefined
  }
  const guide = await guideOf(temporary.store, 'acme', 'open', { fontFacts, fontSubset })
  const page = { bytes: Buffer.from('<p>Words</p>'), type: [], about: [] }
  const { type } = await withFontPreloads(guide, page)
  assert.match(type.join(), /^Link,<\/acme\/open\/-\/fonts\/[0-9a-f]{16}\/inter-latin\.woff2>; rel=preload; /)
  assert.deepEqual(new Set(calls), new Set(['facts of files/inter.ttf']))
  calls.length = 0
  await prepareFonts([guide, guide])
  assert.deepEqual(calls.map(call => call.split(' ')[0]).slice(0, 4), ['facts', 'facts', 'subset', 'subset'])
})

test('only users with access get a subset of a font of a private guide', async () => {
  const [, latin = ''] = await addressesOf('secret')
  assert.equal((await ask(latin)).status, 404)
  const { status, headers } = await ask(latin, { token })
  assert.deepEqual([status, headers.get('cache-control')], [200, 'private, max-age=31536000, immutable'])
})

test('a font whose rights forbid subsets is loaded whole', async () => {
  const addresses = await addressesOf('whole')
  assert.equal(addresses.length, 1)
  assert.match(addresses[0] ?? '', /^\/acme\/whole\/-\/files\//)
  const { headers } = await ask('/acme/whole')
  assert.ok(headers.get('link')?.startsWith(`<${addresses[0]}>; rel=preload; as=font; type="font/ttf"`))
})

test('if a subset cannot be made, its address has the whole font', async () => {
  const { files } = temporary.store
  const reader = openFontReader((workspace, file) => openFile(files, workspace, file), openCaches())
  after(() => reader.close())
  const fontSubset = () => Promise.reject(new Error('no process'))
  const guide = await guideOf(temporary.store, 'acme', 'open', { fontFacts: reader.facts, fontSubset })
  const [whole, gone] = [200, 404].map(status => ({ status, headers: [], body: undefined }))
  assert.ok(whole && gone)
  const downloads = { reply: async (_: unknown, { path }: BrandFile) => (path === 'files/inter.ttf' ? whole : gone) }
  const request = { method: 'GET', path: '', query: '', headers: {}, authorizations: 0, address: '' }
  const { subsets } = await frameFaces(guide, await themeOf(guide.publication))
  assert.equal(await subsetReply(downloads, guide, subsets[0]?.below ?? '', request), whole)
})
