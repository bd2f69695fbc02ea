import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inSteps } from '../../base/steps.ts'
import { type Look, readSendQueues } from './send-queues.ts'

/** What may be sent to the clients of streamed replies. */
export type SendWindows = {
  /** Resolves when a reply may begin to be streamed. Call `close` of what it gives when it ends. */
  open: (socket: Socket) => Promise<SendWindow>
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
 * have taken that, twice as much if it was quick, and only a few go on in each turn of the event loop. `readQueues` says
 * what the system holds of a connection.
 */
export function sendWindows(readQueues: () => Promise<Look> = readSendQueues): SendWindows {
  const turns = sendTurns()
  const whenTaken = takenWatch(readQueues)
  let streams = 0
  const isMany = () => streams > FEW
  const open = async (socket: Socket): Promise<SendWindow> => {
    streams++
    if (isMany()) await turns.next()
    let [size, left, givenMs] = [LEAST_BYTES, LEAST_BYTES, performance.now()]
    return {
      room: async (bytes, gone) => {
        left -= bytes
        if (left < 0 && isMany()) {
          const writtenMs = performance.now() - givenMs
          const isAtOnce = await whenTaken(socket, () => gone.aborted || !isMany())
          if (isAtOnce && writtenMs < QUICK_MS) size = Math.min(MOST_BYTES, size * 2)
          else if (performance.now() - givenMs > QUICK_MS) size = LEAST_BYTES
          givenMs = performance.now()
          left = size - bytes
        }
        if (isMany()) await turns.next()
      },
      close: () => {
        streams--
      },
    }
  }
  return { open }
}

/** A client that we watch until it has taken what it was sent, or that no longer matters. */
type Watched = { socket: Socket; isIdle: () => boolean; looks: number; goOn: (isAtOnce: boolean) => void }

/**
 * Watches clients: all share a look, now and then, at what the system holds, and some of them are compared with it in each
 * turn of the event loop. Resolves when one has taken nearly all, to whether the first look showed it.
 */
function takenWatch(readQueues: () => Promise<Look>) {
  const watched = new Set<Watched>()
  let isWatching = false
  const look = async () => {
    const all = [...watched]
    const { queueOf, tookMs } = await readQueues()
    await inSteps(all, each => {
      each.looks++
      if (!each.isIdle() && queueOf(each.socket) > LEAST_BYTES / 2) return
      watched.delete(each)
      each.goOn(each.looks === 1)
    })
    return { isVain: all.every(each => watched.has(each)), tookMs }
  }
  const watch = async () => {
    for (let waitMs = LEAST_LOOK_MS; watched.size > 0; ) {
      await sleep(waitMs)
      const { isVain, tookMs } = await look()
      waitMs = Math.max(isVain ? Math.min(MOST_LOOK_MS, waitMs * 2) : LEAST_LOOK_MS, tookMs * LOOKING_SHARE)
    }
    isWatching = false
  }
  return (socket: Socket, isIdle: () => boolean) =>
    new Promise<boolean>(goOn => {
      watched.add({ socket, isIdle, looks: 0, goOn })
      if (isWatching) return
      isWatching = true
      void watch()
    })
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

/** The system lets one client in for each turn, so that long turns keep those waiting that come behind a crowd. */
const AT_ONCE = 2
/** So many replies may be streamed without a bound: they hold 128 MiB at most. */
const FEW = 32
/** A look takes the system a while if there are many connections. It is rarer while nobody takes anything. */
const LEAST_LOOK_MS = 100
const MOST_LOOK_MS = 2000
const LOOKING_SHARE = 20
/** How much a client is sent before the first look, and at most between two. */
const LEAST_BYTES = 32 << 10
const MOST_BYTES = 4 << 20
/** How long a client may take for that, if it is to get as much again. */
const QUICK_MS = 500
