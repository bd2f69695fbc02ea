import type { Freezable } from '#brand/draft.ts'
import type { BrandFile } from '#brand/file.ts'
import type { Hash, WorkspaceId } from '#brand/ids.ts'
import type { Page } from '#brand/page.ts'
import { isMeasurable, type PictureFacts } from '#brand/pictures/picture-facts.ts'
import type { ReadOptions } from '#intake/reading.ts'
import { forEachOf } from '#platform/base/promise.ts'
import { listMeasured, putFacts } from '#store/catalogue/picture-facts.ts'
import type { Store } from '#store/store.ts'

/**
 * Yields the pages of a draft. After the last one, adds to `pictures` those that the website needs facts about; of
 * photographs (JPEG) only covers.
 */
export function* withPictures({ pages, files }: Freezable, pictures: Map<Hash, BrandFile>): Generator<Page> {
  const covers = new Set<string | undefined>()
  for (const page of pages) {
    covers.add(page.cover?.file)
    yield page
  }
  for (const file of files)
    if (isMeasurable(file) && (file.contentType !== 'image/jpeg' || covers.has(file.path)))
      pictures.set(file.hash, file)
}

/** Measures stored pictures that the store knows nothing about, before a pointer moves to them. */
export async function measurePictures(
  { database, files }: Store,
  workspace: WorkspaceId,
  pictures: ReadonlyMap<Hash, BrandFile>,
  { media, signal }: Pick<ReadOptions, 'media' | 'signal'>,
): Promise<void> {
  const measured = new Set(await listMeasured(database, workspace))
  const unmeasured = pictures.values().filter(({ hash }) => !measured.has(hash))
  /** Undefined for a picture that cannot be measured, which is stored too. */
  const newFacts = new Map<Hash, PictureFacts | undefined>()
  await forEachOf(unmeasured, AT_ONCE, async ({ hash, path, contentType }) => {
    signal.throwIfAborted()
    const pieces = async function* () {
      yield* (await files.open(workspace, hash, undefined, signal)) ?? []
    }
    newFacts.set(hash, await media.measure({ path, contentType, pieces }))
  })
  if (newFacts.size === 0) return
  await database.transaction(async queries => {
    for (const [hash, facts] of newFacts) await putFacts(queries, workspace, hash, facts)
  })
}

/** Enough to keep the processes of a reader busy. */
const AT_ONCE = 4
