import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { readSource } from '#publishing/git/pull/source-state.ts'
import { history } from '#publishing/history.ts'
import { MAIN } from '../../../program/cli/housestyle.ts'
import { GIT, startGitServer } from '../../../support/git-server.ts'
import { pullerFor } from '../../../support/puller.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'

const FILES = Array.from({ length: 40 }, (_, at) => [`guide/files/noise-${at}.bin`, noise(at)])

/** Bytes that do not compress, so that a fetch takes several writes. */
function noise(seed: number): Buffer {
  const bytes = Buffer.alloc(50_000)
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(Math.imul(at + seed + 1, 2654435761) >>> 0, at)
  return bytes
}

/** The moments of a kill: at a request of git, or this long after the last one. */
const MOMENTS = [{ request: 3 }, { request: 5 }, { request: 5, afterMs: 30 }, { request: 5, afterMs: 250 }] as const

test('a pull that is killed at any step leaves the published revision, and the next pull completes', GIT, async () => {
  const server = await startGitServer()
  const { url, commit } = await server.make('killed.git')
  const temporary = await temporaryStore()
  const puller = pullerFor(temporary)
  let published = 0
  for (const [at, moment] of MOMENTS.entries()) {
    const files = {
      'workspace.yaml': 'id: acme\n',
      'guide/pages/index.md': `# ${at}\n`,
      ...Object.fromEntries(FILES),
    }
    const hash = await commit({ ...files, 'guide/files/own.bin': noise(1000 + at) })
    const asked = server.requests.length
    const child = spawn(process.execPath, [MAIN, 'pull', '--git', url, '--data', temporary.data], { stdio: 'ignore' })
    const exited = once(child, 'exit')
    await until(() => server.requests.length >= asked + moment.request || child.exitCode !== null, 1)
    if ('afterMs' in moment) await new Promise(resolve => setTimeout(resolve, moment.afterMs))
    child.kill('SIGKILL')
    await exited
    const kept = await history(temporary.store, { workspace: 'acme', project: 'guide' })
    const revisions = kept.ok ? kept.value.map(({ revision }) => revision) : []
    assert.ok([published, published + 1].includes(revisions.length), `moment ${at}`)
    const { state } = await puller.pull({ url })
    assert.deepEqual([at, state.failure, state.state, state.commit?.hash], [at, null, 'good', hash])
    published++
    const after = await history(temporary.store, { workspace: 'acme', project: 'guide' })
    assert.equal(after.ok && after.value.length, published)
  }
  // The git of a killed pull may still write for a moment, into a folder that a later pull removes.
  await until(async () => {
    await puller.pull({ url }, { isForced: true })
    return readdirSync(puller.mirrors).every(id => readdirSync(join(puller.mirrors, id)).length === 1)
  })
})

/** A program named git that runs git, except that this command is killed after a part of its output. */
async function killedGit(command: string): Promise<string> {
  const folder = await temporaryFolder()
  const lines = [
    '#!/bin/sh',
    `PATH='${process.env.PATH}'`,
    `case " $* " in *" ${command} "*) git "$@" | head -c 30; kill -9 $$;; esac`,
    'exec git "$@"',
  ]
  await writeFile(join(folder, 'git'), `${lines.join('\n')}\n`, { mode: 0o755 })
  return folder
}

/** The commands of a pull, in their order. */
const COMMANDS = [
  'version',
  'ls-remote',
  'fetch',
  'log',
  'rev-parse --verify',
  'ls-tree -d',
  'ls-tree -r',
  'cat-file blob',
  'cat-file --batch',
] as const

for (const command of COMMANDS)
  test(`a commit is not refused because git ${command} was killed`, GIT, async () => {
    const { url, commit } = await (await startGitServer()).make('memory.git')
    await commit({ 'brand/workspace.yaml': 'id: acme\n', 'brand/guide/pages/index.md': '# Welcome\n' })
    const temporary = await temporaryStore()
    const folder = await killedGit(command)
    const puller = pullerFor(temporary, { host: { environment: { PATH: `${folder}:${process.env.PATH}` } } })
    const source = { url, path: command === 'rev-parse --verify' ? '' : 'brand', publish: 'auto' } as const
    const { state } = await puller.pull(source)
    assert.equal(state.failure?.code, 'pull_failed')
    assert.match(
      state.failure?.message ?? '',
      /: git was killed; see the memory of the machine or container; a service tries again by itself$/,
    )
    assert.equal((await readSource(temporary.store.database, source)).refused, undefined)
    await rm(join(folder, 'git'))
    assert.equal((await puller.pull({ ...source, path: 'brand' })).state.state, 'good')
  })
