import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { buffer, text } from 'node:stream/consumers'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { maxConnections } from '../../../src/http/connections/connection-cap.ts'
import { MAIN } from '../../cli/housestyle.ts'
import { exchange, type RawReply, readReplies, requestText } from '../../support/socket.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const LARGE = new Uint8Array(4 << 20)
const temporary = await temporaryStore()
await temporary.importing('acme', {
  'guide/pages/a.md': '# A\n\n[large](../files/large.bin)\n',
  'guide/files/large.bin': LARGE,
})
await temporary.publish('acme/guide')
const { token } = await temporary.issue('acme')
const bearer = `Authorization: Bearer ${token}`

/** Starts a service with 64 file descriptors; ends with the test at the latest. */
async function servingWithFew(t: TestContext, ...settings: string[]) {
  const args = ['serve', '--data', temporary.data, '--port', '0', '--json', '--rate', 'off', ...settings]
  const command = ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, MAIN, ...args]
  const child = spawn('/bin/sh', command, { stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  const log = text(child.stderr)
  const isFull = once(createInterface({ input: child.stderr }), 'line') // The first line tells that the cap is reached.
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const stop = async () => {
    child.kill()
    assert.deepEqual(await exit, [0, null])
    return (await log).split('\n').flatMap(each => (each === '' ? [] : [JSON.parse(each)]))
  }
  return { child, exit, port: Number(new URL(JSON.parse(line).url).port), isFull, stop }
}

/** Asks on as many connections at once, which stay open until the service closes them; gives the statuses. */
async function ask(port: number, count: number, request: string): Promise<number[]> {
  const asking = Array.from({ length: count }, () => exchange(port, request, { keepOpen: true }))
  return (await Promise.all(asking)).flatMap(replies => replies.map(({ status }) => status))
}

test('with 64 file descriptors, each of 200 connections at once is answered in its turn, and one line says what to do', async t => {
  const { port, stop } = await servingWithFew(t)
  const request = requestText('GET /beta/workspace/acme/project/guide/pages', [bearer, 'Connection: close'])
  for (let round = 0; round < 3; round++) assert.deepEqual(await ask(port, 200, request), Array(200).fill(200))
  const lines = (await stop()).filter(({ level }) => level >= 40)
  const connections = maxConnections(64)
  assert.deepEqual(
    lines.map(({ msg, connections, descriptors }) => ({ msg, connections, descriptors })),
    [
      {
        msg: 'as many connections are open as there are file descriptors for, and others wait: raise their limit (ulimit -n, LimitNOFILE= of systemd)',
        connections,
        descriptors: 64,
      },
    ],
  )
})

test('with --max-connections-per-address, one beyond them gets 503, but not from a trusted proxy', async t => {
  const open = async (port: number, count: number) => {
    const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
    await Promise.all(sockets.map(socket => once(socket, 'connect')))
    return sockets
  }
  const caps = ['--max-connections', '8', '--max-connections-per-address', '2']
  const capped = await servingWithFew(t, ...caps)
  const two = await open(capped.port, 2)
  assert.deepEqual(await ask(capped.port, 1, requestText('GET /', ['Connection: close'])), [503])
  for (const socket of two) socket.destroy()
  const behind = await servingWithFew(t, ...caps, '--trusted-proxies', '127.0.0.0/8')
  const three = await open(behind.port, 3)
  assert.deepEqual(await ask(behind.port, 1, requestText('GET /', ['Connection: close'])), [200])
  for (const socket of three) socket.destroy()
})

test('clients that would keep their connections make room for those that wait, and so do those that ask nothing', async t => {
  const { port, stop } = await servingWithFew(t)
  const silent = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  await Promise.all(silent.map(socket => once(socket, 'connect')))
  const request = requestText('GET /beta/workspace/acme/project/guide/pages', [bearer])
  const closing = requestText('GET /healthz', ['Connection: close'])
  assert.deepEqual(await ask(port, 100, request + closing), Array(200).fill(200))
  for (const socket of silent) socket.destroy()
  await stop()
})

test('with 64 file descriptors, 100 downloads at once are each whole', async t => {
  const { port, stop } = await servingWithFew(t)
  const [list] = await exchange(
    port,
    requestText('GET /beta/workspace/acme/project/guide/files', [bearer, 'Connection: close']),
  )
  const { pathname } = new URL(JSON.parse(list?.body ?? '').files[0].url)
  const request = requestText(`GET ${pathname}`, ['Connection: close'])
  assert.deepEqual(await ask(port, 100, request), Array(100).fill(200))
  await stop()
})

/** As many connections as take all that there are, each with a request that is not whole yet. */
async function fillingAll(
  { port, isFull }: Awaited<ReturnType<typeof servingWithFew>>,
  length = maxConnections(64),
): Promise<Socket[]> {
  const sockets = Array.from({ length }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.write('GET /readyz HTTP/1.1\r\nHost: brand.test\r\nX: ')
  await isFull
  return sockets
}

/** Sends the end of such a request, and gives the reply. */
async function complete(socket: Socket): Promise<RawReply | undefined> {
  socket.end('y\r\nConnection: close\r\n\r\n')
  return readReplies(await buffer(socket), false)[0]
}

/** The process that holds the listening socket of another. */
function holderOf(pid = 0): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return Number(children.find(child => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('listener-process')))
}

test('with --max-connections, a further connection waits until one ends, and the line names the setting', async t => {
  const service = await servingWithFew(t, '--max-connections', '5')
  const [first, ...others] = await fillingAll(service, 5)
  const waiting = ask(service.port, 1, HEALTH)
  assert.ok(first)
  assert.equal((await complete(first))?.status, 200)
  assert.deepEqual(await waiting, [200])
  for (const socket of others) assert.equal((await complete(socket))?.status, 200)
  const lines = (await service.stop()).filter(({ level }) => level >= 40)
  const msg =
    'as many connections are open as --max-connections allows, and others wait: raise it, or run another process beside this one'
  assert.deepEqual(
    lines.map(line => [line.msg, line.connections]),
    [[msg, 5]],
  )
})

const HEALTH = requestText('GET /healthz', ['Connection: close'])

test('however often the limit is reached, no listening socket is left open behind it', async t => {
  const { child, port, stop } = await servingWithFew(t)
  const descriptors = () => readdirSync(`/proc/${child.pid}/fd`).length
  const before = descriptors()
  for (let round = 0; round < 10; round++) assert.deepEqual(await ask(port, 40, HEALTH), Array(40).fill(200))
  assert.ok(descriptors() < before + 10, `${before}, then ${descriptors()}`)
  await stop()
})

test('a service whose socket is held by a process that is stopped listens anew', async t => {
  const service = await servingWithFew(t)
  const { child, port, stop } = service
  const sockets = await fillingAll(service)
  process.kill(holderOf(child.pid), 'SIGSTOP')
  const ends = sockets.map(socket => once(socket, 'close'))
  for (const socket of sockets) socket.destroy()
  await Promise.all(ends)
  const asking = async () => (await ask(port, 1, HEALTH).catch(() => []))[0]
  await until(async () => (await asking()) === 200)
  await stop()
})

test('if the process that holds the socket is killed while all connections are taken, others wait again, and are answered', async t => {
  const service = await servingWithFew(t)
  const { child, port, stop } = service
  const sockets = await fillingAll(service)
  const killed = holderOf(child.pid)
  process.kill(killed, 'SIGKILL')
  const isReplaced = async () => ![killed, Number.NaN].includes(holderOf(child.pid)) && !(await isRefused(port))
  await until(isReplaced)
  const asking = ask(port, 20, HEALTH)
  const taken = await Promise.all(sockets.map(complete))
  assert.deepEqual(
    taken.map(reply => reply?.status),
    Array(maxConnections(64)).fill(200),
  )
  assert.deepEqual(await asking, Array(20).fill(200))
  await stop()
})

test('connections that wait when the service is asked to end are answered, if there is soon room for them', async t => {
  const service = await servingWithFew(t)
  const { child, exit, port } = service
  const sockets = await fillingAll(service)
  const waiting = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'))
  await Promise.all(waiting.map(socket => once(socket, 'connect')))
  const replies = waiting.map(async socket => {
    socket.end(HEALTH)
    return readReplies(await buffer(socket), false).map(({ status }) => status)
  })
  child.kill()
  let isEnding = false
  for (const socket of sockets) {
    const reply = complete(socket)
    if (!isEnding) isEnding = (await reply)?.body === 'unavailable: the service is ending\n'
  }
  assert.ok(isEnding)
  assert.deepEqual(await Promise.all(replies), Array(20).fill([200]))
  assert.deepEqual(await exit, [0, null])
})

test('a service that is asked to end while others go on connecting lets go of its port', async t => {
  const { child, exit, port } = await servingWithFew(t)
  const underWay = connect(port, '127.0.0.1')
  underWay.write(requestText('POST /oauth/token', ['Content-Length: 1']))
  const connecting = setInterval(() => {
    const socket = connect(port, '127.0.0.1', () => socket.end(HEALTH)).on('error', () => undefined)
    socket.resume()
  }, 5)
  t.after(() => clearInterval(connecting))
  await sleep(500)
  child.kill()
  let refusals = 0
  await until(async () => {
    refusals = (await isRefused(port)) ? refusals + 1 : 0
    return refusals === 10
  })
  assert.equal(child.exitCode, null)
  underWay.end('a')
  assert.equal(readReplies(await buffer(underWay), false).length, 1)
  assert.deepEqual(await exit, [0, null])
})

/** Whether a connection is refused, not merely left waiting. */
async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const refused = await Promise.race([
    once(socket, 'connect').then(
      () => false,
      () => true,
    ),
    sleep(1000, false),
  ])
  socket.destroy()
  return refused
}
