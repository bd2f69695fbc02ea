import net, { isIPv4, type Server } from 'node:net'

/** The socket that a server listens on. */
export type ListeningSocket = {
  /** Gives the argument of `Server.listen`, each time that the server is to listen. */
  open: () => Promise<unknown>
}

/** A socket of this server alone, at a host and a port (0: a free one, which the server keeps when it listens again). */
export function ownSocket(server: Server, host: string, port: number): ListeningSocket {
  const address = { host, port }
  server.once('listening', () => Object.assign(address, { port: portOf(server) }))
  return { open: async () => optionsFor(address) }
}

/**
 * A socket of an IPv4 address is bound here. If a server does it, Node matches the address against those of IPv6, and
 * compiling that pattern takes 4 ms of a start. Before version 26.4 there was no other way.
 */
function optionsFor(address: { host: string; port: number }): object {
  return isIPv4(address.host) && 'BoundSocket' in net ? { handle: new net.BoundSocket(address) } : { ...address }
}

/** Has a server listen. Rejects if it cannot. */
export async function beginListening(server: Server, { open }: ListeningSocket): Promise<void> {
  const socket = await open()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, resolve)
  })
}

/** The port that a server listens on. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no address')
  return address.port
}

/** The socket by itself. If the server were sent to another process, that would accept connections too. */
export function handleOf(server: Server): unknown {
  return Reflect.get(server, '_handle')
}

/** Closes a socket that no server has; otherwise it would keep its descriptor. */
export function closeSocket(socket: unknown): void {
  const close: unknown = socket instanceof Object ? Reflect.get(socket, 'close') : undefined
  if (typeof close === 'function') Reflect.apply(close, socket, [])
}
