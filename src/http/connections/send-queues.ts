import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

/**
 * Says how many bytes of a connection the system holds that the client has not taken (on Linux: `tx_queue` of proc(5),
 * `/proc/net/tcp`). It takes megabytes at once and then nothing for many seconds, so that a client that reads well looks
 * like one that does not. Elsewhere 0. The tables are read when it is first asked.
 */
export function sendQueues(): (socket: Socket) => number {
  let queues: Map<string, number> | undefined
  return ({ localPort = 0, remotePort = 0 }) => {
    queues ??= readQueues()
    return queues.get(`${localPort} ${remotePort}`) ?? 0
  }
}

/** By local and remote port. Of clients at several addresses with the same port, the least counts: none is wronged. */
function readQueues(): Map<string, number> {
  const queues = new Map<string, number>()
  for (const table of ['tcp', 'tcp6'])
    for (const [, local = '', remote = '', queue = ''] of readTable(table).matchAll(ROW)) {
      const key = `${Number.parseInt(local, 16)} ${Number.parseInt(remote, 16)}`
      queues.set(key, Math.min(queues.get(key) ?? Number.POSITIVE_INFINITY, Number.parseInt(queue, 16)))
    }
  return queues
}

/** Of a row: the local port, the remote port and the bytes to send, all as hexadecimal digits. */
const ROW = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/gm

function readTable(name: string): string {
  try {
    return readFileSync(`/proc/self/net/${name}`, 'latin1')
  } catch {
    return ''
  }
}
