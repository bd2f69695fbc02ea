import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { type Listening, listen } from '#program/http/server.ts'
import { silent } from '../../../support/service.ts'
import { exchange, requestText } from '../../../support/socket.ts'

const LONG = new Uint8Array(200_000).fill(0x61)
const MIDDLE = new Uint8Array(100_000).fill(0x62)

const REPLIES: Record<string, (request: Request) => Reply | Promise<Reply>> = {
  '/short': () => ({ status: 200, headers: ['Content-Type', 'text/plain'], body: new TextEncoder().encode('short') }),
  '/later': async () => {
    await new Promise(resolve => setTimeout(resolve, 20))
    return { status: 200, headers: [], body: new TextEncoder().encode('later') }
  },
  '/long': () => ({ status: 200, headers: [], body: LONG }),
  '/streamed': async () => ({
    status: 200,
    headers: [],
    body: {
      length: 8,
      chunks: async function* () {
        yield new TextEncoder().encode('str')
        yield new TextEncoder().encode('eamed')
      },
    },
  }),
  '/streamed-later': async request => {
    await new Promise(resolve => setTimeout(resolve, 20))
    return REPLIES['/streamed']?.(request) ?? Promise.reject(new Error('/streamed has no reply'))
  },
  '/middle': () => ({ status: 200, headers: [], body: MIDDLE }),
  '/letters': ({ query }) => ({ status: 200, headers: [], body: new Uint8Array(20_000).fill(query.charCodeAt(0)) }),
  '/none': () => ({ status: 204, headers: [], body: undefined }),
  '/unchanged': () => ({ status: 304, headers: ['ETag', '"a"'], body: undefined }),
  '/body': ({ body = new Uint8Array() }) => ({ status: 200, headers: [], body }),
  '/unsendable': () => ({ status: 200, headers: ['Location', 'a\r\nSet-Cookie: b'], body: undefined }),
  '/broken': () => {
    throw new Error('broken')
  },
  '/broken-later': async () => {
    throw new Error('broken')
  },
}

async function startListening(t: {
  after: (end: () => Promise<void>) => void
}): Promise<Listening & { statuses: string[] }> {
  const statuses: string[] = []
  const observe = (status: number) => void statuses.push(String(status))
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe })
  t.after(() => server.stop())
  server.answerWith(
    request => REPLIES[request.path]?.(request) ?? { status: 404, headers: [], body: undefined },
    'http://brand.test',
  )
  return { ...server, statuses }
}

/** Sends requests one at a time, each after the reply to the previous one, and returns all replies. */
async function exchangeInOrder(
  port: number,
  requests: readonly string[],
  isDone: (text: string, count: number) => boolean,
) {
  const socket = connect(port, '127.0.0.1')
  let [text, sent] = ['', 0]
  socket.setEncoding('latin1').on('data', chunk => {
    text += chunk
    if (!isDone(text, sent)) return
    if (sent < requests.length) socket.write(requests[sent++] ?? '', 'latin1')
    else socket.end()
  })
  socket.write(requests[sent++] ?? '', 'latin1')
  await once(socket, 'close')
  return text
}

function statusLines(text: string): string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status)
}

for (const path of ['/later', '/middle', '/long', '/streamed', '/body'])
  test(`a connection continues after ${path}, with replies in order`, async t => {
    const server = await startListening(t)
    const other =
      path === '/body' ? requestText('POST /body', ['Content-Length: 3'], 'abc') : requestText(`GET ${path}`)
    const requests = [requestText('GET /short'), other, requestText('GET /short'), requestText('GET /none')]
    const lengths: Record<string, number> = {
      '/later': 5,
      '/middle': MIDDLE.length,
      '/long': LONG.length,
      '/streamed': 8,
      '/body': 3,
    }
    const text = await exchangeInOrder(server.port, requests, (all, count) => {
      const [last = ''] = all.split('HTTP/1.1 ').slice(-1)
      const length = Number(/Content-Length: (\d+)/i.exec(last)?.[1] ?? 0)
      return (
        statusLines(all).length === count && last.includes('\r\n\r\n') && last.split('\r\n\r\n')[1]?.length === length
      )
    })
    assert.deepEqual(statusLines(text), ['200', '200', '200', '204'])
    assert.equal(text.split('\r\n\r\n')[2]?.split('HTTP/1.1')[0]?.length, lengths[path])
    assert.deepEqual(server.statuses, ['200', '200', '200', '204'])
  })

