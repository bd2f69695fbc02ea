import { write } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { errorCode } from '../base/error.ts'

/** Writes lines without waiting for their reader. */
export type LineWriter = {
  write: (line: string) => void
  /** The number of dropped lines since the process began. */
  dropped: () => number
  isWriting: () => boolean
  /**
   * Writes the remaining lines while someone reads them, for at most a second. A write in progress can still delay the
   * end of the process, for example to a datagram socket: only the system can end it.
   */
  end: () => Promise<void>
}

/**
 * Writes lines to a file, pipe or terminal. Buffers up to a mebibyte of unread lines in memory. Drops and counts
 * further lines, and lines that cannot be written because the reader is gone or the disk is full. Calls `resumed` with
 * the number of dropped lines after all others are written.
 */
export function openLineWriter(descriptor: number, resumed: (dropped: number) => void): LineWriter {
  const ending = new AbortController()
  const waiting: string[] = []
  let [waitingBytes, dropped, unreported] = [0, 0, 0]
  let writing: Promise<void> | undefined
  const drop = (lines: number) => {
    dropped += lines
    unreported += lines
  }
  const writeAll = async () => {
    let [isWritten, start] = [true, NOTHING]
    while (waiting.length > 0) {
      const lines = waiting.splice(0, LINES_AT_ONCE)
      const bytes = Buffer.from(lines.join(''))
      const { hasBegun, hasEnded } = await writeBytes(descriptor, Buffer.concat([start, bytes]), ending.signal)
      waitingBytes -= bytes.length
      if (!hasEnded) drop(lines.length)
      isWritten = hasEnded
      start = hasBegun && !hasEnded ? NEW_LINE : NOTHING // Ends a partial line before the next one.
    }
    writing = undefined
    if (unreported === 0 || !isWritten) return
    const lines = unreported
    unreported = 0
    resumed(lines)
  }
  return {
    write: line => {
      const bytes = Buffer.byteLength(line)
      if (waitingBytes + bytes > MAX_WAITING_BYTES) return drop(1)
      waiting.push(line)
      waitingBytes += bytes
      writing ??= writeAll()
    },
    dropped: () => dropped,
    isWriting: () => writing !== undefined,
    end: async () => {
      await Promise.race([writing, sleep(MAX_END_MS, undefined, { ref: false })])
      ending.abort()
    },
  }
}

const NOTHING = Buffer.alloc(0)
const NEW_LINE = Buffer.from('\n')
const LINES_AT_ONCE = 64
const MAX_WAITING_BYTES = 1 << 20
const MAX_END_MS = 1000
const RETRY_MS = 100

/** Retries while the buffer is full, until someone reads. */
async function writeBytes(descriptor: number, bytes: Uint8Array, ending: AbortSignal) {
  let at = 0
  while (at < bytes.length && !ending.aborted)
    try {
      at += (await writePart(descriptor, bytes, at)).bytesWritten
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') break
      await sleep(RETRY_MS, undefined, { signal: ending }).catch(() => undefined)
    }
  return { hasBegun: at > 0, hasEnded: at === bytes.length }
}

const writePart = promisify(write)
