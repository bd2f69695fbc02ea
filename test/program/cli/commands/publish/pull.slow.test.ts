import assert from 'node:assert/strict'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { startGitServer } from '#test/support/git-server.ts'
import { needs } from '#test/support/programs.ts'
import { startSshServer } from '#test/support/ssh-server.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { housestyle } from '../../housestyle.ts'

const GIT = needs('git')
const SSH = needs('git', 'ssh', 'ssh-keygen', 'sshd')
const BRAND = { 'guide/pages/index.md': '# Welcome\n' }
const server = await startGitServer()

test('pull says that it has ended a planned publication, as import does', GIT, async () => {
  const cwd = await temporaryFolder()
  const { url, commit } = await server.make('planned.git')
  await commit(BRAND)
  await writeFile(join(cwd, 'housestyle.yaml'), `git:\n  - { url: "${url}", workspace: acme, publish: manual }\n`)
  const env = { PATH: process.env.PATH ?? '' }
  await housestyle(['pull'], { cwd, env })
  await housestyle(['publish', 'acme/guide', '--at', '2999-01-01T09:00Z'], { cwd, env })
  await commit({ 'guide/pages/index.md': '# Hello\n' })
  const { stdout, stderr } = await housestyle(['pull'], { cwd, env })
  assert.match(stdout, /^acme\/guide: its planned publication has ended: .*\(draft changed\)$/m, stderr)
  const status = await housestyle(['pull', '--status', '--json'], { cwd, env })
  assert.equal(JSON.parse(status.stdout)[0].endedPlans[0].reason, 'draft_changed')
})

