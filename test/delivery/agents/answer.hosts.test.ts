import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { post, send } from '../../support/agent-client.ts'
import { testService } from '../../support/service.ts'
import { addHosts, SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'

const PUBLIC_URL = 'https://api.acme.test'
const temporary = await temporaryStore(PUBLIC_URL)

before(async () => {
  await temporary.publishing('acme/guidelines', {
    ...SMALL_BRAND,
    'guidelines/project.yaml': `${SMALL_BRAND['guidelines/project.yaml']}theme: { icon: pages/logo/mark.svg }\n`,
  })
  await addHosts(temporary, { 'guide.test': 'acme/guidelines', 'all.test': 'acme' })
})

async function asking() {
  const { service } = await testService(temporary, { publicUrl: PUBLIC_URL })
  return async (url: string, method?: string, params: object = {}) => {
    const { host, pathname } = new URL(url)
    const json = { host, 'content-type': 'application/json' }
    if (method === undefined) return post(service, pathname, { method: 'GET', headers: { host } })
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    return post(service, pathname, { headers: json, body })
  }
}

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

test('the server of a guide names the own address of the guide, and has its icon there', async () => {
  const ask = await asking()
  for (const address of ['https://guide.test/-/mcp', 'https://all.test/guidelines/-/mcp']) {
    const { text } = await ask(address, 'initialize', HELLO)
    const { websiteUrl, icons } = JSON.parse(text).result.serverInfo
    assert.equal(websiteUrl, 'https://guide.test')
    assert.match(icons[0].src, /^https:\/\/guide\.test\/-\/files\//)
    const icon = await ask(icons[0].src)
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, icons[0].mimeType])
  }
})

test('the server of a workspace names the host of the workspace', async () => {
  const { service } = await testService(temporary, { publicUrl: PUBLIC_URL })
  const { token } = await temporary.issue('acme')
  const { text } = await send(service, '/mcp', { method: 'initialize', params: HELLO, token, revision: '2025-11-25' })
  const { name, websiteUrl } = JSON.parse(text).result.serverInfo
  assert.deepEqual([name, websiteUrl], ['Acme GmbH', 'https://all.test'])
})

test('a page and its pictures are read at the host of a guide', async () => {
  const ask = await asking()
  const call = async (method: string, params: object) =>
    JSON.parse((await ask('https://guide.test/-/mcp', method, params)).text).result
  const { resourceTemplates } = await call('resources/templates/list', {})
  assert.equal(resourceTemplates.at(-1).uriTemplate, 'https://guide.test/{+page}')
  const { contents } = await call('resources/read', { uri: 'https://guide.test/logo' })
  assert.match(contents[0].text, /Über \*alles\*/)
  const { structuredContent } = await call('tools/call', { name: 'get_page', arguments: { page: 'index' } })
  const [picture] = structuredContent.pictures
  assert.deepEqual([picture.id, picture.description], ['file:guidelines/pages/logo/mark.svg', 'The mark'])
  assert.equal((await ask(picture.url)).status, 200)
})

test('a message at the address of a page gets the address for agents of its host', async () => {
  const ask = await asking()
  for (const [url, address] of [
    ['https://guide.test/', 'https://guide.test/-/mcp'],
    ['https://guide.test/mcp', 'https://guide.test/-/mcp'],
    ['https://all.test/guidelines', 'https://all.test/guidelines/-/mcp'],
    ['https://all.test/mcp', `${PUBLIC_URL}/mcp, or {guide url}/-/mcp for one guide`],
  ] as const) {
    const { status, text } = await ask(url, 'tools/list')
    assert.equal(status, 405)
    const seen = JSON.parse(text).error.message
    assert.equal(seen, `This is the address of a page. An MCP client connects to ${address}.`, url)
  }
})
