import type { BrandFile } from '#brand/file.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { CacheName, Caches } from '#platform/caches/caches.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import { openFile } from '#serving/downloads/file-reply.ts'
import type { LargePicture, Thumbnailer } from './thumbnailer.ts'

/** What pictures are made with. */
export type PictureMaker = { files: Parameters<typeof openFile>[0]; caches: Caches; make: Thumbnailer['make'] }

/** A picture of a file; without bytes if it cannot be made. It waits only for others of the same `queue`. */
export type KeptPictures = (
  workspace: string,
  file: BrandFile,
  width: number,
  form?: Pick<LargePicture, 'ground' | 'format'>,
  queue?: string,
) => MaybePromise<{ bytes: Uint8Array | undefined } | undefined>

/** Makes pictures in child processes, each once while it is cached; one that failed is tried again later. */
export function openKeptPictures(cache: CacheName, { files, caches, make }: PictureMaker): KeptPictures {
  const kept = caches.open<{ bytes: Uint8Array | undefined }>(cache)
  return (workspace, file, width, form = {}, queue = workspace) => {
    const { ground = '', format = '' } = form
    const key = `${workspace}/${file.hash}:${width}${format}${ground}`
    const picture = { contentType: file.contentType, open: () => openFile(files, workspace, file), ...form }
    return (
      kept.get(key) ??
      kept.make(key, async () => {
        const value = { bytes: await make(picture, width, queue) }
        return { value, bytes: memoryOf(value), keptMs: value.bytes ? undefined : RETRY_MS }
      })
    )
  }
}

/** The delay before a failed picture is tried again. */
const RETRY_MS = 5 * 60_000
