import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The target and the load of a flood test. */
export type Flood = { port: number; path: string; token: string; perSecond: number; rounds: number; roundMs: number }

/** The rate of good replies without a flood and during one, and the replies to both kinds of requests. */
export type Flooded = { calm: number; flooded: number; good: Readonly<Record<number, number>>; bad: Answered }

/**
 * Sends good requests without a pause, and in every other round also a flood of bad tokens on kept connections: half
 * malformed, half well-formed, each with a different wrong signature.
 */
export async function flood({ port, path, token, perSecond, rounds, roundMs }: Flood): Promise<Flooded> {
  const good = { port, requests: [head(path, token)], connections: 8 }
  const bad = { port, requests: badTokens(token, perSecond).map(each => head(path, each)), connections: 16, perSecond }
  const totals = { calm: [0, 0], flooded: [0, 0] }
  const byStatus: Record<'good' | 'bad', Record<number, number>> = { good: {}, bad: {} }
  let floodedSeconds = 0
  for (let round = 0; round < 2 * rounds; round++) {
    const isFlood = round % 2 === 1
    const signal = AbortSignal.timeout(roundMs)
    const [answered, refused] = await Promise.all([putLoad(good, signal), isFlood ? putLoad(bad, signal) : undefined])
    add(byStatus.good, answered.byStatus)
    if (refused) {
      add(byStatus.bad, refused.byStatus)
      floodedSeconds += refused.seconds
    }
    const total = totals[isFlood ? 'flooded' : 'calm']
    total[0] = (total[0] ?? 0) + (answered.byStatus[200] ?? 0)
    total[1] = (total[1] ?? 0) + answered.seconds
    await sleep(50)
  }
  const rate = ([count = 0, seconds = 1]: readonly number[]) => count / seconds
  const floodAnswered = { seconds: floodedSeconds, byStatus: byStatus.bad }
  return { calm: rate(totals.calm), flooded: rate(totals.flooded), good: byStatus.good, bad: floodAnswered }
}

function add(to: Record<number, number>, from: Readonly<Record<number, number>>): void {
  for (const [status, count] of Object.entries(from)) to[Number(status)] = (to[Number(status)] ?? 0) + count
}

function head(path: string, token: string): string {
  return `HEAD ${path} HTTP/1.1\r\nHost: brand.test\r\nAuthorization: Bearer ${token}\r\n\r\n`
}

function badTokens(token: string, count: number): string[] {
  const [header = '', claims = ''] = token.split('.')
  return Array.from({ length: count }, (_, number) => {
    const signature = Buffer.alloc(64, 1)
    signature.writeUInt32BE(number, 60)
    return number % 2 === 0 ? `${header}.${number}` : `${header}.${claims}.${signature.toString('base64url')}`
  })
}

/** The number of replies within the measured time, keyed by status. */
type Answered = { seconds: number; byStatus: Readonly<Record<number, number>> }

/** The requests of a load test, over kept connections to this machine. */
type Load = {
  port: number
  /** Complete requests, sent in rotation. */
  requests: readonly string[]
  connections: number
  /** Absent: each connection sends the next request right after each reply. */
  perSecond?: number
}

/**
 * Sends requests until the signal aborts. Each connection has at most one pending request or, with `perSecond`, all due
 * ones. It reads no bodies, so all requests must be HEAD.
 */
async function putLoad({ port, requests, connections, perSecond }: Load, signal: AbortSignal): Promise<Answered> {
  const byStatus: Record<number, number> = {}
  let next = 0
  const send = (socket: Socket) => {
    if (!signal.aborted) socket.write(requests[next++ % requests.length] ?? '')
  }
  const answered = (socket: Socket, status: number) => {
    if (!signal.aborted) byStatus[status] = (byStatus[status] ?? 0) + 1
    if (perSecond === undefined) send(socket)
  }
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port, answered)))
  const began = performance.now()
  let due = 0
  const pace = setInterval(() => {
    if (perSecond === undefined) return
    const until = ((performance.now() - began) / 1000) * perSecond
    for (; due < until; due++) {
      const socket = sockets[due % sockets.length]
      if (socket) send(socket)
    }
  }, 10)
  if (perSecond === undefined) sockets.forEach(send)
  await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
  const seconds = (performance.now() - began) / 1000
  clearInterval(pace)
  for (const socket of sockets) socket.destroy()
  return { seconds, byStatus }
}

/** Replies without a body end with an empty line. */
function open(port: number, answered: (socket: Socket, status: number) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let rest = ''
    socket.once('connect', () => resolve(socket))
    socket.on('error', reject)
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      rest += text
      for (let end = rest.indexOf('\r\n\r\n'); end !== -1; end = rest.indexOf('\r\n\r\n')) {
        answered(socket, Number(rest.slice(9, 12)))
        rest = rest.slice(end + 4)
      }
    })
  })
}
