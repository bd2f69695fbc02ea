import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectClient, post } from '../../support/agent-client.ts'
import { testService, URL_OF_SERVICE } from '../../support/service.ts'
import { publishedStore, SMALL_BRAND } from '../../support/temporary-store.ts'

const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
await temporary.publishing('closed/private', { 'private/project.yaml': 'name: Private\n' })
const { service } = await testService(temporary)
const { service: below } = await testService(temporary, { publicUrl: `${URL_OF_SERVICE}/brand` })
const headers = { 'content-type': 'application/json; charset=utf-8' }
const body = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')

for (const [path, address] of [
  ['/acme/guidelines', '/acme/guidelines/-/mcp'],
  ['/acme/guidelines/', '/acme/guidelines/-/mcp'],
  ['/acme/guidelines/logo', '/acme/guidelines/-/mcp'],
  ['/acme/guidelines/mcp', '/acme/guidelines/-/mcp'],
  ['/acme/guidelines/-/files', '/acme/guidelines/-/mcp'],
  ['/%61cme/guidelines', '/acme/guidelines/-/mcp'],
  ['/closed/private', '/closed/private/-/mcp'],
  ['/closed/private/', '/closed/private/-/mcp'],
  ['/acme/unknown', '/acme/unknown/-/mcp'],
  ['/unknown/unknown', '/unknown/unknown/-/mcp'],
  ['/', '/mcp, or {guide url}/-/mcp for one guide'],
  ['/acme', '/mcp, or {guide url}/-/mcp for one guide'],
  ['/unknown/', '/mcp, or {guide url}/-/mcp for one guide'],
  ['/acme/%FF', '/mcp, or {guide url}/-/mcp for one guide'],
] as const)
  test(`a message at ${path} gets 405 and the address ${address}`, async () => {
    const expected = { jsonrpc: '2.0', id: null, error: { code: -32000 } }
    for (const [open, base] of [
      [service, ''],
      [below, '/brand'],
    ] as const) {
      const reply = await post(open, base + path, { headers, body })
      assert.deepEqual([reply.status, reply.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
      const message = `This is the address of a page. An MCP client connects to ${URL_OF_SERVICE}${base}${address}.`
      assert.deepEqual(JSON.parse(reply.text), { ...expected, error: { ...expected.error, message } })
    }
  })

test('other requests with POST get the refusal of the API', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const [path, sent] of [
    ['/acme/guidelines', form],
    ['/acme/guidelines', {}],
    ['/beta/workspace/acme', headers],
  ] as const) {
    const { status, text } = await post(service, path, { headers: sent, body })
    assert.deepEqual([status, JSON.parse(text).error], [405, 'method_not_allowed'])
  }
})

test('the official client shows the address for agents', async () => {
  const connecting = connectClient(service, '/acme/guidelines', { revision: '2025-11-25' })
  await assert.rejects(connecting, /\/acme\/guidelines\/-\/mcp/)
})
