import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { kill, ProcessExit, startSandboxed } from '#platform/processes/sandbox.ts'
import { listeningPort } from '../../support/free-port.ts'
import { needs } from '../../support/programs.ts'
import { folderWith } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

test('a confined process has no environment, writes no file and starts no process', async () => {
  const program = await programOf(`
    const codeOf = work => { try { work(); return 'done' } catch (error) { return error.code } }
    const { writeFileSync } = await import('node:fs')
    const { execFileSync } = await import('node:child_process')
    process.send([
      Object.keys(process.env),
      codeOf(() => writeFileSync(import.meta.filename + '.out', '')),
      codeOf(() => execFileSync('true')),
    ])`)
  const { child } = startSandboxed(program, { execArgv: [] })
  const [[names, ...codes]] = await once(child, 'message')
  await kill(child)
  // Node itself sets these for its channel.
  const unexpected = names.filter((name: string) => !name.startsWith('NODE_'))
  assert.deepEqual(unexpected, [])
  assert.deepEqual(codes, ['ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED'])
})

test('a confined process reads only the code of housestyle, and no system files, store or parent secrets', async () => {
  const outside = await folderWith({ 'store.txt': 'a secret of the store' })
  new DatabaseSync(join(outside, 'housestyle.db')).exec("CREATE TABLE secrets AS SELECT 'a secret' AS secret")
  await symlink('/etc/passwd', join(outside, 'link'))
  const answers = await runConfined(`
    const { readFileSync, readdirSync } = await import('node:fs')
    const openStore = async () => {
      const { DatabaseSync } = await import('node:sqlite')
      return new DatabaseSync(${JSON.stringify(join(outside, 'housestyle.db'))}).prepare('SELECT * FROM secrets').all()
    }
    process.send([
      await codeOf(() => readFileSync('/etc/passwd')),
      await codeOf(() => readFileSync('/proc/' + process.ppid + '/environ')),
      await codeOf(() => readFileSync(${JSON.stringify(join(outside, 'store.txt'))})),
      await codeOf(() => readFileSync(${JSON.stringify(join(outside, 'link'))})),
      await codeOf(() => readdirSync(${JSON.stringify(outside)})),
      await codeOf(openStore),
      await codeOf(() => readFileSync(${JSON.stringify(join(import.meta.dirname, '../../../src/main.ts'))})),
    ])`)
  const denied = Array.from({ length: 5 }, () => 'ERR_ACCESS_DENIED')
  assert.deepEqual(answers, [...denied, 'ERR_UNKNOWN_BUILTIN_MODULE', 'done'])
})

test('a confined process cannot start a thread with other permissions', async () => {
  const answers = await runConfined(`
    const { Worker } = await import('node:worker_threads')
    const work = "require('node:fs').readFileSync('/etc/passwd')"
    process.send([
      await codeOf(() => new Worker(work, { eval: true, execArgv: ['--no-permission'] })),
      await codeOf(() => new Worker(work, { eval: true })),
    ])`)
  assert.deepEqual(answers, ['ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED'])
})

// Earlier versions allow connections, as docs/security.md says. CI also runs this file on a newer one.
if (Number(process.versions.node.split('.')[0]) >= 25)
  test('a confined process opens no connection', async t => {
    const server = createServer()
    t.after(() => server.close())
    const port = await listeningPort(server)
    const [answer] = await runConfined(`
    const { connect } = await import('node:net')
    const socket = connect(${port}, '127.0.0.1')
    socket.on('connect', () => process.send(['connected'])).on('error', ({ code }) => process.send([code]))`)
    assert.equal(answer, 'ERR_ACCESS_DENIED')
  })

/**
 * The first message of a confined process. Its code may call `codeOf(work)`, which returns `done` or the error code.
 */
async function runConfined(code: string): Promise<unknown[]> {
  const codeOf = `const codeOf = async work => { try { await work(); return 'done' } catch (error) { return error.code } }`
  const { child } = startSandboxed(await programOf(`${codeOf}\n${code}`), { execArgv: [] })
  const [answer] = await once(child, 'message')
  await kill(child)
  return answer
}

for (const [lowerBy, lowered] of [
  [undefined, 10],
  [5, 5],
] as const)
  test(`a confined process and its threads have a priority lower by ${lowered}`, needs('Linux'), async _t => {
    const program = await programOf("process.send('started'); setInterval(() => {}, 1000)")
    const low = Math.min(constants.priority.PRIORITY_LOW, getPriority() + lowered)
    // On a busy machine, a process may start threads before its parent can lower its priority.
    await until(async () => {
      const { child } = startSandboxed(program, { execArgv: [], lowerBy })
      await once(child, 'message')
      const threads = await readdir(`/proc/${child.pid}/task`)
      const priorities = threads.map(thread => getPriority(Number(thread)))
      await kill(child)
      assert.ok(threads.length > 1)
      assert.ok(priorities.includes(low), `${priorities}`)
      return priorities.every(priority => priority === low)
    })
  })

test('a process whose runtime does not confine it ends before it reads anything', async () => {
  const program = await programOf("console.log('ran')")
  const { status, stdout } = spawnSync(process.execPath, ['--import', PRELOADED, fileURLToPath(program)])
  assert.deepEqual([status, stdout.toString()], [1, ''])
})

const PRELOADED = new URL('../../../src/platform/processes/watched-process.ts', import.meta.url).href

