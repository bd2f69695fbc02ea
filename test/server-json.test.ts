import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { COMMANDS } from '#program/cli/commands.ts'

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
const [about, server] = [read('package.json'), read('server.json')]

test('server.json has the names, the version and a command of the package that contains it', () => {
  const [{ identifier, version, transport, packageArguments }] = server.packages
  assert.equal(server.packages.length, 1)
  assert.equal(server.name, about.mcpName)
  assert.deepEqual([server.version, identifier, version], [about.version, about.name, about.version])
  assert.deepEqual(transport, { type: 'stdio' })
  assert.deepEqual(Object.keys(about.bin), [identifier], 'npx runs the only program of a package')
  const [command, folder] = packageArguments
  const known = COMMANDS.find(({ name }) => name === command.value)
  assert.equal(known?.operands, `[${folder.valueHint}]`, 'the command takes a folder')
  assert.ok(about.files.includes('server.json'))
})

test('server.json keeps the rules of the MCP registry for names, lengths, addresses and secrets', () => {
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  assert.ok(server.description.length <= 100)
  for (const { url, headers, variables } of server.remotes) {
    assert.match(url, /^https:\/\/\{host\}\/mcp$/)
    assert.deepEqual(Object.keys(variables), ['host'])
    const seen = headers.map(({ name, value, isSecret }: Record<string, unknown>) => [name, value, isSecret])
    assert.deepEqual(seen, [['Authorization', 'Bearer {token}', true]])
  }
})
