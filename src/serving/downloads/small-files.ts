import type { MaybePromise } from '../../base/promise.ts'
import type { BrandFile } from '../../brand/file.ts'
import type { Caches } from '../../caches/caches.ts'
import type { VerifiedFiles } from './verified-files.ts'

/** The bytes of small files, whole. */
export type SmallFiles = {
  /**
   * Undefined for a file that is larger, on another machine, or missing: streaming it reports the error.
   *
   * @throws {DamagedContent} if its bytes do not have its hash
   */
  read: (workspace: string, file: BrandFile) => MaybePromise<Uint8Array | undefined>
}

/** The bytes that were read, and the version of the file on the disk. */
type CachedBytes = { bytes: Uint8Array; version: string }

/**
 * Caches the bytes of small files, because opening a file and streaming it takes ten times as long as the rest of a
 * request. Each request checks that the file on the disk is still the cached one.
 */
export function openSmallFiles(files: VerifiedFiles, caches: Caches): SmallFiles {
  const kept = caches.open<CachedBytes>('files')
  const { version } = files
  if (!version) return { read: () => undefined }
  const readOnce = (key: string, workspace: string, file: BrandFile) =>
    kept.make(key, async () => {
      const before = await version(workspace, file.hash)
      const bytes = before && (await readWhole(files, workspace, file))
      if (!bytes || (await version(workspace, file.hash))?.id !== before.id) return undefined
      return { value: { bytes, version: before.id }, bytes: bytes.length }
    })
  const read = async (workspace: string, file: BrandFile) => {
    const key = `${workspace}/${file.hash}`
    const cached = kept.get(key)
    if (cached && (await version(workspace, file.hash))?.id === cached.version) return cached.bytes
    if (cached) kept.drop(each => each === key)
    return (await readOnce(key, workspace, file))?.bytes
  }
  return { read: (workspace, file) => (file.size > MAX_BYTES ? undefined : read(workspace, file)) }
}

/** Logos, icons and fonts of one script are smaller. */
const MAX_BYTES = 128 << 10

async function readWhole(files: VerifiedFiles, workspace: string, file: BrandFile): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(file.size)
  let at = 0
  for await (const chunk of (await files.open(workspace, file.hash)) ?? []) {
    if (at + chunk.length <= file.size) bytes.set(chunk, at)
    at += chunk.length
  }
  return at === file.size ? bytes : undefined
}
