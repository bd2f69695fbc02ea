import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hash, isHash, isStoredWorkspaceId } from '#brand/ids.ts'
import { parseHash } from '#brand/snapshot.ts'
import { forEachOf, once } from '#platform/base/promise.ts'
import type { BucketAddress } from '#platform/settings/shared-addresses.ts'
import { DamagedContent, StoreError } from '../store-error.ts'
import { openBatch } from './batch.ts'
import type { Files, Incoming, StoredFile } from './files.ts'
import { type Bucket, type ListedObject, openBucket } from './s3/bucket.ts'
import { objectReader } from './s3/read-object.ts'
import { blockListOf, PART_BYTES, SMALL_BYTES, writeObject, writeWhole } from './s3/write-object.ts'

/**
 * Keeps files in a bucket of any server that supports S3, at `{prefix}{workspace}/{first two digits}/{hash}`. A large
 * file also has a list of its blocks, `{hash}.blocks`. The owner is in `{prefix}.store`. Incomplete files are
 * invisible: they are in memory, in temporary files and in unfinished uploads. The signal ends all requests.
 */
export function openS3Files(address: BucketAddress, signal?: AbortSignal): Files {
  const bucket = openBucket(address, signal)
  const { prefix } = address
  const keyOf = (workspace: string, hash: string) => `${prefix}${workspace}/${hash.slice(0, 2)}/${hash}`
  const pathOf = (key: string) => `s3://${address.bucket}/${key}`
  const objectRef = (workspace: string, hash: Hash) => {
    const key = keyOf(workspace, hash)
    return { key, hash, path: pathOf(key) }
  }
  const read = objectReader(bucket)
  const open: Files['open'] = (workspace, hash, part, signal) => read(objectRef(workspace, hash), part, signal)
  const put: Files['put'] = (workspace, hash, bytes) => writeObject(bucket, keyOf(workspace, hash), hash, bytes)
  const listings = listingsOf(bucket, prefix)
  return {
    receive: workspace =>
      receiveInBucket(bucket, { keyOf: hash => keyOf(workspace, hash), list: () => listings.list(workspace) }),
    copy: async (from, to, hash) => {
      if (await copyOnServer(bucket, keyOf(from, hash), keyOf(to, hash))) return
      const bytes = await open(from, hash)
      if (!bytes) throw new DamagedContent({ kind: 'file', path: pathOf(keyOf(from, hash)) }, { isMissing: true })
      await put(to, hash, bytes)
    },
    open,
    put,
    remove: async ({ workspace, hash, size }) => {
      const key = keyOf(workspace, hash)
      if (size > SMALL_BYTES) await bucket.remove(blockListOf(key)) // First, so that no list exists without its object.
      await bucket.remove(key)
    },
    ...ownerInBucket(bucket, `${prefix}${OWNER}`, pathOf),
    ...listings,
    ...incomingIn(bucket, prefix, pathOf),
    pathOf: (workspace, hash) => pathOf(keyOf(workspace, hash)),
  }
}

/** Makes the server copy an object and its list of blocks, unless they exist; false if it cannot. */
async function copyOnServer(bucket: Bucket, source: string, target: string): Promise<boolean> {
  const present = await bucket.size(target)
  const size = present ?? (await bucket.size(source)) ?? 0
  const exists = present !== undefined || (size <= MAX_COPY_BYTES && (await bucket.copy(source, target)))
  // Also for a present object: a copy that was killed may have left it without its list.
  if (exists && size > SMALL_BYTES) await bucket.copy(blockListOf(source), blockListOf(target))
  return exists
}

/** Lists of the files in a bucket; `list` has the hashes of a workspace. */
type Listings = Pick<Files, 'listAll' | 'isEmpty'> & {
  list: (workspace: string) => Promise<ReadonlySet<string>>
}

function listingsOf(bucket: Bucket, prefix: string): Listings {
  return {
    list: async workspace => {
      const hashes = new Set<string>()
      // The list of blocks comes right after its file in key order. A large file without one is uploaded again.
      let latestLarge = { key: '', hash: '' }
      for await (const object of bucket.list(`${prefix}${workspace}/`)) {
        const file = fileOf(object, prefix)
        if (file && file.size <= SMALL_BYTES) hashes.add(file.hash)
        else if (file) latestLarge = { key: object.key, hash: file.hash }
        else if (object.key === blockListOf(latestLarge.key)) hashes.add(latestLarge.hash)
      }
      return hashes
    },
    listAll: async function* () {
      for await (const object of bucket.list(prefix)) {
        const file = fileOf(object, prefix)
        if (file) yield file
      }
    },
    isEmpty: async () => {
      for await (const _ of bucket.list(prefix)) return false
      return true
    },
  }
}

