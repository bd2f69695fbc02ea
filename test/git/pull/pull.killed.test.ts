import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { history } from '../../../src/publishing/history.ts'
import { MAIN } from '../../cli/housestyle.ts'
import { startGitServer } from '../../support/git-server.ts'
import { needs } from '../../support/programs.ts'
import { pullerFor } from '../../support/puller.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const FILES = Array.from({ length: 40 }, (_, at) => [`guide/files/noise-${at}.bin`, noise(at)])

/** Bytes that do not compress, so that a fetch takes several writes. */
function noise(seed: number): Buffer {
  const bytes = Buffer.alloc(50_000)
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(Math.imul(at + seed + 1, 2654435761) >>> 0, at)
  return bytes
}

/** The moments of a kill: at a request of git, or this long after the last one. */
const MOMENTS = [{ request: 3 }, { request: 5 }, { request: 5, afterMs: 30 }, { request: 5, afterMs: 250 }] as const

test('a pull that is killed at any step leaves the published revision, and the next pull completes', {
  ...needs('git'),
  timeout: 120_000,
}, async () => {
  const server = await startGitServer()
  const { url, commit } = await server.make('killed.git')
  const temporary = await temporaryStore()
  const puller = pullerFor(temporary)
  let published = 0
  for (const [at, moment] of MOMENTS.entries()) {
    const files = { 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': `# ${at}\n`, ...Object.fromEntries(FILES) }
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
