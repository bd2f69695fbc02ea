import assert from 'node:assert/strict'
import { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Failure, ProcessFailed, QueueFull } from '#platform/processes/failure.ts'
import { Pool } from '#platform/processes/pool.ts'
import { openSlots } from '#platform/processes/process-slots.ts'
import { fairQueue, fifoQueue } from '#platform/processes/queue.ts'
import { CLOCK_TIMES, isOver, type PoolOptions } from '#platform/processes/worker.ts'
import { folderWith } from '../../support/temporary.ts'

/** The behaviour of a process for its first task and for others: `first,other`, or one for both. */
type Task = string

const folder = await folderWith({
  'program.mjs': `
    let isFirst = true
    const works = {
      pid: () => process.send(process.pid),
      wait: () => {},
      spin: () => { for (;;); },
      grow: () => { const all = []; for (;;) all.push(new Array(1000).fill(all)) },
      die: () => { process.kill(process.pid, 'SIGKILL'); for (;;); },
      exit: () => process.exit(0),
      twice: () => { process.send('half'); process.send('done') },
    }
    process.on('message', ({ task }) => {
      const [first, other = first] = task.split(',')
      const work = isFirst ? first : other
      isFirst = false
      works[work]()
    })`,
})

function poolOf(
  t: TestContext,
  options: Partial<PoolOptions<Task, unknown>> = {},
): { pool: Pool<Task, unknown>; failures: Failure[] } {
  const failures: Failure[] = []
  const pool = new Pool<Task, unknown>({
    name: 'test',
    program: pathToFileURL(join(folder, 'program.mjs')),
    // A title of its own, so that a test uses no process of another.
    execArgv: ['--max-old-space-size=16', `--title=${t.name}`],
    timeoutMs: 60_000,
    idleMs: 60_000,
    maxProcesses: 1,
    maxTasksEach: 1,
    queue: fifoQueue(),
    messages: task => [{ task }],
    receive: () => message => message,
    failed: failure => failures.push(failure),
    ...options,
  })
  t.after(() => pool.close())
  return { pool, failures }
}

/** The only process in a pool of one. */
async function pidOf(pool: Pool<Task, unknown>): Promise<number> {
  const outcome = await pool.run('pid')
  assert.ok(outcome.ok && typeof outcome.value === 'number')
  return outcome.value
}

const failed = (cause: Failure['cause'], author = '') => ({ task: 'test', author, cause })

test('the job of a killed process is done by a new process', async t => {
  const { pool, failures } = poolOf(t)
  const pid = await pidOf(pool)
  const work = pool.run('pid,wait', { author: 'acme', size: 1 })
  process.kill(pid, 'SIGKILL')
  const outcome = await work
  assert.ok(outcome.ok)
  assert.notEqual(outcome.value, pid)
  assert.deepEqual(failures, [failed('killed', 'acme')])
})

test('the job of a stopped process is done by a new process, and the old one is ended', async t => {
  const { pool, failures } = poolOf(t, { timeoutMs: 5000 })
  const pid = await pidOf(pool)
  process.kill(pid, 'SIGSTOP')
  const outcome = await pool.run('pid')
  assert.ok(outcome.ok)
  assert.notEqual(outcome.value, pid)
  assert.deepEqual(failures, [failed('time')])
  await gone(pid)
})

test('a process that gets no processor time, as on a busy machine, is not ended at its limit', async t => {
  const { pool, failures } = poolOf(t, { timeoutMs: 5000 })
  const pid = await pidOf(pool)
  process.kill(pid, 'SIGSTOP')
  const work = pool.run('pid')
  await pause(6000)
  process.kill(pid, 'SIGCONT')
  assert.deepEqual(await work, { ok: true, value: pid })
  assert.deepEqual(failures, [])
})

test('a process that has had its processor time is over its limit, however little it took by the clock', () => {
  const process = { child: new ChildProcess(), usedMs: 350, listeners: {} }
  const worker = { process, jobs: [], beganMs: performance.now(), usedBeforeMs: 50, hasAnswered: true }
  const byClock = [1, 0].map(ms => isOver(worker, 400, 400 * CLOCK_TIMES - ms))
  assert.deepEqual([isOver(worker, 300, 0), ...byClock], [true, false, true])
})

test('a job whose processes are killed twice fails without blame', async t => {
  const { pool, failures } = poolOf(t)
  await assert.rejects(pool.run('die'), { message: 'the process for test failed twice (killed, killed)' })
  await assert.rejects(pool.run('exit'), ProcessFailed)
  assert.deepEqual(failures, Array(4).fill(failed('killed')))
  assert.ok((await pool.run('pid')).ok)
})

test('a job that is too slow twice has the outcome `time`', async t => {
  const { pool, failures } = poolOf(t, { timeoutMs: 300 })
  assert.deepEqual(await pool.run('spin'), { ok: false, problem: 'time' })
  assert.deepEqual(failures, Array(2).fill(failed('time')))
})

