import { close, open } from 'node:fs'
import type { Server } from 'node:http'

/**
 * Has the system make room for a crowd in its table of this process's descriptors, once a server has listened for a second.
 * Linux doubles the table when it is full, and has whoever opens the next descriptor wait 10 to 55 ms: in a crowd that is the
 * thread that answers, five times over; here it is a thread of libuv, before anyone comes. Does nothing unless four times as
 * many descriptors are allowed.
 */
export function growDescriptorTable(server: Server, descriptors: number): void {
  if (descriptors < 4 * ENOUGH) return
  server.once('listening', () => setTimeout(openMany, QUIET_MS).unref())
}

/** More than 2048, so that the table has 4096 places: a thousand clients with a file each need 2,000. */
const ENOUGH = 2050
/** When the first replies have been sent. */
const QUIET_MS = 1000

function openMany(): void {
  const opened: number[] = []
  const closeNext = () => {
    const descriptor = opened.pop()
    if (descriptor !== undefined) close(descriptor, closeNext)
  }
  const openNext = () =>
    open('/dev/null', (error, descriptor) => {
      if (!error) opened.push(descriptor)
      if (error || opened.length === ENOUGH) closeNext()
      else openNext()
    })
  openNext()
}
