import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { COMMANDS } from '#program/cli/commands.ts'
import { golden } from '../../support/golden.ts'
import { housestyle } from './housestyle.ts'
import { session } from './session.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

golden('cli/about', session)

for (const word of ['-v', '-V', '--version', 'version'])
  test(`housestyle ${word} prints the version`, async () => {
    assert.deepEqual(await housestyle([word]), { status: 0, signal: null, stdout: `${version}\n`, stderr: '' })
  })

test('version --json prints the version as JSON', async () => {
  assert.deepEqual(JSON.parse((await housestyle(['version', '--json'])).stdout), { version })
})

test('housestyle help and -h print what --help does', async () => {
  const wanted = await housestyle(['--help'])
  assert.deepEqual(await housestyle(['help']), wanted)
  assert.deepEqual(await housestyle(['-h']), wanted)
})

const OTHERS = ['token', 'client', 'keys', 'files', 'completion', 'version', 'help']

for (const name of [...COMMANDS.map(({ name }) => name), ...OTHERS])
  test(`help ${name} and ${name} -h print what ${name} --help does, in 80 columns`, async () => {
    const words = name.split(' ')
    const wanted = await housestyle([...words, '--help'])
    assert.deepEqual([wanted.status, wanted.stderr], [0, ''])
    assert.deepEqual(await housestyle(['help', ...words]), wanted)
    assert.deepEqual(await housestyle([...words, '-h'], {}, { columns: 200 }), wanted)
    for (const line of wanted.stdout.split('\n')) assert.ok(line.length <= 80, line)
  })

test('housestyle --help lists every command under the heading of its group, in 80 columns', async () => {
  const { stdout } = await housestyle(['--help'], {}, { columns: 200 })
  const seen = [...stdout.matchAll(/^([A-Z]\w+):$/gm)].map(found => found[1])
  assert.deepEqual(seen, ['Options', 'Write', 'Publish', 'Serve', 'Access', 'Upkeep'])
  for (const [command, heading] of [
    ['init', 'Write'],
    ['rollback', 'Publish'],
    ['dev', 'Serve'],
    ['token', 'Access'],
    ['completion', 'Upkeep'],
  ])
    assert.match(stdout, new RegExp(`^${heading}:\\n(?: .*\\n)*  ${command} `, 'm'))
  for (const { name } of COMMANDS) assert.match(stdout, new RegExp(`^  ${name.split(' ')[0]} `, 'm'))
  for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line)
})

test('the help fits a narrow terminal', async () => {
  const { stdout } = await housestyle(['help'], {}, { columns: 60 })
  for (const line of stdout.split('\n').slice(2, -3)) assert.ok(line.length <= 60, line)
})
