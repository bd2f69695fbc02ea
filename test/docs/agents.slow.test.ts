import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { connectClient } from '../support/agent-client.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { testService } from '../support/service.ts'
import { publishedStore, SMALL_BRAND } from '../support/temporary-store.ts'
import { blocksOf } from './blocks.ts'

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| (Claude Code|Codex|Gemini CLI|Cursor|VS Code) \| (.*) \|$/gm)]
const files = blocksOf(page).filter(({ language, title }) => language === 'json' && /mcp\.json$/.test(title))
/** Each setup with its client: a row of a table, or the file of a program. */
const setups = [
  ...rows.map(([, client = '', line = '']) => ({ client, line })),
  ...files.map(({ title, text }) => ({ client: title === '.vscode/mcp.json' ? 'VS Code' : 'Cursor', line: text })),
]

const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
const { service } = await testService(temporary)
const { token } = await temporary.issue('acme')

test('docs/agents.md has setups of five clients for a public guide, and with a token for a service', () => {
  for (const isPublic of [true, false]) {
    const clients = setups.filter(({ line }) => line.includes('/-/mcp') === isPublic).map(({ client }) => client)
    assert.deepEqual(clients.sort(), ['Claude Code', 'Codex', 'Cursor', 'Gemini CLI', 'VS Code'])
  }
  for (const { text } of files) JSON.parse(text)
})

for (const { client, line } of setups) {
  const [, path = ''] = /https:\/\/brand\.example\.com(\/[\w/-]+)/.exec(line) ?? []

  test(`the address and header in the setup of ${client} connect the official client to ${path}`, async () => {
    const hasToken = /Bearer \$|--bearer-token-env-var HOUSESTYLE_TOKEN/.test(line)
    assert.equal(hasToken, path === '/mcp')
    const agent = await connectClient(service, path, { token: hasToken ? token : undefined, revision: '2025-11-25' })
    const { tools } = await agent.listTools()
    assert.equal(tools.length, hasToken ? 8 : 7)
    await agent.close()
  })
}

test('the setup of a program on this machine works in a checkout', async () => {
  const block = blocksOf(page).find(({ title }) => title === 'claude_desktop_config.json')
  const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
  const text = block?.text.replaceAll('/path/to/housestyle', root).replaceAll('/path/to', `${root}/examples`) ?? ''
  const { command, args } = JSON.parse(text).mcpServers.acme
  const agent = new Client({ name: 'test', version: '1' })
  const patience = { timeout: PATIENCE_MS }
  await agent.connect(new StdioClientTransport({ command, args, stderr: 'pipe' }), patience)
  assert.equal((await agent.listTools({}, patience)).tools.length, 8)
  await agent.close()
})

test('docs/agents.md lists every tool with its scope, and has fewer than 1,200 words', async () => {
  const agent = await connectClient(service, '/mcp', { token, revision: '2025-11-25' })
  const { tools } = await agent.listTools()
  const [, table = ''] = /^\| tool \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const unexpected = tools.map(({ name }) => name).filter(name => !table.includes(`\`${name}\``))
  assert.deepEqual(unexpected, [])
  await agent.close()
  assert.ok(page.split(/\s+/).length < 1200)
})
