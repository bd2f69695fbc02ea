import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ProjectState, projectStates } from '#publishing/status.ts'
import { listCopies } from '#store/catalogue/copies.ts'
import { openStore } from '#store/store.ts'
import { housestyle, MAIN } from '../program/cli/housestyle.ts'
import { copyUnderWay } from '../support/copy-under-way.ts'
import { runningService } from '../support/service.ts'
import { type Contents, folderWith, temporaryFolder } from '../support/temporary.ts'
import { publishedStore } from '../support/temporary-store.ts'

const BIG: Contents = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [`guide/files/big${at}.bin`, Buffer.alloc(400_000, at)]),
)

const NEXT = [
  ['status', ['status', '--json']],
  ['copy', ['copy', 'acme/guide', 'other/guide', '--json']],
  ['publish', ['publish', '--all', '--json']],
  ['import', ['import', 'acme', '--json']],
] as const

/** Copies in a child process, and sends it a signal this long after the copy has started. */
async function stoppedCopy(cwd: string, signal: NodeJS.Signals, afterMs: number) {
  const store = await openStore(join(cwd, '.housestyle'))
  const child = spawn(process.execPath, [MAIN, 'copy', 'acme/guide', 'other/guide'], { cwd })
  const ended = once(child, 'exit')
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  while (child.exitCode === null && (await listCopies(store.database)).length === 0) await sleep(1)
  await sleep(afterMs)
  child.kill(signal)
  const [status] = await ended
  const [stdout, stderr] = await said
  await store.close()
  return { status, stdout, stderr }
}

for (const [name, next] of NEXT)
  test(`a copy that is killed at any moment is undone or complete, and after the next ${name} nothing stays Processing`, async () => {
    const cwd = await temporaryFolder()
    await folderWith({ 'guide/pages/index.md': '# Guide\n', ...BIG }, 'acme', cwd)
    await folderWith({ 'guide/pages/index.md': '# Old\n' }, 'other', cwd)
    const json = async (...args: string[]): Promise<ProjectState[]> => {
      const { status, stdout, stderr } = await housestyle([...args, '--json'], { cwd })
      assert.equal(status, 0, stderr)
      return JSON.parse(stdout)
    }
    await json('import', 'acme')
    await json('import', 'other')
    await json('publish', '--all')
    const states = () => json('status')
    let stopped = 0
    for (const [signal, afterMs] of [
      ['SIGKILL', 0],
      ['SIGINT', 10],
      ['SIGKILL', 40],
    ] as const) {
      const before = await states()
      const ran = await stoppedCopy(cwd, signal, afterMs)
      if (ran.status !== 0) stopped++
      if (ran.status !== 0 && ran.status !== null) assert.deepEqual([ran.status, ran.stdout, ran.stderr], [130, '', ''])
      const done = await housestyle(next, { cwd })
      assert.equal(done.status, 0, done.stderr)
      const after = await states()
      const statuses = after.map(({ status }) => status)
      assert.deepEqual(statuses, ['UpToDate', 'UpToDate'])
      const { published, revision } = after[1] ?? {}
      const isCopy = published === after[0]?.published
      assert.ok(isCopy || published === before[1]?.published)
      if (ran.status !== 0 && !isCopy) assert.equal(revision, before[1]?.revision)
    }
    // Content copied by an earlier try is reused, so a later copy may end before the signal.
    assert.ok(stopped > 0, 'no copy was stopped')
    // One lock file is for the store's contents, one for copies over this target.
    assert.equal((await readdir(join(cwd, '.housestyle/locks'))).length, 2)
  })

test('a running service undoes a killed copy within seconds', async () => {
  const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Guide\n' })
  const { url } = await runningService(temporary)
  const { token } = await temporary.issue('acme', { scopes: ['data.read'] })
  const status = async () => {
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(`${url}/beta/workspace/acme/project/guide`, { headers })
    const project: { status?: string } = JSON.parse(await reply.text())
    return project.status
  }
  const until = async (wanted: string) => {
    while ((await status()) !== wanted) await sleep(50)
  }
  const killed = await openStore(temporary.data)
  const [source, target] = ['guide', 'spring'].map(project => ({ workspace: 'acme', project }))
  assert.ok(source && target)
  const release = await copyUnderWay(killed, source, target)
  await until('Processing')
  release()
  await until('UpToDate')
  const projects = (await projectStates(killed, {})).map(({ project }) => project)
  assert.deepEqual(projects, ['guide'])
  await killed.close()
})
