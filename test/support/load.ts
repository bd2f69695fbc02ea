import { connect, type Socket } from 'node:net'

/** The number of replies within the measured time, keyed by status. */
export type Answered = { seconds: number; byStatus: Readonly<Record<number, number>> }

/** The requests of a load test, over kept connections to this machine. */
export type Load = {
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
export async function putLoad(
  { port, requests, connections, perSecond }: Load,
  signal: AbortSignal,
): Promise<Answered> {
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
