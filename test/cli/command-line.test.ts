import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandLine, completeCommands, programName } from '../../src/cli/command-line.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const caller = { options: { data: './my store' }, program: 'npx housestyle', environment: {} }
for (const [name, operands, expected] of [
  ['status', [], "npx housestyle status --data './my store'"],
  ['publish', ['--all'], "npx housestyle publish --all --data './my store'"],
  ['import', ["it's new"], "npx housestyle import 'it'\\''s new' --data './my store'"],
  ['share revoke', ['1f0c6a4be28d7395'], "npx housestyle share revoke 1f0c6a4be28d7395 --data './my store'"],
  ['check', ['./acme'], 'npx housestyle check ./acme'],
] as const)
  test(`a suggested ${name} names the same store if it uses one`, () => {
    assert.equal(commandLine(caller, name, operands), expected)
  })

for (const [message, expected] of [
  ['see `housestyle status`', "see `npx housestyle status --data './my store'`"],
  [
    'publish it with `housestyle publish acme/guidelines`, or name a --revision',
    "publish it with `npx housestyle publish acme/guidelines --data './my store'`, or name a --revision",
  ],
  [
    '`housestyle copy a/b c/b`; `housestyle client create <workspace>`',
    "`npx housestyle copy a/b c/b --data './my store'`; `npx housestyle client create <workspace> --data './my store'`",
  ],
  ['with `housestyle restore <backup> --data /srv`', 'with `npx housestyle restore <backup> --data /srv`'],
  ['run `housestyle check`', 'run `npx housestyle check`'],
  ['see `housestyle help share`', 'see `npx housestyle help share`'],
  ['a newer housestyle wrote /srv/housestyle publish', 'a newer housestyle wrote /srv/housestyle publish'],
] as const)
  test(`a command in a message is completed between its backticks: ${message}`, () => {
    assert.equal(completeCommands(message, caller), expected)
  })

test('a suggested command repeats the address of an engine, or names its variable if it may hold a password', () => {
  const given = (options: Record<string, string>, environment = {}) =>
    commandLine({ options, program: 'housestyle', environment }, 'status')
  for (const database of ['postgres://db/acme', 'postgres://me@db,other:5433/acme'])
    assert.equal(given({ database }), `housestyle status --database ${database}`)
  const options = { database: 'postgres://me:secret@db/acme', files: 's3://acme' }
  for (const other of [{}, { HOUSESTYLE_DATABASE: 'postgres://me:other@db/acme' }])
    assert.equal(given(options, other), 'housestyle status --database <url> --files s3://acme')
  const line = given(options, { HOUSESTYLE_DATABASE: options.database })
  assert.equal(line, `housestyle status --database "\${HOUSESTYLE_DATABASE:?}" --files s3://acme`)
  const shown = line.replace('housestyle', 'echo')
  const HOUSESTYLE_DATABASE = 'postgres://me:other@db/acme'
  const set = spawnSync('sh', ['-c', shown], { env: { ...process.env, HOUSESTYLE_DATABASE } })
  assert.equal(`${set.stdout}`, `status --database ${HOUSESTYLE_DATABASE} --files s3://acme\n`)
  const unset = spawnSync('sh', ['-c', shown], { env: { PATH: process.env.PATH } })
  assert.notEqual(unset.status, 0)
  assert.equal(`${unset.stdout}`, '')
})

test('the next step that a command in a checkout prints runs as it is printed, with the same store', async () => {
  const { PATH, HOME } = process.env
  const env = { PATH: `${join(root, 'node_modules/.bin')}:${PATH}`, HOME }
  const data = join(await temporaryFolder(), 'in a folder')
  const importing = spawnSync(process.execPath, ['bin/housestyle.js', 'import', 'examples/acme', '--data', data], {
    cwd: root,
    env,
  })
  const [, command = ''] = /^next: (.*)$/m.exec(`${importing.stderr}`) ?? []
  assert.match(command, /^npx housestyle publish acme\/guidelines acme\/packaging --data '.*in a folder'$/)
  const publishing = spawnSync('sh', ['-c', command.replace('npx housestyle', 'node bin/housestyle.js')], {
    cwd: root,
    env,
  })
  assert.match(`${publishing.stdout}`, /acme\/guidelines: published revision 1/)
  assert.match(`${publishing.stderr}`, /^next: npx housestyle serve --data '.*in a folder'$/m)
  const failing = spawnSync(process.execPath, ['bin/housestyle.js', 'history', 'acme/none', '--data', data], {
    cwd: root,
    env,
  })
  assert.match(`${failing.stderr}`, /see `npx housestyle status --data '.*in a folder'`; /)
})

for (const [what, script, folder, environment, name] of [
  ['an installed command', '/usr/local/bin/housestyle', '/elsewhere', {}, 'housestyle'],
  [
    'a command that npx runs',
    '/project/node_modules/.bin/housestyle',
    '/project',
    { npm_command: 'exec' },
    'npx housestyle',
  ],
  ['a script of the checkout', '/src/hs/bin/housestyle.js', '/src/hs', { npm_command: 'run-script' }, 'npx housestyle'],
  ['the file of the checkout', '/src/hs/bin/housestyle.js', '/src/hs', {}, 'npx housestyle'],
  [
    'the file of the checkout from a folder in it',
    '/src/hs/bin/housestyle.js',
    '/src/hs/examples',
    {},
    'npx housestyle',
  ],
  [
    'the file of a checkout elsewhere',
    '/src/my hs/bin/housestyle.js',
    '/elsewhere',
    {},
    "node '/src/my hs/bin/housestyle.js'",
  ],
] as const)
  test(`messages name the program as the user can type it: ${what}`, () => {
    assert.equal(programName(script, { folder: () => folder, environment }), name)
  })