test('pull imports every repository of housestyle.yaml, and --status shows the last pull of each', GIT, async () => {
  const cwd = await temporaryFolder()
  const { url, commit } = await server.make('listed.git')
  const hash = (await commit(BRAND, { subject: 'A guide' })).slice(0, 12)
  await commit(
    { ...BRAND, 'guide/pages/b.md': '[x](gone.md)\n', 'guide/styles/colors.yaml': '- name: Ink\n' },
    { branch: 'next' },
  )
  await writeFile(
    join(cwd, 'housestyle.yaml'),
    `git:\n  - { url: "${url}", workspace: acme }\n  - url: ${url}\n    ref: next\n    workspace: next\n    publish: manual\n`,
  )
  const env = { PATH: process.env.PATH ?? '' }
  const pulled = await housestyle(['pull'], { cwd, env })
  assert.match(pulled.stderr, /^\{"level":30,.*"event":"published","workspace":"acme","project":"guide".*\}\n/)
  assert.deepEqual(
    { ...pulled, stderr: pulled.stderr.replace(/^\{"level".*\n/gm, '') },
    {
      status: 1,
      signal: null,
      stdout: `${url}: A guide (Ada, ${hash})\nacme/guide: revision 1 is published\n${url} (next): A change (Ada, ${/A change \(Ada, (\w+)\)/.exec(pulled.stdout)?.[1]})\nnext/guide: not imported because of errors\n`,
      stderr: `made the store ${join(cwd, '.housestyle')}\nguide/styles/colors.yaml:1 error value-missing a colour has neither "hex" nor "rgb"; write one of them, such as "#1d70b8" for "hex"\nguide/pages/b.md:1 warning link-broken the link "gone.md" matches no page or file in the project; correct its path, or add the file\n`,
    },
  )
  const status = await housestyle(['pull', '--status'], { cwd, env })
  assert.equal(status.status, 1)
  assert.match(
    status.stdout,
    new RegExp(`^${url}\n  state      good\n  commit     A guide \\(Ada, ${hash}\\)\n  checked `),
  )
  assert.match(status.stdout, /\n {2}state {6}failed\n/)
  assert.match(status.stderr, /^guide\/styles\/colors\.yaml:1 error/)
  await server.stop()
  const failed = await housestyle(['pull', '--json'], { cwd, env })
  const states = JSON.parse(failed.stdout)
  const seen = states.map(
    ({ outcome, state, failure }: { outcome: string; state: string; failure: { code: string } }) => [
      outcome,
      state,
      failure.code,
    ],
  )
  assert.deepEqual(seen, [
    ['failed', 'failed', 'git_unreachable'],
    ['failed', 'failed', 'git_unreachable'],
  ])
  const history = await housestyle(['history', 'acme/guide', '--json'], { cwd, env })
  assert.equal(JSON.parse(history.stdout).length, 1)
})

test('pull --status without settings shows the repositories that the store knows', GIT, async () => {
  const cwd = await temporaryFolder()
  const { url, commit } = await (await startGitServer()).make('recorded.git')
  await commit({ ...BRAND, 'workspace.yaml': 'id: acme\n' })
  const env = { PATH: process.env.PATH ?? '' }
  await housestyle(['import', join(import.meta.dirname, '../../../../../examples/acme'), '--data', 'data'], { cwd })
  const none = await housestyle(['pull', '--status', '--data', 'data'], { cwd })
  assert.deepEqual([none.status, /^housestyle: no repository is followed: /.test(none.stderr)], [2, true])
  await housestyle(['pull', '--git', url, '--data', 'data'], { cwd, env })
  await housestyle(['pull', '--git', url, '--ref', 'gone', '--data', 'data'], { cwd, env })
  const { status, stdout } = await housestyle(['pull', '--status', '--json', '--data', 'data'], { cwd, env })
  const states = JSON.parse(stdout).map(({ ref, state }: { ref: string; state: string }) => `${ref} ${state}`)
  assert.deepEqual([status, states.sort()], [1, ['gone failed', 'null good']])
})

test('pull fails if two entries import the same project, until --take moves it to one of them', GIT, async () => {
  const cwd = await temporaryFolder()
  const host = await startGitServer()
  const { url, commit } = await host.make('overlap.git')
  for (const branch of ['main', 'next']) await commit({ ...BRAND, 'workspace.yaml': 'id: acme\n' }, { branch })
  const file = join(cwd, 'housestyle.yaml')
  await writeFile(file, `git:\n  - { url: "${url}", ref: main }\n  - { url: "${url}", ref: next }\n`)
  const env = { PATH: process.env.PATH ?? '' }
  const pulled = await housestyle(['pull'], { cwd, env })
  assert.equal(pulled.status, 1)
  assert.match(
    pulled.stderr,
    /error project-taken cannot import acme\/guide from http:\S+ \(next\): its content comes from/,
  )
  assert.match(pulled.stdout, /^acme\/guide: not imported because of errors$/m)
  await writeFile(file, `git:\n  - { url: "${url}", ref: next }\n`)
  const taken = await housestyle(['pull', '--take', 'acme/guide'], { cwd, env })
  assert.deepEqual([taken.status, taken.stderr], [0, ''])
})

test('pull imports the other repositories after one with a damaged row, names that, and fails', GIT, async () => {
  const cwd = await temporaryFolder()
  const { url, commit } = await (await startGitServer()).make('damaged.git')
  await commit(BRAND)
  const entry = (workspace: string) => `  - { url: "${url}", workspace: ${workspace} }\n`
  await writeFile(join(cwd, 'housestyle.yaml'), `git:\n${entry('acme')}${entry('nord')}`)
  const env = { PATH: process.env.PATH ?? '', HOUSESTYLE_LOG: 'silent' }
  assert.equal((await housestyle(['pull'], { cwd, env })).status, 0)
  using database = new DatabaseSync(join(cwd, '.housestyle/housestyle.db'))
  database.exec(`UPDATE git_source SET failure = '{' WHERE imported LIKE '%"workspace":"acme"%'`)
  await commit({ 'guide/pages/index.md': '# Hello\n' })
  const { status, stdout, stderr } = await housestyle(['pull'], { cwd, env })
  assert.deepEqual([status, stdout.includes('nord/guide: revision 2 is published')], [1, true])
  assert.match(stderr, /^housestyle: the row \w+ of the table git_source cannot be read: .*see `housestyle doctor`\n$/)
  const printed = await housestyle(['pull', '--json'], { cwd, env })
  const workspaces = JSON.parse(printed.stdout).map(({ workspace }: { workspace: string }) => workspace)
  assert.deepEqual([workspaces, JSON.parse(printed.stderr).error], [['nord'], 'store_damaged'])
})

test('a file of known hosts is relative to the working folder, or to housestyle.yaml', SSH, async () => {
  const cwd = await temporaryFolder()
  const ssh = await startSshServer()
  const { folder, commit } = await server.make('by-ssh.git')
  await commit({ ...BRAND, 'workspace.yaml': 'id: acme\n' })
  await copyFile(ssh.knownHosts, join(cwd, 'known_hosts'))
  await mkdir(join(cwd, 'below'))
  const env = { PATH: process.env.PATH ?? '', HOUSESTYLE_GIT_SSH_KEY: ssh.key }
  const source = ['--git', ssh.url + folder]
  const named = await housestyle(['pull', ...source, '--git-known-hosts', 'known_hosts'], { cwd, env })
  assert.equal(named.status, 0, named.stderr)
  await writeFile(join(cwd, 'housestyle.yaml'), 'git-known-hosts: known_hosts\n')
  const read = await housestyle(['pull', ...source], { cwd: join(cwd, 'below'), env })
  assert.equal(read.status, 0, read.stderr)
})

test('pull needs a repository, and a wrong entry of git: in housestyle.yaml is refused by line', async () => {
  const cwd = await temporaryFolder()
  const none = await housestyle(['pull'], { cwd })
  assert.deepEqual(
    [none.status, none.stderr],
    [2, 'housestyle: no repository is followed: name one with --git, or in git: in housestyle.yaml\n'],
  )
  for (const [entry, message] of [
    ['{ ref: main }', 'line 2: git: each entry needs a url'],
    ['{ url: "https://git.example/x.git", branch: main }', 'line 2: git: there is no "branch": write url, ref, path,'],
    ['{ url: "https://ada:hunter2@git.example/x.git" }', 'line 2: git: url: its value is not the address of a repo'],
    ['{ url: "https://git.example/x.git", path: ../x }', 'line 2: git: path: "../x" is not a folder in the repository'],
    ['{ url: "https://git.example/x.git", publish: no }', 'line 2: git: publish: "no" is not auto, approved or manual'],
    ['{ url: "https://git.example/x.git", workspace: A }', 'line 2: git: workspace: "A" is not a workspace id of a-z'],
  ]) {
    await writeFile(join(cwd, 'housestyle.yaml'), `git:\n  - ${entry}\n`)
    const refused = await housestyle(['pull'], { cwd })
    assert.deepEqual([refused.status, refused.stdout], [2, ''])
    assert.ok(refused.stderr.startsWith(`housestyle: housestyle.yaml: ${message}`), refused.stderr)
    assert.doesNotMatch(refused.stderr, /hunter2/)
  }
})
