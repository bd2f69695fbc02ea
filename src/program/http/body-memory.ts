import { MAX_BODY } from '#brand/contract/route.ts'
import { networkOf } from '#platform/exchange/ip-address.ts'
import type { Request } from '#platform/exchange/message.ts'
import { openRoom } from './room.ts'

/** The memory that all bodies of more than 64 KiB share. */
export type BodyMemory = {
  /** Takes so many bytes for a request, unless fewer are left in total or for its client. */
  take: (request: Request, bytes: number) => boolean
  giveBack: (request: Request, bytes: number) => void
  release: (request: Request) => void
}

/** Returns the client address of a request, also behind proxies. Without it, one client may use all memory. */
export type ClientOf = (request: Request) => string

/** With `clientOf`, the clients of one address or IPv6 /64 network have at most a quarter of the memory. */
export function openBodyMemory({ maxBytes = 64 << 20, clientOf }: Options = {}): BodyMemory {
  const room = openRoom(maxBytes, clientOf ? maxBytes / 4 : maxBytes)
  const networkOfClient = (request: Request) => (clientOf ? networkOf(clientOf(request)) : '')
  const giveBack = (request: Request, bytes: number) => room.giveBack(networkOfClient(request), bytes)
  return {
    take: (request, bytes) => room.take(networkOfClient(request), bytes),
    giveBack,
    release: request => {
      const { body } = request
      if (body && body.length > MAX_BODY) giveBack(request, body.length)
    },
  }
}

type Options = { maxBytes?: number; clientOf?: ClientOf | undefined }
