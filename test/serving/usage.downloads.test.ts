import assert from 'node:assert/strict'
import test from 'node:test'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import { isDownload } from '#serving/usage.ts'
import { listUsage } from '#store/catalogue/usage.ts'
import { testService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const OF_A_PAGE = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const OF_A_PICTURE = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'
const REFERER = 'https://brand.test/acme/guide'

const REQUESTS: Readonly<Record<string, [isDownload: boolean, headers: RequestHeaders]>> = {
  'a link': [true, { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', accept: OF_A_PAGE }],
  'a link with download': [true, { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'navigate', referer: REFERER }],
  '“Save link as”': [true, { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors' }],
  'a link without https': [true, { accept: OF_A_PAGE, referer: REFERER }],
  'a link with download without https': [true, { referer: REFERER }],
  'Node’s fetch': [true, { 'sec-fetch-mode': 'cors', accept: '*/*' }],
  curl: [true, { accept: '*/*' }],
  'a program that accepts nothing in particular': [true, {}],
  'the first part of a download': [true, { range: 'bytes=0-99' }],
  'a later part of a download': [false, { range: 'bytes=100-' }],
  'a picture of a page': [false, { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors', accept: OF_A_PICTURE }],
  'an icon without https': [false, { accept: OF_A_PICTURE, referer: REFERER }],
  'a style sheet': [false, { accept: 'text/css,*/*;q=0.1' }],
  'a font': [false, { 'sec-fetch-dest': 'font', 'sec-fetch-mode': 'cors', accept: '*/*' }],
  'a font without https': [false, { accept: '*/*', origin: 'http://brand.test', referer: REFERER }],
  'a film': [false, { 'sec-fetch-dest': 'video', 'sec-fetch-mode': 'no-cors', range: 'bytes=0-' }],
  'a film without https': [false, { accept: '*/*', range: 'bytes=0-', referer: REFERER }],
  'a frame': [false, { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate', accept: OF_A_PAGE }],
  'a PDF in a page': [false, { 'sec-fetch-dest': 'embed', 'sec-fetch-mode': 'navigate', accept: OF_A_PAGE }],
  'a script of a page': [false, { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', accept: '*/*' }],
}

for (const [name, [expected, headers]] of Object.entries(REQUESTS))
  test(`a file counts as ${expected ? 'downloaded' : 'shown, not downloaded,'} for ${name}`, () => {
    assert.equal(isDownload({ headers }), expected)
  })

test('files, and archives of folders and of all files, count as downloads, but not if a page loads them', async () => {
  const temporary = await temporaryStore()
  await temporary.publishing('acme/guide', {
    'guide/project.yaml': 'name: Guide\nvisibility: public\n',
    'guide/pages/index.md': '# Home\n\n[Mark](../files/logo/mark.svg)\n',
    'guide/files/logo/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>',
  })
  const { ask, close } = await testService(temporary)
  const { text } = await ask('/acme/guide')
  const file = /\/acme\/guide\/-\/files\/[\w-]+\/mark\.svg/.exec(text)?.[0] ?? ''
  for (const address of [file, '/acme/guide/-/kits/logo.zip', '/acme/guide/-/files.zip'])
    for (const dest of ['document', 'image'])
      assert.equal((await ask(address, { headers: { 'sec-fetch-dest': dest } })).status, 200)
  assert.equal((await ask('/acme/guide/-/kits/none.zip')).status, 404)
  await close()
  const rows = await listUsage(temporary.store.database, { workspace: 'acme', project: 'guide' }, '')
  const seen = rows.flatMap(({ kind, item, count }) => (kind === 'file' ? [`${item} ${count}`] : []))
  assert.deepEqual(seen, ['files/ 1', 'files/logo/ 1', 'files/logo/mark.svg 1'])
})
