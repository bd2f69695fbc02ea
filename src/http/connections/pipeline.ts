import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Stops reading a connection as long as many of its requests wait for their replies: what else it has sent stays with the
 * system. What has been read already is a buffer of the system's at most, and Node stops by itself only for the bytes of
 * replies that wait.
 */
export function boundPipelines(server: Server): void {
  const waiting = new WeakMap<Socket, number>()
  const add = (socket: Socket, more: number) => {
    const count = (waiting.get(socket) ?? 0) + more
    waiting.set(socket, count)
    return count
  }
  server.on('connection', (socket: Socket) => {
    // Node itself reads on, for a body or after the client has read something.
    socket.on('resume', () => {
      if (add(socket, 0) >= MAX_WAITING) socket.pause()
    })
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (add(socket, 1) >= MAX_WAITING) socket.pause()
    response.once('close', () => {
      if (add(socket, -1) === MAX_WAITING - 1) socket.resume()
    })
  })
}

/** Ends when the replies before it have been sent on its connection, or nobody is there any more. */
export function turnOf(response: ServerResponse): Promise<void> {
  if (response.socket || response.destroyed) return Promise.resolve()
  return new Promise(resolve => {
    response.once('socket', () => resolve())
    response.once('close', () => resolve())
  })
}

/** So many requests of a connection at once; more wait only where they came in one piece. */
const MAX_WAITING = 100
