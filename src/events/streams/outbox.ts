/** The bytes that wait to be sent on a stream. Streams share the bytes of an event. */
export type Outbox = {
  /** Adds bytes. A reader that falls too far behind is cut off instead; it can continue with `Last-Event-ID`. */
  push: (bytes: Uint8Array) => void
  /** Whether everything has been read. */
  isEmpty: () => boolean
  /** Ends the stream after the waiting bytes. */
  finish: () => void
  /** Ends the stream without the waiting bytes. */
  cut: () => void
  isCut: () => boolean
  read: () => AsyncGenerator<Uint8Array>
}

export function openOutbox(): Outbox {
  let waiting: Uint8Array[] = []
  let [isEnded, isCut] = [false, false]
  let wake: (() => void) | undefined
  const finish = () => {
    isEnded = true
    wake?.()
  }
  const cut = () => {
    waiting = []
    isCut = true
    finish()
  }
  return {
    push: bytes => {
      if (isEnded) return
      if (waiting.length >= MAX_WAITING) return cut()
      waiting.push(bytes)
      wake?.()
    },
    isEmpty: () => waiting.length === 0,
    finish,
    cut,
    isCut: () => isCut,
    read: async function* () {
      for (;;) {
        const next = waiting.shift()
        if (next) yield next
        else if (isEnded) return
        else
          await new Promise<void>(resolve => {
            wake = resolve
          })
      }
    },
  }
}

/** More than the projects of a workspace that are usually published at once. */
const MAX_WAITING = 1000
