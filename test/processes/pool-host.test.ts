import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import type { TaskPool } from '../../src/processes/open-pool.ts'
import { type Failure, ProcessFailed, TooMuchWaiting } from '../../src/processes/pool.ts'
import { type HostedPools, hostPools } from '../../src/processes/pool-host.ts'
import { type PoolHost, remotePools, type TaskSource } from '../../src/processes/remote-pool.ts'
import { type Calls, openCalls } from '../../src/threads/calls.ts'
import { folderWith } from '../support/temporary.ts'

const folder = await folderWith({
  'program.mjs': `
    let all = ''
    const works = {
      pid: () => process.send({ kind: 'end', value: process.pid }),
      wait: () => {},
      die: () => process.kill(process.pid, 'SIGKILL'),
      once: () => { if (!all.includes('again')) process.exit(0) },
    }
    process.on('message', ({ piece, isLast }) => {
      all += piece
      if (!isLast) return
      if (works[all]) works[all]()
      else { process.send({ kind: 'part', value: all }); process.send({ kind: 'end', value: '!' }) }
      all = ''
    })`,
})

type Pieces = readonly string[] | Error

/** A pool of one process, as two threads see it, and the thread that has it. */
function hosted(t: TestContext): {
  pools: TaskPool<Pieces, string>[]
  host: HostedPools
  failures: Failure[]
  ends: Calls<TaskSource>[]
} {
  const failures: Failure[] = []
  const host = hostPools(failure => failures.push(failure))
  t.after(host.close)
  const ends: Calls<TaskSource>[] = []
  const pools = [1, 2].map(() => {
    const { port1, port2 } = new MessageChannel()
    t.after(() => port1.close())
    ends.push(openCalls<TaskSource>(port1, host.hostFor))
    let pool: TaskPool<Pieces, string> | undefined
    openCalls<PoolHost>(port2, calls => {
      const { openPool, source } = remotePools(calls)
      pool = openPool<Pieces, string>(OPTIONS)
      return source
    })
    assert.ok(pool)
    return pool
  })
  return { pools, host, failures, ends }
}

const OPTIONS = {
  name: 'test',
  program: pathToFileURL(join(folder, 'program.mjs')),
  execArgv: [],
  serialization: 'json',
  timeoutMs: 60_000,
  idleMs: 60_000,
  maxProcesses: 1,
  maxTasksEach: 1,
  turns: { maxUnderWay: 1, maxWaiting: 2 },
  lastKind: 'end',
  messages: messagesOf,
  receive: () => {
    let all = ''
    return (message: unknown) => {
      if (!(message instanceof Object)) return undefined
      all += Reflect.get(message, 'value')
      return Reflect.get(message, 'kind') === 'end' ? all : undefined
    }
  },
} as const

async function* messagesOf(pieces: Pieces): AsyncGenerator<object> {
  if (pieces instanceof Error) throw pieces
  for (const [at, piece] of pieces.entries()) yield { piece, isLast: at === pieces.length - 1 }
}

const work = { author: 'acme', size: 1 }

test('threads share the processes of a pool; each gets the whole answers to its own tasks', async t => {
  const { pools, host } = hosted(t)
  const runs = pools.flatMap((pool, at) =>
    [1, 2].map(time => pool.run([`thread ${at}, `, `task ${time}`], { author: `${at} ${time}`, size: 1 })),
  )
  const values = (await Promise.all(runs)).map(outcome => outcome.ok && outcome.value)
  assert.deepEqual(values, ['thread 0, task 1!', 'thread 0, task 2!', 'thread 1, task 1!', 'thread 1, task 2!'])
  const pids = await Promise.all(pools.map((pool, at) => pool.run(['pid'], { author: `${at}`, size: 1 })))
  assert.deepEqual(pids[0], pids[1])
  assert.deepEqual(host.usages(), [{ task: 'test', busy: 0, idle: 1, waiting: 0 }])
})

test('what a task failed of is told to the thread that gave it: its own error, a full queue, or a process that failed', async t => {
  const {
    pools: [one, two],
    failures,
  } = hosted(t)
  assert.ok(one && two)
  const own = new Error('the file is gone')
  await assert.rejects(one.run(own, work), own)
  await assert.rejects(two.run(['die'], work), ProcessFailed)
  assert.deepEqual(
    failures.map(({ task, cause }) => [task, cause]),
    [
      ['test', 'killed'],
      ['test', 'killed'],
    ],
  )
  const waiting = [one.run(['wait'], work), one.run(['wait'], work), two.run(['wait'], work)]
  for (const each of waiting) each.catch(() => undefined)
  await assert.rejects(two.run(['wait'], work), TooMuchWaiting)
})

test('a task of a thread that has ended is given up, and those of others go on', async t => {
  const {
    pools: [one, two],
    ends,
  } = hosted(t)
  assert.ok(one && two)
  one.run(['wait'], { author: 'acme', size: 1 }).catch(() => undefined)
  ends[0]?.end(new Error('the thread has ended'))
  const outcome = await two.run(['still ', 'there'], { author: 'other', size: 1 }, 60_000)
  assert.deepEqual(outcome, { ok: true, value: 'still there!' })
})