/** Incomplete large files, which are unfinished uploads. */
function incomingIn(
  bucket: Bucket,
  prefix: string,
  pathOf: (key: string) => string,
): Pick<Files, 'listIncoming' | 'removeIncoming'> {
  const uploads = async () => (await bucket.unfinished(prefix)).filter(({ key }) => fileOf({ key, size: 0 }, prefix))
  return {
    listIncoming: async () => (await uploads()).map(({ key }) => pathOf(key)),
    removeIncoming: async () => {
      for (const upload of await uploads()) await bucket.abort(upload)
    },
  }
}

/** The end of the key of the owner. */
const OWNER = '.store'

/**
 * The largest object that a server copies in one request
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html).
 */
const MAX_COPY_BYTES = 5 * 2 ** 30

/** Parses the key of an object into a file; undefined if the object does not belong to a store. */
function fileOf({ key, size }: ListedObject, prefix: string): StoredFile | undefined {
  const [workspace = '', digits, hash = '', ...more] = key.slice(prefix.length).split('/')
  if (more.length > 0 || !isStoredWorkspaceId(workspace) || !isHash(hash) || hash.slice(0, 2) !== digits)
    return undefined
  return { workspace, hash, size }
}

/** The time limit for reading the owner, after which the server counts as unavailable. */
const PROBE_MS = 3000

/** Reads and writes the owner. If two stores claim the same prefix, the second is refused. */
function ownerInBucket(
  bucket: Bucket,
  key: string,
  pathOf: (key: string) => string,
): Pick<Files, 'owner' | 'probe' | 'setOwner'> {
  const owner = async (limitMs?: number) => (await bucket.text(key, limitMs))?.trim() || undefined
  return {
    owner: () => owner(),
    probe: () => owner(PROBE_MS),
    setOwner: async urn => {
      if (await bucket.putNew(key, Buffer.from(`${urn}\n`))) return
      const present = await owner()
      if (present === urn) return
      const problem =
        present === undefined ? 'is empty: remove it' : `names another store, ${present}: name another prefix`
      throw new StoreError('store_foreign', `cannot use the store: ${pathOf(key)} ${problem}`)
    },
  }
}

/** The destination of files of one workspace: their keys, and the hashes of stored files. */
type Destination = { keyOf: (hash: Hash) => string; list: () => Promise<ReadonlySet<string>> }

/**
 * Receives files for a bucket. The name of an object is the hash of its bytes, which is known only after they were
 * read. So a small file waits in memory and is sent with many others; a large one waits in a temporary file and is sent
 * at once. Files that the bucket already has are not sent again. No file is visible before it is complete.
 */
function receiveInBucket(bucket: Bucket, { keyOf, list }: Destination): Incoming {
  const stored = once(list)
  const batch = openBatch<Uint8Array>(MAX_WAITING, files =>
    forEachOf(files, CONCURRENCY, ([hash, bytes]) => writeWhole(bucket, keyOf(hash), hash, bytes)),
  )
  const addSmall = async (bytes: Uint8Array, hash: Hash) => {
    if (!batch.has(hash) && !(await stored()).has(hash)) await batch.add(hash, bytes, bytes.length)
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
    commit: batch.commit,
    discard: () => void batch.take(),
  }
}

/** The number of objects that are sent concurrently. */
const CONCURRENCY = 12
/** The most files and bytes that wait in memory for a commit. */
const MAX_WAITING = { files: 1000, bytes: 32 << 20 }

/**
 * Keeps bytes in memory up to the size of a part, then in an unlinked file that the system removes. With a file, the
 * memory has only the bytes since the last flush.
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

/** The bytes that a spool with a file collects before it writes them. */
const FLUSH_BYTES = 1 << 20

/** Opens a temporary file without a name, which is gone as soon as it is closed. */
async function openUnlinkedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `housestyle-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}
