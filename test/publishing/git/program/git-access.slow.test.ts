import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GitHost } from '#publishing/git/program/git-access.ts'
import { makeCertificate, secureServer } from '../../../support/certificate.ts'
import { listeningPort } from '../../../support/free-port.ts'
import { answerFromGit } from '../../../support/git-backend.ts'
import { startGitServer } from '../../../support/git-server.ts'
import { needs } from '../../../support/programs.ts'
import { pullerFor } from '../../../support/puller.ts'
import { startSshServer } from '../../../support/ssh-server.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const GIT = needs('git')
const OPENSSL = needs('git', 'openssl')
const SSH = needs('git', 'ssh', 'ssh-keygen', 'sshd')
const BRAND = { 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': '# Welcome\n' }
const TOKEN = 'glpat-hunter2hunter2'
const server = await startGitServer()

async function failureWith(source: { url: string }, host: Partial<GitHost>) {
  const { state } = await pullerFor(await temporaryStore(), { host }).pull(source)
  return state.failure
}

/** The command lines of all processes but this one, while work runs. */
async function commandLinesDuring(work: Promise<unknown>): Promise<string> {
  let isDone = false
  let lines = ''
  const watched = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    for (const id of readdirSync('/proc').filter(name => /^\d+$/.test(name) && Number(name) !== process.pid))
      try {
        lines += `${readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')}\n`
      } catch {} // The process has ended.
    await sleep(3)
  }
  await watched
  return lines
}

/** The contents of all files below a folder. */
function contentsOf(folder: string): string {
  const paths = globSync('**', { cwd: folder }).map(path => join(folder, path))
  return paths.flatMap(path => (statSync(path).isFile() ? [readFileSync(path, 'latin1')] : [])).join('\n')
}

test('the token reaches the remote, but no argument, no file of the store and no message', GIT, async () => {
  const own = await startGitServer()
  const { url, commit } = await own.make('private.git')
  await commit(BRAND)
  own.require(`Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`)
  const temporary = await temporaryStore()
  const puller = pullerFor(temporary, { host: { token: TOKEN } })
  const pulled = puller.pull({ url })
  const lines = await commandLinesDuring(pulled)
  assert.equal((await pulled).state.state, 'good')
  assert.match(lines, /git-remote-http|git remote-http/)
  const secrets = [TOKEN, Buffer.from(`x-access-token:${TOKEN}`).toString('base64')]
  for (const secret of secrets) {
    assert.ok(!lines.includes(secret))
    assert.ok(!contentsOf(temporary.data).includes(secret))
  }
  for (const token of [undefined, 'another-token']) {
    const failure = await failureWith({ url }, token === undefined ? {} : { token })
    assert.equal(failure?.code, 'git_refused')
    assert.match(
      failure?.message ?? '',
      /; give a token that may read it with HOUSESTYLE_GIT_TOKEN: .*could not read Username/,
    )
    assert.doesNotMatch(failure?.message ?? '', /another-token/)
  }
})

test('a token with a user name is sent as both, and none is sent after a redirect', GIT, async () => {
  const { url, commit } = await server.make('named.git')
  await commit(BRAND)
  await pullerFor(await temporaryStore(), { host: { token: 'deployer:secret' } }).pull({ url })
  const { authorization } = server.requests.at(-1) ?? {}
  assert.equal(authorization, `Basic ${Buffer.from('deployer:secret').toString('base64')}`)
  const moved = await startGitServer()
  const asked = server.requests.length
  moved.answer(response => response.writeHead(301, { Location: url }).end())
  const failure = await failureWith({ url: `${moved.url}/old.git` }, { token: TOKEN })
  assert.equal(failure?.code, 'git_not_found')
  assert.ok(failure?.message.endsWith(`; write the new address of the repository: ${url}`))
  assert.equal(server.requests.length, asked)
})

test('git reads nothing of the user, and runs nothing of a repository', GIT, async () => {
  const home = await temporaryFolder()
  const { url, commit } = await server.make('configured.git')
  await commit(BRAND)
  await mkdir(join(home, 'hooks'))
  const trap = `#!/bin/sh\ntouch ${home}/trapped\nexit 1\n`
  for (const path of ['hooks/post-checkout', 'hooks/reference-transaction', 'trap'])
    await writeFile(join(home, path), trap, { mode: 0o755 })
  await writeFile(
    join(home, '.gitconfig'),
    `[url "http://127.0.0.1:1/"]\n insteadOf = ${server.url}/\n[core]\n hooksPath = ${home}/hooks\n[credential]\n helper = "!${home}/trap"\n`,
  )
  await writeFile(join(home, '.netrc'), 'machine 127.0.0.1 login ada password hunter2\n')
  await chmod(join(home, '.netrc'), 0o600)
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    GIT_DIR: home,
    GIT_ASKPASS: join(home, 'trap'),
    GIT_SSH_COMMAND: join(home, 'trap'),
    GIT_TEMPLATE_DIR: home,
    GIT_EXTERNAL_DIFF: join(home, 'trap'),
    HOUSESTYLE_GIT_TOKEN: TOKEN,
  }
  assert.equal(await failureWith({ url }, { environment }), null)
  assert.equal(server.requests.at(-1)?.authorization, undefined)
  assert.ok(!readdirSync(home).includes('trapped'))
})

