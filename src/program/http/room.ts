import { RETRY_SOON, RefusedBody, refuse } from '#brand/contract/refusals.ts'
import { addTo } from '#platform/base/object.ts'

/** Room for bodies, in memory or on the disk, which all senders share. */
export type Room = {
  /** Takes so many bytes for a sender, unless fewer are left in total or for this sender. */
  take: (sender: string, bytes: number) => boolean
  giveBack: (sender: string, bytes: number) => void
  /** The part of a sender, until it is disposed of. */
  shareOf: (sender: string) => Share
}

type Share = Disposable & {
  /** A body whose bytes take room as they arrive; it ends with a `RefusedBody` if there is none. */
  counted: (body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
}

/** A sender has at most a quarter of the room, unless another part is given. */
export function openRoom(maxBytes: number, maxPerSender = maxBytes / 4): Room {
  let left = maxBytes
  const taken = new Map<string, number>()
  const add = (sender: string, bytes: number) => {
    left -= bytes
    addTo(taken, sender, bytes)
  }
  const take = (sender: string, bytes: number) => {
    if (bytes > left || (taken.get(sender) ?? 0) + bytes > maxPerSender) return false
    add(sender, bytes)
    return true
  }
  const giveBack = (sender: string, bytes: number) => add(sender, -bytes)
  const shareOf = (sender: string): Share => {
    let size = 0
    return {
      async *counted(body) {
        for await (const chunk of body) {
          if (!take(sender, chunk.length)) throw new RefusedBody(refuse('overloaded', RETRY_SOON))
          size += chunk.length
          yield chunk
        }
      },
      [Symbol.dispose]: () => giveBack(sender, size),
    }
  }
  return { take, giveBack, shareOf }
}
