import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type QueueOf, readSendQueues } from './send-queues.ts'

/** What may be sent to the clients of streamed replies. */
export type SendWindows = {
  /** Call this when a reply begins to be streamed, and `close` of what it gives when it ends. */
  open: (socket: Socket) => SendWindow
}

type SendWindow = {
  /** Resolves when so many more bytes may be sent, or the client is gone. */
  room: (bytes: number, gone: AbortSignal) => Promise<void>
  close: () => void
}

/**
 * Bounds what the system holds of streamed replies while there are many. It takes up to four megabytes for each client,
 * also for one that reads nothing, and has one limit for the whole machine (`tcp_mem` of tcp(7)): once a thousand such
 * clients have used it up, no connection gets on. So each client is sent a little, and more only after it was found to
 * have taken that, twice as much each time, and only a few in each turn of the event loop. `readQueues` says what the system holds of a connection.
 */
export function sendWindows(readQueues: () => Promise<QueueOf> = readSendQueues): SendWindows {
  const turns = sendTurns()
  let streams = 0
  let coming: Promise<QueueOf> | undefined
  let [taken, waitMs, tookMs] = [0, LEAST_LOOK_MS, 0]
  const look = async () => {
    await sleep(Math.max(waitMs, tookMs * LOOKING_SHARE))
    coming = undefined
    waitMs = taken > 0 ? LEAST_LOOK_MS : Math.min(MOST_LOOK_MS, waitMs * 2)
    taken = 0
    const began = performance.now()
    const queueOf = await readQueues()
    tookMs = performance.now() - began
    return queueOf
  }
  /** What is held of connections a moment from now; those who ask in the meantime share one look. */
  const queuesSoon = () => {
    coming ??= look()
    return coming
  }
  const open = (socket: Socket): SendWindow => {
    let [size, left, givenMs] = [LEAST_BYTES, LEAST_BYTES, performance.now()]
    streams++
    return {
      room: async (bytes, gone) => {
        left -= bytes
        while (left < 0 && streams > FEW && !gone.aborted) {
          const askedMs = performance.now()
          const queueOf = await queuesSoon()
          const waitedMs = performance.now() - askedMs
          const isTaken = queueOf(socket) <= LEAST_BYTES / 2
          const isQuick = isTaken && performance.now() - givenMs < waitedMs + QUICK_MS
          size = isQuick ? Math.min(MOST_BYTES, size * 2) : LEAST_BYTES
          if (!isTaken) continue
          givenMs = performance.now()
          left = size - bytes
          taken++
        }
        if (streams > FEW) await turns.next()
      },
      close: () => {
        streams--
      },
    }
  }
  return { open }
}

/** Has a few go on in each turn of the event loop, so that requests that have come are answered between them. */
function sendTurns() {
  const waiting: (() => void)[] = []
  const release = () => {
    for (const goOn of waiting.splice(0, AT_ONCE)) goOn()
    if (waiting.length > 0) setImmediate(release)
  }
  return {
    next: () =>
      new Promise<void>(resolve => {
        if (waiting.push(resolve) === 1) setImmediate(release)
      }),
  }
}

const AT_ONCE = 8
/** So many replies may be streamed without a bound: they hold 128 MiB at most. */
const FEW = 32
/** A look takes the system a while if there are many connections. It is rarer while nobody takes anything. */
const LEAST_LOOK_MS = 100
const MOST_LOOK_MS = 2000
const LOOKING_SHARE = 20
/** How much a client is sent before the first look, and at most between two. */
const LEAST_BYTES = 64 << 10
const MOST_BYTES = 4 << 20
/** How long a client may take for that beside our own looks, if it is to get twice as much. */
const QUICK_MS = 500
