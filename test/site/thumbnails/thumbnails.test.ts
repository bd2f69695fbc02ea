import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { servedBrand } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const PNG = readFileSync('examples/acme/guidelines/files/images/acme-share.png')
const { ask, temporary } = await servedBrand({
  'closed/project.yaml': 'visibility: private\n',
  'open/files/share "1".png': PNG,
  'open/files/broken.png': PNG.subarray(0, 4000),
  'open/files/small.png': readFileSync('examples/acme/guidelines/files/images/acme-app-icon.png'),
  'open/files/damaged.pdf': '%PDF-1.4\n%%EOF\n',
  'open/files/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000"/>',
  'closed/files/plan.png': PNG,
})
const { token } = await temporary.issue('acme')
const { text } = await ask('/acme/open/-/files')

test('cards show thumbnails of large pictures for two densities, and small pictures and drawings unchanged', () => {
  const sources = Array.from(text.matchAll(/<img (src=.*?) width=/g), ([, source = '']) =>
    source.replaceAll(/\/[\w-]{32}\//g, '/KEY/'),
  )
  const thumbnail = (name: string) => {
    const [once, twice] = [320, 640].map(width => `/acme/open/-/thumbnails/KEY/${width}/${name}`)
    return `src="${once}" srcset="${twice} 2x"`
  }
  assert.deepEqual(sources, [
    thumbnail('broken.png'),
    thumbnail('damaged.pdf'),
    'src="/acme/open/-/files/KEY/mark.svg"',
    thumbnail('share%20%221%22.png'),
    'src="/acme/open/-/files/KEY/small.png"',
  ])
})

test('a thumbnail is a small WebP, is cached like its file, and gets 304 for its ETag', async () => {
  const address = addressOf('share')
  const { status, headers, bytes } = await askMade(address)
  assert.deepEqual(
    [status, headers.get('content-type'), headers.get('cache-control'), headers.get('x-content-type-options')],
    [200, 'image/webp', 'public, max-age=3600', 'nosniff'],
  )
  assert.ok(bytes.length < PNG.length && Buffer.from(bytes).toString('latin1', 8, 12) === 'WEBP')
  const etag = headers.get('etag') ?? ''
  const again = await ask(address, { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, again.headers.get('etag'), again.bytes.length], [304, etag, 0])
  const head = await ask(address, { method: 'HEAD' })
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
  const larger = await askMade(address.replace('/320/', '/640/'))
  assert.equal(larger.status, 200)
  assert.notEqual(larger.headers.get('etag'), etag)
})

test('instead of a picture that cannot be made smaller, the picture itself is shown', async () => {
  const address = addressOf('broken')
  for (const _ of ['made', 'remembered']) {
    const { status, headers } = await ask(address)
    assert.deepEqual([status, headers.get('cache-control')], [307, 'no-store'])
    assert.equal(headers.get('location'), address.replace('/thumbnails/', '/files/').replace('/320/', '/'))
  }
})

test('instead of a page of a PDF that cannot be drawn, a picture with the word is shown, and not kept', async () => {
  const [address = ''] = /[^"]+\/320\/damaged\.pdf/.exec(text) ?? []
  const made = await ask(address)
  const seen = [made.status, made.headers.get('content-type'), made.headers.get('cache-control')]
  assert.deepEqual(seen, [200, 'image/svg+xml', 'no-store'])
})

test('thumbnails exist only in some widths, of large pictures, under unguessable keys', async () => {
  const address = addressOf('share')
  const small = /src="([^"]+small\.png)"/.exec(text)?.[1] ?? ''
  const wrong = [
    address.replace('/320/', '/321/'),
    address.replace('/320/', '/0320/'),
    address.replace(/thumbnails\/.{4}/, 'thumbnails/AAAA'),
    address.replace('share', 'other'),
    `${address}/more`,
    small.replace('/files/', '/thumbnails/').replace('/small', '/320/small'),
    address.replace('/acme/open/', '/acme/closed/'),
  ]
  for (const each of wrong) assert.equal((await ask(each)).status, 404, each)
})

test('the address of a private picture also opens its thumbnail, which no shared cache may keep', async () => {
  const list = await ask('/acme/closed/-/files', { token })
  const address = /src="([^"]+\/320\/plan\.png)"/.exec(list.text)?.[1] ?? ''
  const { status, headers } = await askMade(address)
  assert.deepEqual([status, headers.get('cache-control')], [200, 'private, no-cache'])
})

function addressOf(name: string): string {
  return new RegExp(`src="([^"]+/320/${name}[^"]*)"`).exec(text)?.[1] ?? ''
}

/** The reply to a request for a thumbnail once it is made; until then, a busy machine redirects to the file. */
async function askMade(address: string): Promise<Awaited<ReturnType<typeof ask>>> {
  await until(async () => (await ask(address)).status !== 307)
  return await ask(address)
}
