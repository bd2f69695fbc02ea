import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { canonicalAddress, networkOf } from '../../exchange/ip-address.ts'
import { type Connections, LINGER_MS } from './connections.ts'

/** How many connections an address may have, and which addresses may have any number. */
type AddressCap = { perAddress: number; isExempt: (address: string) => boolean }

/**
 * Caps the connections of each address, and of IPv6 of each network of 64 bits, which one customer has. A connection
 * beyond it is marked, so that its request gets 503, and closed soon; nothing tells the address before it is accepted. As
 * many as may be open may be refused at a time. Yet more are closed at once, so that refusals cannot take every place.
 */
export function capAddresses(server: Server, connections: Connections, cap: AddressCap): void {
  const { perAddress, isExempt } = cap
  const addresses = countsInMemory()
  if (perAddress === Number.POSITIVE_INFINITY) return
  server.on('connection', (socket: Socket) => {
    const address = canonicalAddress(socket.remoteAddress ?? '')
    if (address === '' || isExempt(address)) return
    const network = networkOf(address)
    const count = addresses.add(network)
    socket.once('close', () => addresses.remove(network))
    if (count > 2 * perAddress) socket.destroy()
    else if (count > perAddress) refuse(socket, connections)
  })
}

function countsInMemory() {
  const open = new Map<string, number>()
  return {
    add: (address: string) => {
      const count = (open.get(address) ?? 0) + 1
      open.set(address, count)
      return count
    },
    remove: (address: string) => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    },
  }
}

function refuse(socket: Socket, connections: Connections): void {
  const connection = connections.get(socket)
  if (connection) connection.isOverShare = true
  const limit = setTimeout(() => socket.destroy(), LINGER_MS)
  limit.unref()
  socket.once('close', () => clearTimeout(limit))
}
