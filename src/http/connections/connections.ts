import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The state of an open connection. Keeping it needs no listener for each request. */
export type Connection = {
  socket: Socket
  /** The reply to the latest request. Replies go out in order, so nothing follows it. */
  latest: ServerResponse | undefined
  /** How many bytes had been read when the latest reply was made. */
  bytesRead: number
  /** Whether it closes with a refusal. What the client still sends is not read as a request (RFC 9112 §9.6). */
  isRefused: boolean
}

/** The open connections of a server. */
export type Connections = ReadonlyMap<Duplex, Connection>

/** Keeps a list of the open connections of a server. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Duplex, Connection>()
  server.on('connection', socket => {
    connections.set(socket, { socket, latest: undefined, bytesRead: 0, isRefused: false })
    socket.once('close', () => connections.delete(socket))
  })
  return connections
}