test('the time of a job does not count the start of a process that says when it is ready', async t => {
  const program = join(folder, 'slow.mjs')
  const load = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);'
  await writeFile(program, `${load} process.on('message', () => process.send('done')); process.send('ready')`)
  const options = { program: pathToFileURL(program), timeoutMs: 400, isTotalTime: true }
  assert.deepEqual(await poolOf(t, options).pool.run('any'), { ok: false, problem: 'time' })
  assert.deepEqual(await poolOf(t, { ...options, saysReady: true }).pool.run('any'), { ok: true, value: 'done' })
})

test('a job that takes all the time of both tries in the first is not retried', async t => {
  const { pool, failures } = poolOf(t, { timeoutMs: 300, isTotalTime: true })
  assert.deepEqual(await pool.run('spin'), { ok: false, problem: 'time' })
  assert.deepEqual(failures, [failed('time')])
})

test('a job that needs too much memory twice has the outcome `memory`', async t => {
  const { pool, failures } = poolOf(t)
  assert.deepEqual(await pool.run('grow'), { ok: false, problem: 'memory' })
  assert.deepEqual(failures, Array(2).fill(failed('memory')))
})

test('a job that needs too much memory alongside others is retried alone', async t => {
  const { pool, failures } = poolOf(t)
  await pool.run('pid')
  assert.ok((await pool.run('pid,grow')).ok)
  assert.deepEqual(failures, [failed('memory')])
})

test('a failure of the job and one from outside together do not blame the job', async t => {
  const { pool } = poolOf(t)
  await pool.run('pid')
  await assert.rejects(pool.run('die,grow'), { message: 'the process for test failed twice (memory, killed)' })
})

test('jobs fail if no process can be started', async t => {
  const { pool, failures } = poolOf(t, { program: pathToFileURL(join(folder, 'missing.mjs')) })
  await assert.rejects(pool.run('pid'), error => {
    assert.ok(error instanceof ProcessFailed)
    assert.equal(error.message, 'the process for test failed twice (not-run, not-run)')
    assert.match(error.explain('it failed'), /^it failed: Error.*: Cannot find module '.*missing\.mjs'/)
    assert.equal(error.mayLackMemory(), false)
    return true
  })
  assert.deepEqual(failures, Array(2).fill(failed('not-run')))
})

test('jobs sent in advance to a failing process are done by another, in order', async t => {
  const { pool, failures } = poolOf(t, { maxTasksEach: 16 })
  await pool.run('pid')
  const ended: string[] = []
  const run = async (task: string, name: string) => {
    const { ok } = await pool.run(task)
    ended.push(`${name} ${ok}`)
  }
  await Promise.all([run('grow', 'a'), run('pid', 'b'), run('pid', 'c')])
  assert.deepEqual(ended, ['a false', 'b true', 'c true'])
  assert.deepEqual(failures, Array(2).fill(failed('memory')))
})

test('a retried job has a process to itself', async t => {
  const { pool } = poolOf(t, { maxTasksEach: 16, maxProcesses: 2 })
  await pool.run('pid')
  const again = pool.run('wait,grow')
  const [before, after] = [await pool.run('pid'), await pool.run('pid')]
  assert.deepEqual(before, after)
  const closed = assert.rejects(again, /were closed/)
  await pool.close()
  await closed
})

test('a task and its answer may be sent in pieces', async t => {
  const sent: string[] = []
  const { pool } = poolOf(t, {
    messages: async function* () {
      for (const task of ['wait', 'twice']) {
        sent.push(task)
        yield { task }
      }
    },
    receive: () => message => (message === 'done' ? message : undefined),
  })
  assert.deepEqual(await pool.run(''), { ok: true, value: 'done' })
  assert.deepEqual(sent, ['wait', 'twice'])
})

test('a task that cannot be sent is rejected, and waiting jobs are done', async t => {
  const { pool } = poolOf(t, {
    messages: function* (task) {
      if (task === 'broken') throw new Error('broken')
      yield { task }
    },
  })
  const broken = assert.rejects(pool.run('broken'), { message: 'broken' })
  assert.ok((await pool.run('pid')).ok)
  await broken
})

test('closing ends busy processes, and rejects running, waiting and later jobs', async t => {
  const { pool } = poolOf(t)
  const pid = await pidOf(pool)
  const rejected = ['spin', 'pid'].map(task => assert.rejects(pool.run(task), /the processes for test were closed/))
  await pool.close()
  await Promise.all(rejected)
  assert.throws(() => process.kill(pid, 0))
  await assert.rejects(pool.run('pid'), /were closed/)
})

test('a job is rejected if the queue is full', async t => {
  const { pool } = poolOf(t, { queue: fairQueue({ maxRunning: 1, maxWaiting: 10 }) })
  const work = [1, 2].map(() => assert.rejects(pool.run('wait', { author: 'a', size: 8 }), /were closed/))
  await assert.rejects(pool.run('wait', { author: 'a', size: 8 }), QueueFull)
  await pool.close()
  await Promise.all(work)
})

