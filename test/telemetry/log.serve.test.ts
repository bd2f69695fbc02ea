import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { type TestContext } from 'node:test'
import { MAIN } from '../cli/housestyle.ts'
import { exchange, requestText } from '../support/socket.ts'
import { temporaryFolder } from '../temporary.ts'

/* `serve` is a process of its own here, whose stderr nobody reads until the test does. */

/** Starts a service that logs to this descriptor; ends with the test at the latest. */
async function servingTo(t: TestContext, stderr: 'pipe' | number) {
  const data = join(await temporaryFolder(), 'data')
  const args = [MAIN, 'serve', '--data', data, '--port', '0', '--json', '--rate', 'off']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', stderr] })
  const { stdout = null } = child
  t.after(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  const [line] = await once(createInterface({ input: stdout ?? assert.fail() }), 'line')
  const { url } = JSON.parse(line)
  return { child, exit, url, port: Number(new URL(url).port) }
}

/** Asks so often with a token that is refused, each of which is a line of the log of half a kilobyte. */
async function refuseTokens(port: number, count: number): Promise<void> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const long = 'x'.repeat(100)
  const token = `${part({ typ: 'at+jwt', alg: 'ES256', kid: 'none' })}.${part({ client_id: long, workspace: long, jti: long })}.c2ln`
  const request = requestText('GET /beta/workspace/acme', [`Authorization: Bearer ${token}`])
  for (let sent = 0; sent < count; sent += 500) {
    const replies = await exchange(port, request.repeat(500))
    assert.deepEqual(
      replies.map(({ status }) => status),
      Array(500).fill(401),
    )
  }
}

async function droppedLines(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^housestyle_log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
}

test('a service whose log nobody reads goes on; what does not fit is dropped, counted, and told when it is read again', async t => {
  const { child, exit, url, port } = await servingTo(t, 'pipe')
  assert.equal(await droppedLines(url), 0)
  await refuseTokens(port, 6000)
  const dropped = await droppedLines(url)
  assert.ok(dropped > 1000, `${dropped}`)
  const lines: { msg: string; dropped?: number }[] = []
  for await (const line of createInterface({ input: child.stderr ?? assert.fail() })) {
    lines.push(JSON.parse(line))
    if (lines.at(-1)?.dropped !== undefined) break
  }
  const refused = lines.filter(({ msg }) => msg === 'token-refused')
  assert.deepEqual([refused.length, lines.at(-1)?.dropped], [6000 - dropped, dropped])
  await refuseTokens(port, 500)
  assert.equal(await droppedLines(url), dropped)
  child.kill()
  assert.deepEqual(await exit, [0, null])
})

test('a service whose log nobody reads ends when it is asked to', async t => {
  const { child, exit, port } = await servingTo(t, 'pipe')
  await refuseTokens(port, 4000)
  child.kill()
  assert.deepEqual(await exit, [0, null])
})

test('a service that ends has written every line of its log to a file', async t => {
  const path = join(await temporaryFolder(), 'log')
  const file = openSync(path, 'w')
  t.after(() => closeSync(file))
  const { child, exit, port } = await servingTo(t, file)
  await refuseTokens(port, 1000)
  child.kill()
  assert.deepEqual(await exit, [0, null])
  assert.equal(readFileSync(path, 'utf8').match(/"token-refused"\}\n/g)?.length, 1000)
})

test('a service whose log cannot be written, since the disk is full, ends when it is asked to', async t => {
  const full = openSync('/dev/full', 'w')
  t.after(() => closeSync(full))
  const { child, exit, port } = await servingTo(t, full)
  await refuseTokens(port, 500)
  child.kill()
  assert.deepEqual(await exit, [0, null])
})
