import type { MaybePromise } from '../../base/promise.ts'
import type { BrandFile } from '../../brand/file.ts'
import type { Caches } from '../../caches/caches.ts'
import type { VerifiedFiles } from './verified-files.ts'

/** The bytes of small files, whole. */
export type SmallFiles = {
  /**
   * Undefined for a file that is larger or on another machine, and for one that the store has lost: what reads it in
   * pieces says so.
   *
   * @throws {DamagedContent} if its bytes do not have its hash
   */
  read: (workspace: string, file: BrandFile) => MaybePromise<Uint8Array | undefined>
}

/** What was read, and of which version of the file on the disk. */
type Read = { bytes: Uint8Array; version: string }

/**
 * Keeps the bytes of small files, since opening one and reading it in pieces takes ten times as long as all else about it.
 * Each time, the disk is asked whether the file is still the one that was read.
 */
export function openSmallFiles(files: VerifiedFiles, caches: Caches): SmallFiles {
  const kept = caches.open<Read>('files')
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
    const known = kept.get(key)
    if (known && (await version(workspace, file.hash))?.id === known.version) return known.bytes
    if (known) kept.drop(each => each === key)
    return (await readOnce(key, workspace, file))?.bytes
  }
  return { read: (workspace, file) => (file.size > MOST_BYTES ? undefined : read(workspace, file)) }
}

/** Logos, icons and fonts of one script are smaller. */
const MOST_BYTES = 128 << 10

async function readWhole(files: VerifiedFiles, workspace: string, file: BrandFile): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(file.size)
  let at = 0
  for await (const chunk of (await files.open(workspace, file.hash)) ?? []) {
    if (at + chunk.length <= file.size) bytes.set(chunk, at)
    at += chunk.length
  }
  return at === file.size ? bytes : undefined
}
