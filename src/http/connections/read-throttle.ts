import type { Socket } from 'node:net'
import type { Connections } from './connections.ts'

/** Stops reading connections while very many requests have come in one piece. */
export type ReadThrottle = {
  /** Call this for each request that comes behind others of its connection. */
  cameBehind: (socket: Socket) => void
}

/**
 * Node reads up to 64 KiB of a connection at a time and makes all requests in it, some thousand small ones, and does so
 * with every connection on which something has come before anything else has its turn. So once `MANY` requests have come
 * behind others in one turn of the event loop, no connection is read any further in it. When fewer than that are
 * `waiting`, reading goes on with a few connections, first those on which no such requests came, and with twice as many
 * in each further turn.
 */
export function readThrottle(connections: Connections, waiting: () => number): ReadThrottle {
  let stopped: Socket[] = []
  let [came, atOnce, isTurnEnding] = [0, FEW, false]
  const sending = new Set<Socket>()
  const endTurn = () => {
    isTurnEnding = false
    came = 0
    sending.clear()
    if (stopped.length === 0) return
    if (waiting() < MANY) {
      for (const socket of stopped.splice(0, atOnce)) socket.resume()
      atOnce *= 2
    }
    endTurnLater()
  }
  const endTurnLater = () => {
    if (!isTurnEnding) setImmediate(endTurn)
    isTurnEnding = true
  }
  const stop = () => {
    const reading = Array.from(connections.values(), ({ socket }) => socket).filter(socket => !socket.isPaused())
    for (const socket of reading) socket.pause()
    const { quiet = [], busy = [] } = Object.groupBy(reading, socket => (sending.has(socket) ? 'busy' : 'quiet'))
    stopped = [...quiet, ...stopped, ...busy]
    atOnce = FEW
  }
  const cameBehind = (socket: Socket) => {
    came++
    sending.add(socket)
    endTurnLater()
    if (came === MANY) stop()
  }
  return { cameBehind }
}

/** Requests that are read and answered in some 20 ms. */
const MANY = 500
/** So many connections are read at once after that. */
const FEW = 2
