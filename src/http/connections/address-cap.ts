import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { canonicalAddress, networkOf } from '../../exchange/ip-address.ts'
import { LINGER_MS } from '../client-error.ts'
import type { Connections } from './connections.ts'

/** How many connections an address may have, and whose may have any number. */
type AddressCap = { perAddress: number; isExempt: (address: string) => boolean }

/**
 * Caps the connections of each address, and of IPv6 of each network of 64 bits, which one customer has. A connection
 * beyond it is marked, so that its request gets 503, and closed soon; nothing tells the address before it is accepted. As
 * many as may be open may be refused at a time. Yet more are closed at once, so that refusals cannot take every place.
 */
export function capAddresses(server: Server, connections: Connections, { perAddress, isExempt }: AddressCap): void {
  if (perAddress === Number.POSITIVE_INFINITY) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = canonicalAddress(socket.remoteAddress ?? '')
    if (address === '' || isExempt(address)) return
    const network = networkOf(address)
    const count = (open.get(network) ?? 0) + 1
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
    if (count > 2 * perAddress) socket.destroy()
    else if (count > perAddress) refuse(socket, connections)
  })
}

function refuse(socket: Socket, connections: Connections): void {
  const connection = connections.get(socket)
  if (connection) connection.isOverShare = true
  const limit = setTimeout(() => socket.destroy(), LINGER_MS)
  limit.unref()
  socket.once('close', () => clearTimeout(limit))
}
