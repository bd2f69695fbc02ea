import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
import { ALL_FORMATS } from '#program/cli/commands/export/export.ts'
import { COMMANDS } from '#program/cli/commands.ts'
import { ALGORITHMS } from '#serving/access/keys/jose.ts'
import { needs } from '../../support/programs.ts'
import { folderWith } from '../../support/temporary.ts'
import { housestyle } from './housestyle.ts'

for (const [words, wanted] of [
  [['pu'], ['pull', 'publish']],
  [
    ['token', ''],
    ['issue', 'list', 'revoke', '--help'],
  ],
  [['token', 'issue', 'acme', '--s'], ['--scope']],
  [['share', 'acme/guidelines', '--e'], ['--expires']],
  [
    ['share', 'list', '--'],
    ['--json', '--data', '--database', '--files', '--help'],
  ],
  [['help', 'to'], ['token']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish', '--help'],
  ],
  [['export', 'acme/guidelines', '--to', 'c'], ALL_FORMATS.map(({ id }) => id).filter(id => id.startsWith('c'))],
  [
    ['check', '--format', ''],
    ['text', 'json', 'sarif', 'github'],
  ],
  [['token', 'issue', 'acme', '--scope', 'st'], ['styles.read']],
  [
    ['serve', '--log', ''],
    ['silent', 'error', 'warn', 'info', 'debug'],
  ],
  [['keys', 'rotate', '--algorithm', 'ES'], ALGORITHMS.filter(name => name.startsWith('ES'))],
  [['nope', ''], []],
  [
    ['import', '--data'],
    ['--data', '--database'],
  ],
] as const)
  test(
    `bash completes "housestyle ${words.join(' ')}" with ${wanted.join(', ') || 'nothing'}`,
    needs('bash'),
    async () => {
      const { status, stdout, stderr } = await housestyle(['completion', 'bash'])
      assert.deepEqual([status, stderr], [0, ''])
      const script = `eval "$SCRIPT"; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _housestyle; printf '%s\\n' "\${COMPREPLY[@]}"`
      const output = execFileSync('bash', ['--norc', '-c', script, 'bash', 'housestyle', ...words], {
        env: { ...process.env, SCRIPT: stdout },
      })
      assert.deepEqual(output.toString().split('\n').filter(Boolean), [...wanted])
    },
  )

for (const shell of ['bash', 'zsh', 'fish'])
  test(`completion ${shell} names every command and option`, async () => {
    const { status, stdout, stderr } = await housestyle(['completion', shell])
    assert.deepEqual([status, stderr], [0, ''])
    for (const { name, options } of COMMANDS) {
      assert.ok(name.split(' ').every(word => stdout.includes(word)))
      for (const { flags } of options) {
        const flag = flags.split(' ')[0] ?? ''
        assert.ok(stdout.includes(shell === 'fish' ? `-l ${flag.slice(2)} ` : flag), `${name} ${flag}`)
      }
    }
  })

test('bash and zsh can parse their completion scripts', async t => {
  for (const shell of ['bash', 'zsh']) {
    const { stdout } = await housestyle(['completion', shell])
    const folder = await folderWith({ script: stdout })
    try {
      execFileSync(shell, ['-n', `${folder}/script`])
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      t.diagnostic(`${shell} is not installed`)
    }
  }
})

test('completion of another shell is a usage error that lists the known shells', async () => {
  const { status, stdout, stderr } = await housestyle(['completion', 'tcsh'])
  const message = 'there is no completion for the shell "tcsh": write one of bash, zsh, fish'
  assert.deepEqual([status, stdout, stderr], [2, '', `housestyle: ${message}\n`])
})
