import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { schemaFiles } from '#intake/schema/folder-schemas.ts'
import { testService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const { ask } = await testService(await temporaryStore())

test('the schema of each brand folder file has an address, and equals the one that init writes', async () => {
  for (const { name, text } of schemaFiles()) {
    const { status, headers, text: served } = await ask(`/schemas/${name}`)
    assert.deepEqual([status, served], [200, text])
    assert.equal(served, readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8'))
    const { date: _, ...fields } = Object.fromEntries(headers)
    assert.match(fields.etag ?? '', /^"[\w-]{27}"$/)
    const seen = [fields['content-type'], fields['cache-control'], fields['access-control-allow-origin'], fields.vary]
    assert.deepEqual(seen, ['application/schema+json', 'public, max-age=300', '*', 'Accept-Encoding'])
    const again = await ask(`/schemas/${name}`, { headers: { 'if-none-match': fields.etag ?? '' } })
    assert.deepEqual([again.status, again.headers.get('access-control-allow-origin')], [304, '*'])
    const small = await ask(`/schemas/${name}`, { headers: { 'accept-encoding': 'br' } })
    assert.equal(brotliDecompressSync(small.bytes).toString(), text)
  }
})

for (const path of ['/schemas', '/schemas/', '/schemas/pages.json', '/schemas/colors', '/schemas/..%2fpackage.json'])
  test(`${path} is nothing`, async () => assert.equal((await ask(path)).status, path.endsWith('/') ? 308 : 404))

test('a schema answers OPTIONS with the allowed methods, and refuses other methods', async () => {
  const options = await ask('/schemas/colors.json', { method: 'OPTIONS' })
  assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, HEAD, OPTIONS'])
  assert.equal((await ask('/schemas/colors.json', { method: 'PUT' })).status, 405)
})
