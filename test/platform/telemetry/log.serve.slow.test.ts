import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { type TestContext } from 'node:test'
import { MAIN } from '../../program/cli/housestyle.ts'
import { freePort } from '../../support/free-port.ts'
import { needs } from '../../support/programs.ts'
import { exchange, requestText } from '../../support/socket.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

/* Here, `serve` is a child process whose stderr is not read until the test reads it. */

/** Starts a service that logs each refusal to this descriptor; stops it when the test ends, or earlier. */
async function startServing(t: TestContext, stderr: 'pipe' | number) {
  const data = join(await temporaryFolder(), 'data')
  const args = [MAIN, 'serve', '--data', data, '--port', '0', '--json', '--rate', 'off', '--log', 'debug']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', stderr] })
  const { stdout = null } = child
  t.after(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  const [line] = await once(createInterface({ input: stdout ?? assert.fail() }), 'line')
  const { url } = JSON.parse(line)
  return { child, exit, url, port: Number(new URL(url).port) }
}

/**
 * Sends requests with a refused token until so many are refused. Each writes a log line of half a kilobyte. A busy
 * machine sheds some with 503, without a line.
 */
async function refuseTokens(port: number, count: number): Promise<void> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const long = 'x'.repeat(100)
  const token = `${part({ typ: 'at+jwt', alg: 'ES256', kid: 'none' })}.${part({ client_id: long, workspace: long, jti: long })}.c2ln`
  const request = requestText('GET /beta/workspace/acme', [`Authorization: Bearer ${token}`])
  for (let refused = 0; refused < count; ) {
    const statuses = (await exchange(port, request.repeat(Math.min(500, count - refused)))).map(({ status }) => status)
    const unexpected = statuses.filter(status => status !== 401 && status !== 503)
    assert.deepEqual(unexpected, [])
    refused += statuses.filter(status => status === 401).length
  }
}

async function droppedLines(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^housestyle_log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
}

test('a service with an unread log keeps running; it drops and counts excess lines, and reports their number when the log is read again', async t => {
  const { child, exit, url, port } = await startServing(t, 'pipe')
  assert.equal(await droppedLines(url), 0)
  await refuseTokens(port, 3000)
  const dropped = await droppedLines(url)
  assert.ok(dropped > 100, `${dropped}`)
  const lines: { msg: string; dropped?: number }[] = []
  for await (const line of createInterface({ input: child.stderr ?? assert.fail() })) {
    lines.push(JSON.parse(line))
    if (lines.at(-1)?.dropped !== undefined) break
  }
  const refused = lines.filter(({ msg }) => msg === 'token-refused')
  assert.deepEqual([refused.length, lines.at(-1)?.dropped], [3000 - dropped, dropped])
  await refuseTokens(port, 500)
  assert.equal(await droppedLines(url), dropped)
  child.kill()
  assert.deepEqual(await exit, [0, null])
})

test('a service with an unread log stops on a signal', async t => {
  const { child, exit, port } = await startServing(t, 'pipe')
  await refuseTokens(port, 500)
  child.kill()
  assert.deepEqual(await exit, [0, null])
})

test('a service writes every log line to a file before it ends', async t => {
  const path = join(await temporaryFolder(), 'log')
  const file = openSync(path, 'w')
  t.after(() => closeSync(file))
  const { child, exit, port } = await startServing(t, file)
  await refuseTokens(port, 500)
  child.kill()
  assert.deepEqual(await exit, [0, null])
  assert.equal(readFileSync(path, 'utf8').match(/"token-refused"\}\n/g)?.length, 500)
})

test('a service that cannot write its log to a full disk stops on a signal', async t => {
  const full = openSync('/dev/full', 'w')
  t.after(() => closeSync(full))
  const { child, exit, port } = await startServing(t, full)
  await refuseTokens(port, 500)
  child.kill()
  assert.deepEqual(await exit, [0, null])
})

test('a service whose readers of output and log are gone keeps running, for example with `|& head -1`, and counts each unread line', async t => {
  const port = await freePort()
  const args = [MAIN, 'serve', '--data', join(await temporaryFolder(), 'data'), '--port', `${port}`, '--log', 'debug']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  child.stdout.destroy()
  child.stderr.destroy()
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200)
  await refuseTokens(port, 500)
  // A slow machine has lines about that, too.
  await until(async () => (await droppedLines(url)) >= 500)
  child.kill()
  assert.deepEqual(await exit, [0, null])
})

test('a service whose terminal is not read keeps running', needs('script', 'a pseudo-terminal'), async t => {
  const port = await freePort()
  const pidFile = join(await temporaryFolder(), 'pid')
  const data = join(await temporaryFolder(), 'data')
  const command = `echo $$ > ${pidFile}; exec ${process.execPath} ${MAIN} serve --data ${data} --port ${port} --log debug`
  const terminal = spawn('script', ['-qfec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => terminal.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200)
  const pid = Number(readFileSync(pidFile, 'utf8'))
  t.after(() => existsSync(`/proc/${pid}`) && process.kill(pid, 'SIGKILL'))
  await refuseTokens(port, 3000)
  assert.ok((await droppedLines(url)) > 0)
  process.kill(pid, 'SIGTERM')
  await until(async () => isOver(pid))
})

/** Starts a command with an unread datagram socket as stderr, and ends with the number of the signal that ends it. */
const ON_DATAGRAMS = `
import socket, subprocess, sys
reader, writer = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
process = subprocess.Popen(sys.argv[1:], stderr=writer)
print(process.pid, flush=True)
sys.exit(-process.wait())
`

for (const signals of [['SIGTERM'], ['SIGTERM', 'SIGINT']] as const)
  test(`a service with an unread datagram log is ended by ${signals.join(', ')}`, needs('python3'), async t => {
    const port = await freePort()
    const serve = [
      MAIN,
      'serve',
      '--data',
      join(await temporaryFolder(), 'data'),
      '--port',
      `${port}`,
      '--rate',
      'off',
      '--log',
      'debug',
    ]
    const parent = spawn('python3', ['-c', ON_DATAGRAMS, process.execPath, ...serve], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exit = once(parent, 'exit')
    const [line] = await once(createInterface({ input: parent.stdout }), 'line')
    const pid = Number(line)
    t.after(() => existsSync(`/proc/${pid}`) && process.kill(pid, 'SIGKILL'))
    const url = `http://127.0.0.1:${port}`
    await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200)
    await refuseTokens(port, 3000)
    assert.ok((await droppedLines(url)) > 0)
    for (const signal of signals) process.kill(pid, signal)
    const [signal] = await exit
    assert.ok(
      signals.some(each => constants.signals[each] === signal),
      `${signal}`,
    )
  })

/** An ended process is a zombie until its parent, which writes to the same terminal, notices. */
function isOver(pid: number): boolean {
  return !existsSync(`/proc/${pid}`) || /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}
