import { orNetworkError } from './get.ts'
import { within } from './time.ts'

/** The limits of reading a body: of each pause, in milliseconds, and the signal of the reader. */
export type ReadLimits = { attempt: string; ms: number; signal: AbortSignal | undefined }

/** The chunks of a body. Throws if there is none for `ms`, if the connection is lost or if the signal aborts. */
export async function* chunksOf(response: Response, limits: ReadLimits): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await within(limits, () => orNetworkError(limits.attempt, () => reader.read()))
      if (done) return
      yield value
    }
  } finally {
    // This ends the connection. It fails only if that has happened already.
    reader.cancel().catch(() => undefined)
  }
}