test('the cause of an exit is reported: failed to load, out of memory, crashed, or killed from outside', async () => {
  const exitCause = async (code: string) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const limits = { execArgv: ['--max-old-space-size=16'] } as const
    startSandboxed(await programOf(code), limits).listeners = { exited: resolve }
    return promise
  }
  assert.equal(await exitCause("import './missing.mjs'"), 'not-run')
  assert.equal(await exitCause('const all = []; for (;;) all.push(new Array(1000).fill(all))'), 'memory')
  assert.equal(await exitCause('process.abort()'), 'memory')
  assert.equal(await exitCause("process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)"), 'killed')
  assert.equal(await exitCause('process.exit(0)'), 'killed')
  assert.equal(await exitCause('process.exit(134)'), 'memory')
  assert.equal(await exitCause('process.exit(3)'), 'not-run')
  assert.equal(await exitCause('process.exit(255)'), 'not-run')
})

test('a process ends for lack of memory if it fills buffers, which V8 does not limit', async () => {
  const program = await programOf(`
    const filled = []
    for (let megabytes = 0; ; megabytes++) {
      filled.push(Buffer.alloc(2 ** 20, 1))
      if (megabytes > 200) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }`)
  const { listeners } = startSandboxed(program, { execArgv: [], maxMegabytes: 200 })
  const cause = await new Promise(resolve => Object.assign(listeners, { exited: resolve }))
  assert.equal(cause, 'memory')
})

test('an exit has the error that the process printed, and blames memory only for a signal or code that says so', async () => {
  const exit = async (code: string) => {
    const { promise, resolve } = Promise.withResolvers<Error | undefined>()
    const limits = { execArgv: ['--max-old-space-size=16'] } as const
    startSandboxed(await programOf(code), limits).listeners = { exited: (_, error) => resolve(error) }
    const error = await promise
    assert.ok(error instanceof ProcessExit)
    return [error.message.replace(' [ERR_ACCESS_DENIED]', ''), error.mayLackMemory] // Newer versions print the code.
  }
  const denied = 'Error: Access to this API has been restricted. Use --allow-fs-read to manage permissions.'
  assert.deepEqual(await exit("import '/etc/passwd'"), [`it ended with exit code 1: ${denied}`, false])
  assert.deepEqual(await exit("throw new Error('not here')"), ['it ended with exit code 1: Error: not here', false])
  assert.deepEqual(await exit('process.exit(3)'), ['it ended with exit code 3', false])
  assert.deepEqual(await exit('process.exit(134)'), ['it ended with SIGABRT', true])
  assert.deepEqual(await exit("process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)"), [
    'it ended with SIGKILL',
    true,
  ])
  // V8 says in several ways that memory is short, depending on how long its collections take.
  const [message, mayLackMemory] = await exit('const all = []; for (;;) all.push(new Array(1000).fill(all))')
  assert.match(String(message), /^it ended with SIGABRT: FATAL ERROR: .*JavaScript heap out of memory$/)
  assert.equal(mayLackMemory, true)
})

test('a program whose libraries are behind a link, as in a git worktree, can read them', async () => {
  const libraries = await folderWith({
    'node_modules/one/package.json': '{ "main": "a.cjs" }',
    'node_modules/one/a.cjs': "exports.one = require('two').two",
    'node_modules/two/package.json': '{ "main": "b" }',
    'node_modules/two/b.js': 'exports.two = 2',
  })
  const code = fileURLToPath(new URL('../../../src', import.meta.url))
  const checkout = await folderWith({ 'package.json': await readFile('package.json', 'utf8') })
  await cp(code, join(checkout, 'src'), { recursive: true })
  await symlink(join(libraries, 'node_modules'), join(checkout, 'node_modules'))
  await writeFile(join(checkout, 'src/program.mjs'), "const { one } = await import('one'); process.send([one])")
  const { startSandboxed } = await import(pathToFileURL(join(checkout, 'src/platform/processes/sandbox.ts')).href)
  const program = pathToFileURL(join(checkout, 'src/program.mjs'))
  const started = startSandboxed(program, { execArgv: [] })
  const { promise, resolve, reject } = Promise.withResolvers()
  started.listeners = { message: resolve, exited: (_: string, error: Error) => reject(error) }
  assert.deepEqual(await promise, [2])
  await kill(started.child)
})

test('a busy process tells its processor time, whatever a library prints', async () => {
  const started = startSandboxed(await programOf("console.log('7 wonders'); for (;;);"), { execArgv: [] })
  await until(() => started.usedMs > 1000)
  await kill(started.child)
})

test('a busy process ends when its parent is killed', async () => {
  const program = await programOf('process.send(process.pid, () => { for (;;); })')
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', STARTING, program.href], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [pid] = await once(parent.stdout, 'data')
  parent.kill('SIGKILL')
  while (isThere(Number(pid))) await pause(100)
})

/** Starts a sandboxed process, and prints the process id that it sends. */
const STARTING = `
  import { startSandboxed } from ${JSON.stringify(new URL('../../../src/platform/processes/sandbox.ts', import.meta.url).href)}
  const limits = { execArgv: [] }
  startSandboxed(new URL(process.argv[1]), limits).listeners = { message: pid => console.log(pid) }`

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function programOf(code: string): Promise<URL> {
  return pathToFileURL(join(await folderWith({ 'program.mjs': code }), 'program.mjs'))
}
