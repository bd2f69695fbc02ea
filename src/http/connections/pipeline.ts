import type { ServerResponse } from 'node:http'
import type { Connection } from './connections.ts'

/**
 * Call this for each pipelined request that waits for earlier replies. Stops reading the connection while many wait, so
 * that further ones stay in the system's buffers. Node only limits the bytes of waiting replies.
 */
export function boundPipeline(connection: Connection, response: ServerResponse): void {
  const { socket } = connection
  const pipeline = connection.pipeline ?? { waiting: 0, isPaused: false }
  const pauseIfFull = () => {
    if (pipeline.waiting < MAX_WAITING) return
    pipeline.isPaused = true
    socket.pause()
  }
  // Node resumes reading for a body, and when the client has read something; Node's listener runs first.
  if (!connection.pipeline) socket.on('resume', pauseIfFull)
  connection.pipeline = pipeline
  pipeline.waiting++
  pauseIfFull()
  response.once('close', () => {
    pipeline.waiting--
    if (!pipeline.isPaused || pipeline.waiting >= MAX_WAITING) return
    pipeline.isPaused = false
    socket.resume()
  })
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
const MAX_WAITING = 16
