import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { housestyle, MAIN } from '../../housestyle.ts'

const temporary = await temporaryStore()
const COLORS = '- name: Signal\n  hex: "#cc3a06"\n  ral: 2002\n'
await temporary.publishing('acme/guide', {
  'guide/pages/index.md': '# Welcome\n',
  'guide/styles/colors.yaml': COLORS,
  'draft/pages/index.md': '# Draft\n',
})
const folder = join(temporary.folder, 'acme')
const store = ['--data', temporary.data]

for (const [revision, place] of [
  ['2025-11-25', [folder]],
  ['2026-07-28', store],
] as const)
  test(`the official client in revision ${revision} asks over standard input and output`, async () => {
    const isModern = revision === '2026-07-28'
    const negotiation = isModern ? { versionNegotiation: { mode: { pin: revision } } } : {}
    const client = new Client({ name: 'test', version: '1' }, negotiation)
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', ...place],
      stderr: 'pipe',
    })
    await client.connect(transport)
    assert.equal(client.getNegotiatedProtocolVersion(), revision)
    assert.equal((await client.listTools()).tools.length, 8)
    const { structuredContent } = await client.callTool({
      name: 'search',
      arguments: { query: 'RAL of the signal colour' },
    })
    assert.match(JSON.stringify(structuredContent), /"id":"color:guide\/signal".*RAL 2002/)
    const projects = await client.callTool({ name: 'list_projects', arguments: {} })
    assert.match(JSON.stringify(projects.structuredContent), place[0] === folder ? /"total":2/ : /"total":1/)
    await client.close()
  })

test('each request before the end of the input is answered, and then the command ends with 0', async () => {
  const { status, stdout, stderr } = await ask(
    [...store],
    [
      request(1, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      }),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      'not JSON',
      '',
      request(2, 'tools/call', { name: 'search', arguments: { query: 'signal' } }),
      request(3, 'tools/call', { name: 'get_page', arguments: { project: 'guide', page: 'nothing' } }),
      request(4, 'tools/call', { name: 'search', arguments: { query: 'welcome' } }),
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}',
      request(5, 'delete_all', {}),
    ],
  )
  assert.deepEqual([status, stderr], [0, ''])
  const replies = new Map(
    stdout
      .trim()
      .split('\n')
      .map(line => [JSON.parse(line).id, JSON.parse(line)]),
  )
  assert.deepEqual([...replies.keys()].sort(), [1, 2, 3, 5, null])
  assert.equal(replies.get(1).result.protocolVersion, '2025-06-18')
  assert.equal(replies.get(2).result.structuredContent.results[0].id, 'color:guide/signal')
  assert.equal(replies.get(3).result.isError, true)
  assert.equal(replies.get(5).error.code, -32601)
  assert.equal(replies.get(null).error.code, -32700)
})

test('without a message, the command ends with 0 and prints nothing', async () => {
  assert.deepEqual(await ask([...store], []), { status: 0, signal: null, stdout: '', stderr: '' })
})

test('a session sees projects that are published while it runs', async () => {
  const counts: number[] = []
  async function* input() {
    const list = request(1, 'tools/call', { name: 'list_projects', arguments: {} })
    yield bytes(`${list}\n`)
    while (counts.length < 1) await sleep(5)
    await temporary.publish('acme/draft')
    yield bytes(`${list}\n`)
  }
  const outBytes = async (text: Uint8Array) => {
    counts.push(JSON.parse(new TextDecoder().decode(text)).result.structuredContent.total)
  }
  const { status } = await housestyle(['mcp', ...store], {}, { input: input(), outBytes })
  assert.deepEqual([status, counts], [0, [1, 2]])
})

test('a signal ends a session whose input is still open', async () => {
  const child = spawn(process.execPath, [MAIN, 'mcp', ...store], { stdio: 'pipe' })
  child.stdin.write(`${request(1, 'ping', {})}\n`)
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('an unclear workspace or a folder with an error is refused before a message is read', async () => {
  await temporary.publishing('other/guide', { 'guide/pages/index.md': '# Guide\n' })
  for (const [args, message] of [
    [store, /name a workspace with published projects: --workspace acme, other/],
    [[...store, '--workspace', 'nothing'], /no published project is in workspace nothing: --workspace acme, other/],
    [[folder, '--workspace', 'other'], /no published project is in workspace other: --workspace acme/],
    [[join(temporary.folder, 'missing')], /does not exist; name a brand folder/],
  ] as const) {
    const { status, stdout, stderr } = await ask(args, [])
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, message)
  }
  const { status } = await ask([...store, '--workspace', 'other'], [])
  assert.equal(status, 0)
})

function request(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

function ask(args: readonly string[], lines: readonly string[]) {
  async function* input() {
    yield bytes(lines.join('\n'))
  }
  return housestyle(['mcp', ...args], {}, { input: input() })
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
