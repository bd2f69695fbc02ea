import { closeSync, openSync, readSync } from 'node:fs'
import type { Socket } from 'node:net'
import { nextTurn } from '../../base/steps.ts'

/** How many bytes of a connection the system holds that the client has not taken. */
export type QueueOf = (socket: Pick<Socket, 'localPort' | 'remotePort'>) => number

/**
 * Says how many bytes of a connection the system holds that the client has not taken (on Linux: `tx_queue` of proc(5),
 * `/proc/net/tcp`). It takes megabytes at once and then nothing for many seconds, so that a client that reads well looks
 * like one that does not. Elsewhere 0. The tables are read when it is first asked.
 */
export function sendQueues(): QueueOf {
  let queues: Queues | undefined
  return socket => {
    if (!queues) {
      queues = new Map()
      for (const piece of tablePieces()) addRows(queues, piece)
    }
    return lengthIn(queues, socket)
  }
}

/** What was seen in the tables, and how much time that took, in milliseconds. */
export type Look = { queueOf: QueueOf; tookMs: number }

/** The same, from tables that are read now, in steps of a fraction of a millisecond between which others have their turns. */
export async function readSendQueues(): Promise<Look> {
  const queues: Queues = new Map()
  const pieces = tablePieces()
  let tookMs = 0
  for (let isDone = false; !isDone; await nextTurn()) {
    const began = performance.now()
    for (let count = 0; count < PIECES_AT_ONCE && !isDone; count++) {
      const { done, value } = pieces.next()
      if (done) isDone = true
      else addRows(queues, value)
    }
    tookMs += performance.now() - began
  }
  return { queueOf: socket => lengthIn(queues, socket), tookMs }
}

const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']

/** Lengths by local and remote port. Of clients at several addresses with the same port, the least counts: none is wronged. */
type Queues = Map<number, number>

function lengthIn(queues: Queues, { localPort = 0, remotePort = 0 }: Parameters<QueueOf>[0]): number {
  return queues.get(keyOf(localPort, remotePort)) ?? 0
}

function keyOf(localPort: number, remotePort: number): number {
  return (localPort << 16) | remotePort
}

function addRows(queues: Queues, text: string): void {
  for (const [, local = '', remote = '', queue = ''] of text.matchAll(ROW)) {
    const key = keyOf(Number.parseInt(local, 16), Number.parseInt(remote, 16))
    queues.set(key, Math.min(queues.get(key) ?? Number.POSITIVE_INFINITY, Number.parseInt(queue, 16)))
  }
}

/**
 * Of a row: the local port, the remote port and the bytes to send, all as hexadecimal digits. Connections that are closed
 * (state 06), of which there may be very many, are left out.
 */
const ROW = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) 0[^6] ([0-9A-F]{8}):/gm

/** Whole rows; the system gives some thirty at a time. Where there is no such table, none. */
function* tablePieces(): Generator<string, void> {
  for (const path of TABLES) {
    const table = openTable(path)
    if (table === undefined) continue
    try {
      const buffer = Buffer.allocUnsafe(PIECE_BYTES)
      let rest = ''
      for (let length = readSync(table, buffer); length > 0; length = readSync(table, buffer)) {
        const text = rest + buffer.toString('latin1', 0, length)
        const end = text.lastIndexOf('\n') + 1
        yield text.slice(0, end)
        rest = text.slice(end)
      }
    } finally {
      closeSync(table)
    }
  }
}

const PIECE_BYTES = 4 << 10
/** A fraction of a millisecond's work. */
const PIECES_AT_ONCE = 8

function openTable(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
