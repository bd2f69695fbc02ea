import type { ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Reply, Request } from '../../exchange/message.ts'

/** The state of an open connection. Keeping it needs no listener for each request. */
export type Connection = {
  socket: Socket
  /** The reply to the latest request. Replies go out in order, so nothing follows it. */
  latest: ServerResponse | undefined
  /** Since when node:http has waited for the rest of a request, as `performance.now` has it; `request-timeouts.ts` sets it. */
  arrivingSince: number | undefined
  /** How many bytes had been read when the latest reply was made. */
  bytesRead: number
  /** Whether it exceeds a cap on connections, so that it gets one refusal and is closed. */
  isOverCap: boolean
  /**
   * Whether its latest request is the last that is read, and it closes with the reply: one is refused before all of it
   * has come (RFC 9112 §9.6), or asks for another protocol (`Upgrade`). After that, Node drops what came with it, and would
   * take what follows for a request, even the body of one (RFC 9112 §11.2).
   */
  isLastRequest: boolean
  /** Since when each of its replies is to be the last one, in milliseconds as `performance.now` has them. */
  closingSince: number | undefined
  /** How many replies are being streamed. Each may have a file open, for a moment longer than the connection. */
  streams: number
  /** What its plain requests are at; undefined once node:http reads it, which then has a reply in `latest`. */
  plain: 'waiting' | 'answering' | undefined
  /** The reply to the request that node:http reads next, if it is made already. */
  ready: ReadyReply | undefined
}

/** A reply that only has to be sent. */
export type ReadyReply = { reply: Reply; request: Request; requestId: string; startedMs: number }

/** The connections of a server, with those that are closed while a reply of theirs is still being streamed. */
export type Connections = {
  values: () => IteratorObject<Connection>
  get: (socket: Duplex) => Connection | undefined
  count: () => number
  /** Call this when a reply begins to be streamed, and what it gives when its file is closed. */
  streams: (connection: Connection) => () => void
}

/** Keeps a list of the open connections of a server. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Duplex, Connection>()
  server.on('connection', socket => {
    const connection: Connection = {
      socket,
      latest: undefined,
      arrivingSince: undefined,
      bytesRead: 0,
      isLastRequest: false,
      isOverCap: false,
      closingSince: undefined,
      streams: 0,
      plain: undefined,
      ready: undefined,
    }
    connections.set(socket, connection)
    socket.once('close', () => {
      if (connection.streams === 0) connections.delete(socket)
    })
  })
  return {
    values: () => connections.values(),
    get: socket => connections.get(socket),
    count: () => connections.size,
    streams: connection => {
      connection.streams++
      return () => {
        connection.streams--
        if (connection.streams === 0 && connection.socket.closed) connections.delete(connection.socket)
      }
    },
  }
}

/**
 * Whether a reply, which is about to be sent, is the last of a connection that is to be closed. One on which requests
 * wait behind each other has a while to end; some clients would never stop sending another one.
 */
export function isLastReply(connection: Connection, response: ServerResponse): boolean {
  if (connection.latest === response) return true
  if (connection.isLastRequest) return false
  connection.closingSince ??= performance.now()
  return performance.now() - connection.closingSince > MAX_CLOSING_MS
}

const MAX_CLOSING_MS = 2000

/**
 * How long a connection is read after its last reply, in milliseconds. Closing it while bytes are unread could make the
 * client lose the reply (RFC 9112 §9.6).
 */
export const LINGER_MS = 2000
