import type { Socket } from 'node:net'
import type { Connections } from './connections.ts'
import { sendQueues } from './send-queues.ts'

/**
 * Makes room while as many connections are open as there may be. Called every moment meanwhile, it closes those on which
 * nothing was asked for a while, or nothing more: whoever still wants something connects again. (Node's
 * `closeIdleConnections` also cuts one that has just come, with a request on it that is not read yet.) It closes those,
 * too, whose client reads its reply slower than the least rate, over `slowMs` milliseconds.
 */
export function roomMaker(connections: Connections, slowMs: number): () => void {
  const idle = new WeakMap<Socket, Idle>()
  const reading = new WeakMap<Socket, Reading>()
  return () => {
    const nowMs = performance.now()
    const queues = sendQueues()
    for (const { socket, latest, plain, bytesRead } of connections.values()) {
      if (latest?.closed === false || plain === 'answering') closeSlowReader(reading, socket, { nowMs, slowMs, queues })
      else
        closeIdle(idle, socket, {
          nowMs,
          bytesRead,
          idleMs: socket.bytesRead === bytesRead ? IDLE_MS : slowMs + LATER_MS,
        })
    }
  }
}

/** Since when no request has come after a reply. */
type Idle = { bytesRead: number; sinceMs: number }

type IdleLimit = { nowMs: number; bytesRead: number; idleMs: number }

function closeIdle(idle: WeakMap<Socket, Idle>, socket: Socket, { nowMs, bytesRead, idleMs }: IdleLimit): void {
  const known = idle.get(socket)
  if (!known || known.bytesRead !== bytesRead) idle.set(socket, { bytesRead, sinceMs: nowMs })
  else if (nowMs - known.sinceMs > idleMs) socket.destroy()
}

/** A connection is not closed earlier, because a request may be on its way. */
const IDLE_MS = 500

/** Node answers slow requests 408 before that. What it does not take for one, as an empty line, ends here. */
const LATER_MS = 2000

/** How many bytes of its replies a client had taken, at a moment since when more have waited for it. */
type Reading = { taken: number; sinceMs: number }

type ReadingLimit = { nowMs: number; slowMs: number; queues: (socket: Socket) => number }

function closeSlowReader(
  reading: WeakMap<Socket, Reading>,
  socket: Socket,
  { nowMs, slowMs, queues }: ReadingLimit,
): void {
  const { written, waiting } = bytesOf(socket)
  if (waiting === 0) {
    reading.delete(socket)
    return
  }
  const known = reading.get(socket)
  if (known && nowMs - known.sinceMs < slowMs) return
  const taken = written - waiting - queues(socket)
  if (known && taken - known.taken < (LEAST_BYTES_A_SECOND * slowMs) / 1000) socket.destroy()
  reading.set(socket, { taken, sinceMs: nowMs })
}

const LEAST_BYTES_A_SECOND = 16 << 10

/** Bytes written, and those of them that the system has not taken. Node tells of a long write only when all of it is taken. */
function bytesOf(socket: Socket): { written: number; waiting: number } {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null) return { written: 0, waiting: 0 }
  return {
    written: Number(Reflect.get(handle, 'bytesWritten')),
    waiting: Number(Reflect.get(handle, 'writeQueueSize')),
  }
}
