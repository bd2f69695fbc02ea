import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { MAIN } from '../../../program/cli/housestyle.ts'
import { startGitServer } from '../../../support/git-server.ts'
import { PATIENCE_MS } from '../../../support/patience.ts'
import { needs, pathOf } from '../../../support/programs.ts'
import { startSshServer } from '../../../support/ssh-server.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const NSS = needs('git', 'ssh', 'ssh-keygen', 'sshd', 'libnss_wrapper.so')
const BRAND = { 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': '# Welcome\n' }

/** A user id without a name, as OpenShift and `docker run --user` give it. */
const ID = 654_321

const server = await startGitServer()
const ssh = NSS.skip ? undefined : await startSshServer()
const repository = await server.make('by-ssh.git')
await repository.commit(BRAND)

/** Pulls by ssh into a new store as a user without a name. */
async function pullNameless(env: Readonly<Record<string, string>>) {
  const isRoot = process.getuid?.() === 0
  const home = await temporaryFolder()
  const knownHosts = join(home, 'known_hosts')
  await copyFile(ssh?.knownHosts ?? '', knownHosts)
  if (isRoot) for (const path of [home, knownHosts]) await chown(path, ID, 0)
  const args = [
    MAIN,
    'pull',
    '--git',
    `${ssh?.url}${repository.folder}`,
    '--git-known-hosts',
    knownHosts,
    '--data',
    join(home, 'data'),
  ]
  const [program, before] = isRoot
    ? [process.execPath, []]
    : ['unshare', ['--user', `--map-user=${ID}`, process.execPath]]
  const child = spawn(program, [...before, ...args], {
    ...(isRoot && { uid: ID, gid: 0 }),
    env: { PATH: process.env.PATH, HOME: '/nonexistent', HOUSESTYLE_GIT_SSH_KEY: ssh?.key, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
  })
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { status, stdout, stderr }
}

test('a user id without a name can read a repository by ssh', NSS, async () => {
  const { status, stdout, stderr } = await pullNameless({})
  assert.equal(status, 0, stderr)
  assert.match(stdout, /\nacme\/guide: revision 1 is published\n/)
})

test('a user id to which libnss_wrapper already gives a name can read a repository by ssh', NSS, async () => {
  const users = join(await temporaryFolder(), 'passwd')
  await writeFile(users, `brand:x:${ID}:0::/nonexistent:/bin/sh\n`)
  await chmod(join(users, '..'), 0o755)
  const { status, stderr } = await pullNameless({
    LD_PRELOAD: 'libnss_wrapper.so',
    NSS_WRAPPER_PASSWD: users,
    NSS_WRAPPER_GROUP: '/etc/group',
  })
  assert.equal(status, 0, stderr)
})

test('without libnss_wrapper, the message says what ssh needs, and ends with its reason', NSS, async () => {
  const folder = await temporaryFolder()
  await chmod(folder, 0o755)
  const program = pathOf('ssh') ?? assert.fail()
  await writeFile(join(folder, 'ssh'), `#!/bin/sh\nunset LD_PRELOAD\nexec ${program} "$@"\n`, { mode: 0o755 })
  const { status, stderr } = await pullNameless({ PATH: `${folder}:${process.env.PATH}` })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /install libnss-wrapper, or read the repository by https with HOUSESTYLE_GIT_TOKEN: No user exists for uid 654321\n$/,
  )
})
