import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', {
  'open/project.yaml': 'name: The open one\nvisibility: public\n',
  'closed/project.yaml': 'name: The closed one\n',
})
await temporary.importing('other', { 'guide/project.yaml': 'name: The other one\nvisibility: public\n' })
for (const place of ['acme/open', 'acme/closed', 'other/guide']) await temporary.publish(place)
const { token } = await temporary.issue('acme')
const { ask, follow } = await testService(temporary)

for (const [path, closed] of [
  ['/', 'The closed one'],
  ['/acme', 'The closed one'],
  ['/sitemap.xml', '/acme/closed/'],
] as const) {
  test(`${path} is compressed, and not sent again to who has it`, async () => {
    const plain = await ask(path)
    const packed = await ask(path, { headers: { 'accept-encoding': 'br' } })
    assert.deepEqual([packed.headers.get('content-encoding'), packed.text], ['br', plain.text])
    assert.ok(packed.bytes.length < plain.bytes.length)
    assert.deepEqual(
      [plain.headers.get('cache-control'), plain.headers.get('vary')],
      ['public, no-cache', 'Accept-Encoding'],
    )
    const again = await ask(path, { headers: { 'if-none-match': plain.headers.get('etag') ?? '' } })
    assert.deepEqual([again.status, again.bytes.length], [304, 0])
  })

  test(`${path} is the same for everyone, and has no private project`, async () => {
    const { text } = await ask(path)
    assert.ok(!text.includes(closed))
    for (const asking of [{ token }, { headers: { cookie: 'housestyle=x' } }])
      assert.deepEqual((await ask(path, asking)).text, text)
  })
}

test('the pages that list projects follow each change: of what is published, of names, and of who may see it', async () => {
  const listed = async () => {
    const texts = await Promise.all(['/', '/acme', '/sitemap.xml'].map(async path => (await ask(path)).text))
    return ['open', 'closed', 'newer'].filter(name => texts.every(text => text.includes(`/acme/${name}`)))
  }
  assert.deepEqual(await listed(), ['open'])
  await temporary.importing('acme', { 'newer/project.yaml': 'name: Newer\nvisibility: public\n' })
  await follow()
  assert.deepEqual(await listed(), ['open'])
  await temporary.publish('acme/newer')
  await follow()
  assert.deepEqual(await listed(), ['open', 'newer'])
  await temporary.importing('acme', { 'newer/project.yaml': 'name: Newer\nvisibility: private\n' })
  await temporary.publish('acme/newer')
  await follow()
  const texts = await Promise.all(['/', '/acme', '/sitemap.xml'].map(async path => (await ask(path)).text))
  for (const text of texts) assert.ok(!text.includes('newer') && !text.includes('Newer'))
  await temporary.importing('acme', { 'open/project.yaml': 'name: Of another name\nvisibility: public\n' })
  await temporary.publish('acme/open')
  await follow()
  assert.match((await ask('/')).text, /Of another name/)
})