test('only git 2.32 and newer are used, and a missing git is explained', GIT, async () => {
  const folder = await temporaryFolder()
  const { url } = await server.make('versions.git')
  const missing = await failureWith({ url }, { environment: { PATH: folder } })
  assert.deepEqual(missing, {
    code: 'git_missing',
    message:
      'cannot read a repository: git is not installed; install git 2.32 or newer (and ssh, for repositories by ssh), and put it into PATH',
  })
  await writeFile(join(folder, 'git'), '#!/bin/sh\necho git version 2.30.2\n', { mode: 0o755 })
  const old = await failureWith({ url }, { environment: { PATH: `${folder}:${process.env.PATH}` } })
  assert.match(old?.message ?? '', /: git 2\.30\.2 is too old; install git 2\.32 or newer/)
})

test('a server that never answers does not outlive an abort, and neither do its processes', GIT, async () => {
  const silent = createServer(() => undefined)
  const url = `http://127.0.0.1:${await listeningPort(silent)}/x.git`
  const stopping = new AbortController()
  const pulled = pullerFor(await temporaryStore(), { signal: stopping.signal }).pull({ url })
  await once(silent, 'connection')
  stopping.abort()
  await assert.rejects(pulled, { name: 'AbortError' })
  const lines = await commandLinesDuring(new Promise(resolve => setTimeout(resolve, 1)))
  assert.ok(!lines.includes(url))
  silent.close()
})

test('a private authority needs GIT_SSL_CAINFO, whose path may be relative', OPENSSL, async () => {
  const certificate = await makeCertificate('IP:127.0.0.1')
  const port = await secureServer(certificate, (request, response) => answerFromGit(server.folder, request, response))
  await (await server.make('secure.git')).commit(BRAND)
  const url = `https://127.0.0.1:${port}/secure.git`
  const failureAt = (path?: string) => {
    const named = path === undefined ? {} : { GIT_SSL_CAINFO: path }
    return failureWith({ url }, { environment: { PATH: process.env.PATH ?? '', ...named } })
  }
  for (const path of [certificate.path, relative(process.cwd(), certificate.path)])
    assert.equal(await failureAt(path), null)
  for (const path of [undefined, '/none.pem']) {
    const failure = await failureAt(path)
    assert.equal(failure?.code, 'git_unreachable')
    assert.match(failure?.message ?? '', /: check the certificate of the host; GIT_SSL_CAINFO names a file/)
  }
})

test('a repository by ssh needs the right key and the key of its host', SSH, async () => {
  const ssh = await startSshServer()
  const { folder, commit } = await server.make('by-ssh.git')
  await commit(BRAND)
  const url = ssh.url + folder
  const temporary = await temporaryStore()
  const { key: sshKey, knownHosts } = ssh
  const pulled = pullerFor(temporary, { host: { sshKey, knownHosts } }).pull({ url })
  const lines = await commandLinesDuring(pulled)
  assert.deepEqual((await pulled).state.failure, null)
  assert.match(lines, /ssh -F \/dev\/null .*BatchMode=yes/)
  const [, secret = ''] = sshKey.split('\n')
  assert.ok(!lines.includes(secret) && !contentsOf(temporary.data).includes(secret))
  const refused = await failureWith({ url }, { sshKey: ssh.otherKey, knownHosts })
  const seen = [refused?.code, /HOUSESTYLE_GIT_SSH_KEY: .*Permission denied/.test(refused?.message ?? '')]
  assert.deepEqual(seen, ['git_refused', true])
  const wrong = await failureWith({ url }, { sshKey, knownHosts: ssh.wrongHosts })
  const found = [wrong?.code, /another key of the host;.*: Host key verification failed\.$/.test(wrong?.message ?? '')]
  assert.deepEqual(found, ['git_host_unknown', true])
  assert.match((await failureWith({ url }, { sshKey }))?.message ?? '', /name the file with --git-known-hosts$/)
  const gone = `${knownHosts}-gone`
  const { code, message } = (await failureWith({ url }, { sshKey, knownHosts: gone })) ?? assert.fail()
  const problem = `the file of known hosts ${gone} cannot be read; correct --git-known-hosts, or let this user read the file`
  assert.deepEqual(
    [code, message],
    ['git_host_unknown', `cannot read ${url}: ${problem}: ENOENT: no such file or directory, access '${gone}'`],
  )
})
