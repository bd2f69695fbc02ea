import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The pipelined requests of each connection, which wait for earlier replies. */
export type Pipelines = { wait: (socket: Socket, response: ServerResponse) => void }

/**
 * Stops reading a connection while many of its pipelined requests wait, so that further ones stay in the system's
 * buffers. Node only limits the bytes of waiting replies.
 */
export function boundPipelines(isOverloaded: () => boolean): Pipelines {
  const waiting = new WeakMap<Socket, number>()
  const paused = new WeakSet<Socket>()
  const max = () => (isOverloaded() ? MAX_WAITING_OVERLOADED : MAX_WAITING)
  const add = (socket: Socket, more: number) => {
    const count = (waiting.get(socket) ?? 0) + more
    waiting.set(socket, count)
    return count
  }
  const pause = (socket: Socket) => {
    paused.add(socket)
    socket.pause()
  }
  return {
    wait: (socket, response) => {
      // Node resumes reading for a body, and when the client has read something; Node's listener runs first.
      if (!waiting.has(socket))
        socket.on('resume', () => {
          if (add(socket, 0) >= max()) pause(socket)
        })
      if (add(socket, 1) >= max()) pause(socket)
      response.once('close', () => {
        if (add(socket, -1) < max() && paused.delete(socket)) socket.resume()
      })
    },
  }
}

/** Resolves when the earlier replies of the connection are sent, or the client disconnects. */
export function turnOf(response: ServerResponse): Promise<void> {
  if (response.socket || response.destroyed) return Promise.resolve()
  return new Promise(resolve => {
    response.once('socket', () => resolve())
    response.once('close', () => resolve())
  })
}

/** The maximum number of waiting requests per connection; more can wait only if they arrived together. */
const MAX_WAITING = 100
const MAX_WAITING_OVERLOADED = 4
