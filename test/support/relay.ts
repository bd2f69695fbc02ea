import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { MaybePromise } from '../../src/base/promise.ts'
import { until } from './until.ts'

/** A relay before a server of this machine, which sees, delays and stops what a process sends to it. */
export type Relay = {
  /** On 127.0.0.1. */
  port: number
  /** How many connections were made to it. */
  connections: () => number
  /** Called with what clients send; without one, all goes on. */
  onSent: (handler?: OnSent) => void
  /** Called with each piece of a reply, which goes on to the client if this gives true. */
  onReply: (handler?: (piece: Buffer) => boolean) => void
  /** Resolves once no connection is open. The server closes its side after it has released the locks of the client. */
  drained: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Takes a piece as it comes from a socket, and gives what goes on to the server: nothing if it is lost. It is continued if
 * no reply has come since the piece before it.
 */
type OnSent = (piece: Buffer, isContinued: boolean) => MaybePromise<Buffer | undefined>

/** Starts a relay to a port of 127.0.0.1. When one side ends a connection, the relay ends it for the other. */
export async function startRelay(to: number): Promise<Relay> {
  let sent: OnSent | undefined
  let replied: ((piece: Buffer) => boolean) | undefined
  let connections = 0
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, client => {
    connections++
    const onward = connect({ port: to, host: '127.0.0.1', noDelay: true })
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    connections: () => connections,
    onSent: handler => {
      sent = handler
    },
    onReply: handler => {
      replied = handler
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
