import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import test from 'node:test'
import { openAdmission } from '#program/http/admission.ts'
import { listen } from '#program/http/server.ts'
import { silent } from '../../support/service.ts'
import { exchange, requestText } from '../../support/socket.ts'
import { until } from '../../support/until.ts'

/**
 * Makes an admission whose clock advances as requests are answered (10 ms each) and shed (1 ms); `turn` runs the
 * scheduled work, once its delay has passed.
 */
function simulateAdmission() {
  const time = { now: 0 }
  const counts = { counted: 0, warnings: 0, shed: 0, answered: 0 }
  const answered: string[] = []
  let scheduled: { work: () => void; delayMs: number }[] = []
  const admission = openAdmission(
    { log: { ...silent, warn: () => void counts.warnings++ }, shed: () => void counts.counted++ },
    { now: () => time.now, schedule: (work, delayMs) => void scheduled.push({ work, delayMs }) },
  )
  const spend = (kind: 'shed' | 'answered', ms: number, name: string) => {
    time.now += ms
    counts[kind]++
    if (kind === 'answered') answered.push(name)
  }
  const ask = (name = '') =>
    admission.enqueue({ answer: () => spend('answered', 10, name), shed: () => spend('shed', 1, name) })
  const turn = () => {
    const now = scheduled
    scheduled = []
    for (const { work, delayMs } of now) {
      time.now += delayMs
      work()
    }
    return now.length > 0
  }
  return { admission, time, counts, answered, ask, turn }
}

test('a request is answered at once, unless others wait or this turn has already used five milliseconds', () => {
  const { admission, time, ask, turn } = simulateAdmission()
  assert.ok(admission.arrives(time.now))
  time.now += 4
  assert.ok(admission.arrives(time.now))
  time.now += 1
  assert.ok(!admission.arrives(time.now))
  turn()
  assert.ok(admission.arrives(time.now))
  ask()
  assert.ok(!admission.arrives(time.now))
})

test('waiting requests are answered in the order of arrival, a few in each turn', () => {
  const { answered, ask, turn } = simulateAdmission()
  for (const name of ['a', 'b', 'c']) ask(name)
  turn()
  assert.deepEqual(answered, ['a', 'b'])
  ask('d')
  while (turn());
  assert.deepEqual(answered, ['a', 'b', 'c', 'd'])
})

test('requests that have waited for a second get 503 with one log line, and later all are answered again', () => {
  const { counts, ask, turn } = simulateAdmission()
  for (let count = 0; count < 150; count++) ask()
  while (turn());
  assert.deepEqual(counts, { answered: 101, shed: 49, counted: 49, warnings: 1 })
  for (let count = 0; count < 100; count++) ask()
  while (turn());
  assert.deepEqual(counts, { answered: 201, shed: 49, counted: 49, warnings: 1 })
})

test('with five times more requests than capacity, the time goes to answers, and the excess is shed', () => {
  const { time, counts, ask, turn } = simulateAdmission()
  let asked = 0
  while (asked < 5000) {
    for (; asked < time.now / 2; asked++) ask()
    if (!turn()) ask(String(asked++))
  }
  assert.ok(counts.answered * 10 >= 0.6 * time.now, `${counts.answered} answered in ${time.now} ms`)
  assert.ok(counts.shed > counts.answered, `${counts.shed} shed, ${counts.answered} answered`)
})

test('while a thousand requests are under way, others wait, and get 503 after a second', async () => {
  const { admission, counts, time, ask, turn } = simulateAdmission()
  const replies = Array.from({ length: 1000 }, () => Promise.withResolvers<string>())
  const made = replies.map(({ promise }) => admission.whileMaking(promise))
  assert.ok(!admission.arrives(time.now))
  ask()
  for (let turns = 0; turns < 100; turns++) turn()
  assert.deepEqual([time.now, counts.answered, counts.shed], [990, 0, 0])
  ask()
  for (let turns = 0; turns < 3; turns++) turn()
  assert.deepEqual([counts.answered, counts.shed], [0, 1])
  replies[0]?.resolve('made')
  assert.equal(await made[0], 'made')
  while (turn());
  assert.deepEqual([counts.answered, counts.shed], [1, 1])
})

test('an overloaded server answers some requests with 503 and Retry-After, answers health checks, and recovers', async t => {
  const origins = new Set([ORIGIN])
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined, origins })
  t.after(() => server.stop())
  const answer = ({ path }: { path: string }) => {
    const until = performance.now() + (path === '/mcp' ? 20 : 0)
    while (performance.now() < until);
    return { status: 200, headers: [], body: new Uint8Array() }
  }
  server.answerWith(answer, 'http://brand.test')
  const texts = await overload(server.port, 60)
  const shed = texts.find(text => text.startsWith('HTTP/1.1 503 ')) ?? ''
  assert.match(shed, /\r\nRetry-After: 1\r\n.*"error":"temporarily_unavailable"/s)
  assert.ok(!shed.includes('Connection: close'))
  assert.ok(shed.includes(`\r\nAccess-Control-Allow-Origin: ${ORIGIN}\r\n`), 'pages of an allowed origin can read it')
  const ask = async () => (await exchange(server.port, requestText('GET /', ['Connection: close'])))[0]?.status
  // The last requests of the others still wait for a moment.
  await until(async () => {
    for (let count = 0; count < 20; count++) if ((await ask()) !== 200) return false
    return true
  })
})

const ORIGIN = 'https://app.example.com'

/**
 * Sends requests on this many connections without a pause, until one reply is 503 and `/healthz` was answered; returns
 * the last reply of each.
 */
async function overload(port: number, count: number): Promise<string[]> {
  const texts: string[] = []
  const asked = requestText('GET /mcp', [`Origin: ${ORIGIN}`])
  const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', noDelay: true }))
  const isShed = new Promise<void>(resolve => {
    for (const socket of sockets)
      socket.setEncoding('latin1').on('data', (text: string) => {
        texts.push(text)
        if (text.startsWith('HTTP/1.1 503 ')) resolve()
        socket.write(asked)
      })
  })
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  for (const socket of sockets) socket.write(asked)
  await isShed
  const [health] = await exchange(port, requestText('GET /healthz', ['Connection: close']))
  assert.equal(health?.status, 200)
  for (const socket of sockets) socket.destroy()
  return texts
}
