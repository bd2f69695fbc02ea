import type { Hash } from '#brand/ids.ts'

/** Files that wait for a commit with others. `Waiting` is what a store keeps of each until then. */
export type Batch<Waiting> = {
  has: (hash: Hash) => boolean
  /** Adds a file of this many bytes, and commits all if they are too many files or bytes. */
  add: (hash: Hash, file: Waiting, bytes: number) => Promise<void>
  commit: () => Promise<void>
  /** Removes and returns all files. */
  take: () => ReadonlyMap<Hash, Waiting>
}

/** Opens a batch. Files that are added during a commit wait for the next one. */
export function openBatch<Waiting>(
  max: { files: number; bytes: number },
  commitFiles: (files: ReadonlyMap<Hash, Waiting>) => Promise<void>,
): Batch<Waiting> {
  let files = new Map<Hash, Waiting>()
  let waitingBytes = 0
  const take = () => {
    const taken = files
    files = new Map()
    waitingBytes = 0
    return taken
  }
  const commit = () => commitFiles(take())
  return {
    has: hash => files.has(hash),
    add: async (hash, file, bytes) => {
      files.set(hash, file)
      waitingBytes += bytes
      if (files.size >= max.files || waitingBytes >= max.bytes) await commit()
    },
    commit,
    take,
  }
}
