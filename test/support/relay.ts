import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { MaybePromise } from '#platform/base/promise.ts'
import { listeningPort } from './free-port.ts'
import { until } from './until.ts'

/** A relay in front of a local server; it can observe, delay and stop the data from clients. */
export type Relay = {
  /** On 127.0.0.1. */
  port: number
  /** The number of connections so far. */
  connections: () => number
  /** Called with data from clients; without one, the relay forwards everything. */
  onSent: (handler?: OnSent) => void
  /** Called with each chunk of a reply; forwards it to the client only if this returns true. */
  onReply: (handler?: (piece: Buffer) => boolean) => void
  /** Relays further connections to another port, and closes the open ones. */
  switchTo: (port: number) => void
  /** Resolves once all connections are closed. The server closes its side after releasing the locks of the client. */
  drained: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Receives a chunk from a client, and returns the data for the server: nothing to drop it. The chunk continues the
 * previous one if no reply came between them.
 */
type OnSent = (piece: Buffer, isContinued: boolean) => MaybePromise<Buffer | undefined>

/** Starts a relay to a port of 127.0.0.1. When one side ends a connection, the relay ends it for the other. */
export async function startRelay(to: number): Promise<Relay> {
  let sent: OnSent | undefined
  let replied: ((piece: Buffer) => boolean) | undefined
  let connections = 0
  let target = to
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, client => {
    connections++
    const onward = connect({ port: target, host: '127.0.0.1', noDelay: true })
    open.add(client).add(onward)
    client.on('error', () => onward.end())
    client.on('close', () => {
      open.delete(client)
      onward.end()
    })
    onward.on('error', () => client.destroy())
    onward.on('close', () => {
      open.delete(onward)
      client.destroy()
    })
    let isAsking = false
    const relaying = async () => {
      for await (const piece of client) {
        const rest = sent ? await sent(piece, isAsking) : piece
        isAsking = true
        if (rest && onward.writable) onward.write(rest)
      }
    }
    relaying().catch(() => onward.end())
    onward.on('data', (piece: Buffer) => {
      isAsking = false
      if ((!replied || replied(piece)) && !client.destroyed) client.write(piece)
    })
  })
  const port = await listeningPort(server)
  return {
    port,
    connections: () => connections,
    onSent: handler => {
      sent = handler
    },
    onReply: handler => {
      replied = handler
    },
    switchTo: port => {
      target = port
      for (const socket of open) socket.destroy()
    },
    drained: () => until(() => open.size === 0),
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
