import { MAX_BODY } from '../contract/route.ts'
import type { Request } from '../exchange/message.ts'

/** The memory that all bodies of more than 64 KiB share. */
export type BodyMemory = {
  /** Takes so many bytes, unless fewer are left. */
  take: (bytes: number) => boolean
  giveBack: (bytes: number) => void
  /** Gives back what a request took, once its reply is made. */
  release: (request: Request) => void
}

export function openBodyMemory(maxBytes = 64 << 20): BodyMemory {
  let left = maxBytes
  const giveBack = (bytes: number) => {
    left += bytes
  }
  return {
    take: bytes => {
      if (bytes > left) return false
      left -= bytes
      return true
    },
    giveBack,
    release: ({ body }) => {
      if (body && body.length > MAX_BODY) giveBack(body.length)
    },
  }
}
