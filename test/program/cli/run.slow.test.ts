import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandLine, completeCommands, programName } from '#program/cli/run.ts'
import { openStore } from '#store/store.ts'
import { golden } from '../../support/golden.ts'
import { folderWith, temporaryFolder } from '../../support/temporary.ts'
import { housestyle, housestyleProcess, MAIN } from './housestyle.ts'
import { session } from './session.ts'

const folder = await folderWith({ 'pages/index.md': '# Hello\n' })

golden('cli/run', session)

for (const [name, help] of [
  ['share', 'the host of the service; with the port, it forms the address in the link unless --public-url is set'],
  ['export', 'the host of the service; with the port, it forms the addresses in files unless --public-url is set'],
] as const)
  test(`--help of ${name} says that --host and --port form addresses`, async () => {
    const { stdout } = await housestyle([name, '--help'])
    const words = stdout.replace(/\s+/g, ' ')
    assert.ok(words.includes(`--host <address> ${help} (default: 127.0.0.1)`), stdout)
    assert.ok(!words.includes('the address to listen on'), stdout)
  })

test('housestyle.yaml in the working folder is overridden by the environment, and the environment by a flag', async () => {
  const cwd = await folderWith({
    'housestyle.yaml': 'data: from-file\ncors: [https://a.example, https://b.example]\n',
  })
  const made = (name: string) => execFileSync('ls', ['-A', cwd]).toString().split('\n').includes(name)
  await housestyle(['import', folder, '--data', 'from-flag'], { cwd, env: { HOUSESTYLE_DATA: 'from-environment' } })
  assert.deepEqual([made('from-flag'), made('from-environment'), made('from-file')], [true, false, false])
  await housestyle(['import', folder], { cwd, env: { HOUSESTYLE_DATA: 'from-environment' } })
  assert.deepEqual([made('from-environment'), made('from-file'), made('.housestyle')], [true, false, false])
  await housestyle(['import', folder], { cwd })
  assert.deepEqual([made('from-file'), made('.housestyle')], [true, false])
})

test('housestyle.yaml in the working folder that is a pipe, a device or a folder is refused without reading it', async () => {
  const [pipe, device, directory] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()]
  execFileSync('mkfifo', [join(pipe, 'housestyle.yaml')])
  await symlink('/dev/zero', join(device, 'housestyle.yaml'))
  await mkdir(join(directory, 'housestyle.yaml'))
  for (const cwd of [pipe, device, directory]) {
    const { status, stderr } = await housestyle(['check', folder], { cwd })
    assert.equal(status, 2)
    assert.match(stderr, /housestyle\.yaml.*not a regular file/)
  }
})

test('a refusal is one line on stderr, {error, message} with --json, exit code 1, and nothing on stdout', async () => {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'file'), '')
  await writeFile(join(cwd, 'full'), 'x')
  await (await openStore(join(cwd, '.housestyle'))).close()
  const refused: [args: string[], error: string, message: RegExp][] = [
    [['check', 'gone'], 'folder_missing', /cannot read "gone": it does not exist/],
    [['import', 'file'], 'folder_missing', /it is not a folder/],
    [['import', 'a\u001b]0;x\u0007\n\u009b'], 'folder_missing', /a\\u001b\]0;x\\u0007\\n\\u009b/],
    [['publish', 'acme/gone'], 'project_unknown', /no project "acme\/gone": import/],
    [['status', 'acme'], 'workspace_unknown', /no workspace "acme"/],
    [['status', ''], 'workspace_unknown', /no workspace ""/],
    [['status', 'acme/gone'], 'project_unknown', /no project "acme\/gone"/],
    [['token', 'issue', 'acme'], 'not_found', /no workspace "acme"/],
    [['init', 'file'], 'folder_not_empty', /file is not a folder/],
    [['init', '.'], 'folder_not_empty', /is not empty/],
    [['serve', 'gone'], 'folder_missing', /does not exist/],
  ]
  for (const [args, error, message] of refused) {
    const plain = await housestyle(args, { cwd })
    assert.deepEqual([plain.status, plain.stdout], [1, ''], args.join(' '))
    assert.match(plain.stderr, /^housestyle: \P{Cc}*\n$/u)
    assert.match(plain.stderr, message)
    const json = await housestyle([...args, '--json'], { cwd })
    assert.deepEqual([json.status, json.stdout], [1, ''])
    assert.equal(JSON.parse(json.stderr).error, error)
    assert.doesNotMatch(json.stderr.trimEnd(), /\p{Cc}/u)
  }
})

test('an interruption exits with 130 silently, and with --json prints its code', async () => {
  const signal = AbortSignal.abort(new DOMException('SIGINT', 'AbortError'))
  const plain = await housestyle(['check', folder], {}, { signal })
  assert.deepEqual([plain.status, plain.stdout, plain.stderr], [130, '', ''])
  const json = await housestyle(['check', folder, '--json'], {}, { signal })
  assert.deepEqual([json.status, json.stdout, JSON.parse(json.stderr).error], [130, '', 'interrupted'])
})

test('the process exits with the code, writes results to stdout and everything else to stderr', async () => {
  const { status, stdout, stderr } = await housestyleProcess(['check', folder])
  assert.deepEqual(
    [status, stdout, stderr],
    [
      0,
      '',
      `no problems in acme\nto see it while you write:\nnext: housestyle dev ${folder}\nto import it into the store:\nnext: housestyle import ${folder}\n`,
    ],
  )
  const wrong = await housestyleProcess(['nope', '--json'])
  assert.deepEqual([wrong.status, wrong.stdout, JSON.parse(wrong.stderr).error], [2, '', 'usage'])
})

test('the process ends when the reader of its output closes the pipe', async () => {
  const output = execFileSync('sh', [
    '-c',
    `"$0" "$1" check "$2" --format sarif | head -c 10; echo done`,
    process.execPath,
    MAIN,
    folder,
  ])
  assert.match(output.toString(), /^\{\n.*done\n$/s)
})

const root = fileURLToPath(new URL('../../..', import.meta.url))
const caller = { options: { data: './my store' }, program: 'npx housestyle', environment: {} }

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