test('a request in pieces is answered, and so is a pipelined one', async t => {
  const server = await startListening(t)
  const request = requestText('GET /short')
  const socket = connect(server.port, '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', chunk => {
    text += chunk
  })
  for (const piece of [request, request.slice(0, 9), request.slice(9), request + request]) {
    socket.write(piece)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  socket.end()
  await once(socket, 'close')
  assert.deepEqual(statusLines(text), ['200', '200', '200', '200'])
})

for (const path of ['/unsendable', '/broken', '/broken-later'])
  test(`${path} gets an error reply that contains nothing of the invalid field`, async t => {
    const server = await startListening(t)
    const [answer] = await exchange(
      server.port,
      requestText(`GET ${path}`, ['X: y']) + requestText('GET /none', ['Connection: close']),
    )
    assert.equal(answer?.status, 500)
    const alone = await exchangeInOrder(server.port, [requestText(`GET ${path}`)], () => true)
    assert.match(alone, /^HTTP\/1\.1 500 /)
    assert.doesNotMatch(alone, /Set-Cookie/)
    assert.deepEqual(server.statuses, ['500', '204', '500'])
  })

test('requests of any kind in one packet are answered in order', async t => {
  const { port, statuses } = await startListening(t)
  const [short, post] = [requestText('GET /short'), requestText('POST /body', ['Content-Length: 3'], 'abc')]
  const paths = '/short /later /none /short /streamed-later /short /middle /broken-later /long'.split(' ')
  const many = [...paths.map(path => requestText(`GET ${path}`)), short, post, short]
  const replies = await exchange(port, many.join(''))
  const bodies = ['short', 'later', '', 'short', 'streamed', 'short', String(MIDDLE.length), '', String(LONG.length)]
  const seen = replies.map(({ status, body }) => (status === 500 ? '' : body.length > 9 ? String(body.length) : body))
  assert.deepEqual(seen, [...bodies, 'short', 'abc', 'short'])
  assert.equal(statuses.length, many.length)
})

test('a thousand requests in one packet are answered, with another client between them', async t => {
  const { port } = await startListening(t)
  const many = exchange(port, requestText('GET /short').repeat(1000))
  const [one] = await exchange(port, requestText('GET /later'))
  assert.equal(one?.body, 'later')
  assert.equal((await many).length, 1000)
})

for (const behind of [[], ['/short'], ['/streamed-later', '/later']])
  test(`a client that closes its side before the reply gets it, and ${behind.length} further replies`, async t => {
    const { port } = await startListening(t)
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    socket.setEncoding('latin1').on('data', chunk => {
      text += chunk
    })
    socket.write(requestText('GET /streamed-later'))
    await new Promise(resolve => setTimeout(resolve, 5))
    socket.end(behind.map(path => requestText(`GET ${path}`)).join(''))
    await once(socket, 'end')
    const bodies = text.split(/HTTP\/1\.1 200 OK\r\n(?:.+\r\n)+\r\n/).slice(1)
    const expected = ['/streamed-later', ...behind].map(path => path.replace(/^\/|-later$/g, ''))
    assert.deepEqual(bodies, expected)
  })

test('when the service stops, idle plain connections are closed, and busy ones get their reply', async t => {
  const server = await startListening(t)
  const idle = connect(server.port, '127.0.0.1')
  idle.write(requestText('GET /none'))
  await once(idle, 'data')
  const busy = connect(server.port, '127.0.0.1')
  busy.write(requestText('GET /later'))
  const answered = once(busy, 'data')
  await once(busy, 'connect')
  await Promise.all([server.stop(), once(idle.resume(), 'close')])
  const [reply] = await answered
  assert.match(String(reply), /^HTTP\/1\.1 200 [\s\S]*Connection: close\r\n/)
})

for (const first of ['/later', '/streamed-later'])
  test(`all requests in one packet behind ${first} are answered, even if the service stops`, async t => {
    const server = await startListening(t)
    const busy = connect(server.port, '127.0.0.1')
    busy.write([first, '/short', '/middle', '/short'].map(path => requestText(`GET ${path}`)).join(''))
    let text = ''
    busy.setEncoding('latin1').on('data', chunk => {
      text += chunk
    })
    await once(busy, 'connect')
    await Promise.all([server.stop(), once(busy, 'close')])
    assert.deepEqual(statusLines(text), ['200', '200', '200', '200'])
    assert.match(text, /Connection: close\r\n.*\r\n\r\nshort$/)
  })

test('an unread reply is unchanged while other clients are answered', async t => {
  const server = await startListening(t)
  const count = 1000 // More than a socket can buffer.
  const ask = async (letter: string) => {
    const socket = connect(server.port, '127.0.0.1').pause().setEncoding('latin1')
    socket.write(requestText(`GET /letters?${letter}`).repeat(count))
    await new Promise(resolve => setTimeout(resolve, 300))
    let [letters, others] = [0, 0]
    socket.on('data', chunk => {
      for (const body of String(chunk).matchAll(/[A-D]{100,}/g)) {
        letters += body[0].length
        if (body[0].replaceAll(letter, '') !== '') others++
      }
      if (letters > 0.99 * count * 20_000) socket.end()
    })
    socket.resume()
    await once(socket, 'close')
    return others
  }
  assert.deepEqual(await Promise.all(['A', 'B', 'C', 'D'].map(ask)), [0, 0, 0, 0])
})