test('a waiting job is rejected if it loses its place to another network', async t => {
  const { pool } = poolOf(t, { queue: fairQueue({ maxRunning: 1, maxWaiting: 2 }) })
  const running = assert.rejects(pool.run('wait', { author: 'a', size: 1 }), /were closed/)
  const from = (network: string) => pool.run('wait', { author: 'a', size: 1, network, maxWaitMs: 2 ** 31 - 1 })
  const first = assert.rejects(from('x'), /were closed/)
  const lost = assert.rejects(from('x'), QueueFull)
  const other = assert.rejects(from('y'), /were closed/)
  await lost
  await pool.close()
  await Promise.all([running, first, other])
})

/** Waits until no process with this id exists. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await pause(10)
  }
}

test('a process that is faster than the limit for another one stays alone', async t => {
  const { pool } = poolOf(t, { maxProcesses: 2, scaleUpAfterMs: 60_000 })
  const pid = await pidOf(pool)
  const quick = await Promise.all(Array.from({ length: 20 }, () => pool.run('pid')))
  const expected = Array.from({ length: 20 }, () => ({ ok: true, value: pid }))
  assert.deepEqual(quick, expected)
})

test('a slow process gets a second one alongside it', async t => {
  const { pool } = poolOf(t, { maxProcesses: 2, scaleUpAfterMs: 500 })
  const pid = await pidOf(pool)
  const slow = pool.run('spin').catch(() => undefined)
  const second = await pool.run('pid')
  assert.ok(second.ok && second.value !== pid)
  const { busy, idle } = pool.usage()
  assert.deepEqual({ busy, idle }, { busy: 1, idle: 1 })
  await pool.close()
  await slow
})

test('a pool reports how many processes are busy and idle, and how many tasks wait', async t => {
  const { pool } = poolOf(t)
  assert.deepEqual(pool.usage(), { task: 'test', busy: 0, idle: 0, waiting: 0 })
  await pool.run('pid')
  assert.deepEqual(pool.usage(), { task: 'test', busy: 0, idle: 1, waiting: 0 })
  const running = [pool.run('pid'), pool.run('pid'), pool.run('pid')]
  assert.deepEqual(pool.usage(), { task: 'test', busy: 1, idle: 0, waiting: 2 })
  await Promise.all(running)
})

test('a process that is started early is idle until the first job, which it does', async t => {
  const { pool } = poolOf(t)
  pool.warm()
  pool.warm()
  assert.deepEqual(pool.usage(), { task: 'test', busy: 0, idle: 1, waiting: 0 })
  await pool.run('pid')
  assert.deepEqual(pool.usage(), { task: 'test', busy: 0, idle: 1, waiting: 0 })
})

test('an idle process works for the next pool with the same program and options, but does not retry its tasks', async t => {
  const [first, second] = [poolOf(t), poolOf(t)]
  const pid = await pidOf(first.pool)
  await first.pool.close()
  assert.deepEqual(second.pool.usage(), { task: 'test', busy: 0, idle: 1, waiting: 0 })
  assert.equal(await pidOf(second.pool), pid)
  assert.ok((await second.pool.run('pid,die')).ok)
  assert.deepEqual(second.failures, [failed('killed')])
  assert.deepEqual(first.failures, [])
})

test('an idle process that is killed is forgotten', async t => {
  const { pool, failures } = poolOf(t)
  const pid = await pidOf(pool)
  process.kill(pid, 'SIGKILL')
  while (pool.usage().idle > 0) await pause(10)
  assert.notEqual(await pidOf(pool), pid)
  assert.deepEqual(failures, [])
})

test('pools that share memory for one process take turns, and an idle process makes room for another', async t => {
  const slots = openSlots(1)
  const [one, other] = ['a', 'b'].map(name => {
    const execArgv = ['--max-old-space-size=16', `--title=${t.name} ${name}`]
    return poolOf(t, { slots, execArgv, maxProcesses: 2 }).pool
  })
  assert.ok(one && other)
  const done: string[] = []
  const follow = (name: string, pool: Pool<Task, unknown>) => pool.run('pid').then(() => done.push(name))
  const busy = () => one.usage().busy + other.usage().busy
  const tasks = [follow('a', one), follow('a', one), follow('a', one), follow('b', other), follow('b', other)]
  assert.deepEqual([one.usage().waiting, other.usage().waiting, busy()], [2, 2, 1])
  await Promise.all(tasks)
  assert.deepEqual(done, ['a', 'a', 'b', 'a', 'b'])
  assert.deepEqual([one.usage().idle + other.usage().idle, busy()], [1, 0])
})

test('a killed process does not take the memory of another pool, and its job is retried before others wait', async t => {
  const slots = openSlots(1)
  const [one, other] = [poolOf(t, { slots }).pool, poolOf(t, { slots }).pool]
  const killed = assert.rejects(one.run('die'), ProcessFailed)
  const waiting = other.run('pid')
  await killed
  assert.ok((await waiting).ok)
  assert.deepEqual([one.usage().busy, other.usage().busy], [0, 0])
  const stopped = assert.rejects(one.run('wait'), /were closed/)
  const next = other.run('pid')
  await one.close()
  assert.ok((await next).ok)
  await stopped
})
