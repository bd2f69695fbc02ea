import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** How many bytes of a connection the system holds that the client has not taken. */
export type QueueOf = (socket: Pick<Socket, 'localPort' | 'remotePort'>) => number

/**
 * Says how many bytes of a connection the system holds that the client has not taken (on Linux: `tx_queue` of proc(5),
 * `/proc/net/tcp`). It takes megabytes at once and then nothing for many seconds, so that a client that reads well looks
 * like one that does not. Elsewhere 0. The tables are read when it is first asked.
 */
export function sendQueues(): QueueOf {
  let queues: Map<string, number> | undefined
  return socket => {
    queues ??= queuesIn(TABLES.map(readTable))
    return lengthIn(queues, socket)
  }
}

/** The same, from tables that are read now, while other requests are answered. */
export async function readSendQueues(): Promise<QueueOf> {
  const reading = TABLES.map(path => readFile(path, 'latin1').catch(() => ''))
  const queues = queuesIn(await Promise.all(reading))
  return socket => lengthIn(queues, socket)
}

const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']

function lengthIn(queues: Map<string, number>, { localPort = 0, remotePort = 0 }: Parameters<QueueOf>[0]): number {
  return queues.get(`${localPort} ${remotePort}`) ?? 0
}

/** By local and remote port. Of clients at several addresses with the same port, the least counts: none is wronged. */
function queuesIn(tables: readonly string[]): Map<string, number> {
  const queues = new Map<string, number>()
  for (const table of tables)
    for (const [, local = '', remote = '', queue = ''] of table.matchAll(ROW)) {
      const key = `${Number.parseInt(local, 16)} ${Number.parseInt(remote, 16)}`
      queues.set(key, Math.min(queues.get(key) ?? Number.POSITIVE_INFINITY, Number.parseInt(queue, 16)))
    }
  return queues
}

/**
 * Of a row: the local port, the remote port and the bytes to send, all as hexadecimal digits. Connections that are closed
 * (state 06), of which there may be very many, are left out.
 */
const ROW = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) 0[^6] ([0-9A-F]{8}):/gm

function readTable(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
