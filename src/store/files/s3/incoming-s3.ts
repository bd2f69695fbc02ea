import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once, settleAll } from '../../../base/promise.ts'
import type { Hash } from '../../../brand/ids.ts'
import { parseHash } from '../../../brand/snapshot.ts'
import type { Incoming } from '../files.ts'
import type { Bucket } from './bucket.ts'
import { PART_BYTES, writeObject, writeWhole } from './write-object.ts'

/** The destination of files of one workspace: their keys, and the hashes of stored files. */
export type Destination = { keyOf: (hash: Hash) => string; list: () => Promise<ReadonlySet<string>> }

/**
 * Receives files for a bucket. The name of an object is the hash of its bytes, which is known only after they were
 * read. So a small file waits in memory and is sent with many others; a large one waits in a temporary file and is sent
 * at once. Files that the bucket already has are not sent again. No file is visible before it is complete.
 */
export function receiveInBucket(bucket: Bucket, { keyOf, list }: Destination): Incoming {
  const stored = once(list)
  const waiting = new Map<Hash, Uint8Array>()
  let waitingBytes = 0
  const commit = async () => {
    const files = [...waiting]
    waiting.clear()
    waitingBytes = 0
    const work = async () => {
      for (let file = files.pop(); file; file = files.pop())
        await writeWhole(bucket, keyOf(file[0]), file[0], file[1]).catch((error: unknown) => {
          files.length = 0
          throw error
        })
    }
    await settleAll(Array.from({ length: CONCURRENCY }, work))
  }
  const addSmall = async (bytes: Uint8Array, hash: Hash) => {
    if (waiting.has(hash) || (await stored()).has(hash)) return
    waiting.set(hash, bytes)
    waitingBytes += bytes.length
    if (waiting.size >= MAX_WAITING_FILES || waitingBytes >= MAX_WAITING_BYTES) await commit()
  }
  const addLarge = async (file: FileHandle, hash: Hash) => {
    if ((await stored()).has(hash)) return
    const bytes = file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1 << 18 })
    await writeObject(bucket, keyOf(hash), hash, bytes)
  }
  return {
    add: async pieces => {
      await using spool = openSpool()
      const digest = createHash('sha256')
      for await (const piece of pieces) {
        digest.update(piece)
        await spool.add(piece)
      }
      const hash = parseHash(digest.digest('hex'))
      const file = await spool.file()
      await (file ? addLarge(file, hash) : addSmall(spool.bytes(), hash))
      return hash
    },
    commit,
    discard: () => waiting.clear(),
  }
}

/** The number of objects that are sent concurrently. */
const CONCURRENCY = 12
/** The most files and bytes that wait in memory for a commit. */
const MAX_WAITING_FILES = 1000
const MAX_WAITING_BYTES = 32 << 20

/**
 * Keeps bytes in memory up to the size of a part. Beyond that, uses an unlinked temporary file, which the system
 * removes.
 */
function openSpool() {
  let pieces: Uint8Array[] = []
  let length = 0
  let file: FileHandle | undefined
  const flush = async () => {
    file ??= await openUnlinkedFile()
    await file.appendFile(Buffer.concat(pieces))
    pieces = []
    length = 0
  }
  return {
    add: async (piece: Uint8Array) => {
      pieces.push(piece)
      length += piece.length
      if (length > (file ? FLUSH_BYTES : PART_BYTES)) await flush()
    },
    bytes: () => Buffer.concat(pieces),
    /** Undefined if all bytes are in memory. */
    file: async () => {
      if (file) await flush()
      return file
    },
    [Symbol.asyncDispose]: async () => {
      await file?.close()
    },
  }
}

const FLUSH_BYTES = 1 << 20

async function openUnlinkedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `housestyle-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}
