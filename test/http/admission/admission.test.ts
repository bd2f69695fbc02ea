import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import test from 'node:test'
import { openAdmission } from '../../../src/http/admission/admission.ts'
import { listen } from '../../../src/http/server.ts'
import { silent } from '../../support/service.ts'
import { exchange, requestText } from '../../support/socket.ts'
import { until } from '../../support/until.ts'

/**
 * Makes an admission whose clock advances as requests are answered (10 ms each) and shed (1 ms); `turn` runs one event
 * loop turn.
 */
function simulateAdmission() {
  const time = { now: 0, shed: 0, answered: 0 }
  const answered: string[] = []
  let turns: (() => void)[] = []
  const nextTurn = (work: () => void) => void turns.push(work)
  const admission = openAdmission({ now: () => time.now, nextTurn, shedding: () => undefined })
  const ask = (connection: object, name = '') => {
    const spend = (kind: 'shed' | 'answered', ms: number) => {
      time.now += ms
      time[kind]++
      answered.push(name)
    }
    admission.enqueue(connection, { answer: () => spend('answered', 10), shed: () => spend('shed', 1) })
  }
  const turn = () => {
    const now = turns
    turns = []
    for (const work of now) work()
    return now.length > 0
  }
  return { admission, time, answered, ask, turn }
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
  ask({})
  assert.ok(!admission.arrives(time.now))
})

test('connections take turns, and a connection without waiting requests comes first', () => {
  const { answered, ask, turn } = simulateAdmission()
  const [many, more, one] = [{}, {}, {}]
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask(many, name)
  for (const name of ['b1', 'b2', 'b3']) ask(more, name)
  for (let turns = 0; turns < 3; turns++) turn()
  ask(one, 'c1')
  while (turn());
  assert.deepEqual(answered, ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'b3', 'a4'])
})

test('a burst is answered completely, even if its last request waits long', () => {
  const { time, ask, turn } = simulateAdmission()
  for (let count = 0; count < 50; count++) ask({})
  while (turn());
  assert.deepEqual([time.answered, time.shed], [50, 0])
})

test('with five times more requests than capacity, the excess is shed, and later all requests are answered again', () => {
  const { time, ask, turn } = simulateAdmission()
  const connections = Array.from({ length: 500 }, () => ({}))
  let asked = 0
  while (asked < 5000) {
    for (; asked < time.now / 2; asked++) ask(connections[asked % 500] ?? {})
    if (!turn()) ask(connections[asked++ % 500] ?? {})
  }
  assert.ok(time.answered * 10 >= 0.8 * time.now, `${time.answered} answered in ${time.now} ms`)
  assert.ok(time.shed > time.answered, `${time.shed} shed, ${time.answered} answered`)
  while (turn());
  const before = time.shed
  for (let count = 0; count < 100; count++) {
    ask(connections[count] ?? {})
    while (turn());
  }
  assert.equal(time.shed, before)
})

test('an overloaded server answers some requests with 503 and Retry-After, answers health checks, and recovers', async t => {
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined })
  t.after(() => server.stop())
  const busyMs = { '/': 4 }
  const answer = ({ path }: { path: string }) => {
    const until = performance.now() + (path === '/' ? busyMs['/'] : 0)
    while (performance.now() < until);
    return { status: 200, headers: [], body: new Uint8Array() }
  }
  server.answerWith(answer, 'http://brand.test')
  const texts = await overload(server.port, 80)
  const shed = texts.find(text => text.startsWith('HTTP/1.1 503 ')) ?? ''
  assert.match(shed, /\r\nRetry-After: 1\r\n.*"error":"temporarily_unavailable"/s)
  assert.ok(!shed.includes('Connection: close'))
  const ask = async () => (await exchange(server.port, requestText('GET /', ['Connection: close'])))[0]?.status
  // The last requests of the others still wait for a moment.
  await until(async () => {
    for (let count = 0; count < 20; count++) if ((await ask()) !== 200) return false
    return true
  })
})

/**
 * Sends requests on this many connections without a pause, until one reply is 503 and `/healthz` was answered; returns
 * the last reply of each.
 */
async function overload(port: number, count: number): Promise<string[]> {
  const texts: string[] = []
  const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', noDelay: true }))
  const isShed = new Promise<void>(resolve => {
    for (const socket of sockets)
      socket.setEncoding('latin1').on('data', (text: string) => {
        texts.push(text)
        if (text.startsWith('HTTP/1.1 503 ')) resolve()
        socket.write(requestText('GET /'))
      })
  })
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  for (const socket of sockets) socket.write(requestText('GET /'))
  await isShed
  const [health] = await exchange(port, requestText('GET /healthz', ['Connection: close']))
  assert.equal(health?.status, 200)
  for (const socket of sockets) socket.destroy()
  return texts
}
