import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { FORMATS } from '#delivery/export/formats.ts'
import { housestyle } from '../../program/cli/housestyle.ts'
import { servedBrand, testService, URL_OF_SERVICE } from '../../support/service.ts'
import { SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'

const { ask, temporary } = await servedBrand({
  'guidelines/project.yaml': 'visibility: private\n',
  ...SMALL_BRAND,
})

test('each format is served under the name of its file, in the bytes that the command writes', async () => {
  for (const { id, file, contentType, isAttachment } of FORMATS) {
    const path = join(temporary.folder, file)
    const args = ['export', 'acme/guidelines', '--to', id, '--out', path, '--data', temporary.data]
    const { status, stderr } = await housestyle([...args, '--public-url', URL_OF_SERVICE])
    const served = await ask(`/acme/guidelines/-/exports/${file}`)
    if (status !== 0) {
      assert.equal(served.status, 404, `${id}: ${stderr}`)
      continue
    }
    assert.equal(served.status, 200, id)
    assert.deepEqual(Buffer.from(served.bytes), await readFile(path), id)
    assert.equal(served.headers.get('content-type'), contentType)
    assert.equal(served.headers.get('content-disposition')?.startsWith('attachment') ?? false, isAttachment)
    const etag = served.headers.get('etag') ?? ''
    assert.match(etag, /^"/)
    const again = await ask(`/acme/guidelines/-/exports/${file}`, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
  }
})

test('an archive of a snapshot and revision has the same bytes for any publication date', async () => {
  const elsewhere = await temporaryStore()
  await elsewhere.importing('acme', SMALL_BRAND)
  await elsewhere.publish('acme/guidelines', new Date('2020-02-02T02:02:02Z'))
  const other = await testService(elsewhere)
  const path = '/acme/guidelines/-/exports/palette.zip'
  assert.deepEqual((await other.ask(path)).bytes, (await ask(path)).bytes)
})

test('palette.zip has the colours as swatches, palette, table and custom properties', async () => {
  const { status, headers, bytes } = await ask('/acme/guidelines/-/exports/palette.zip')
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/zip'])
  const text = Buffer.from(bytes).toString('latin1')
  for (const name of ['palette.ase', 'palette.gpl', 'colors.csv', 'tokens.css']) assert.ok(text.includes(name), name)
})
