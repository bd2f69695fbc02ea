import { type BrandFile, isHeavyPicture } from '#brand/file.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { withTimeout } from '#platform/base/promise.ts'
import { groupsOf } from '#platform/base/text.ts'
import { matchedTag } from '#platform/exchange/etag.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { content, NO_SNIFF, NO_STORE, notModified } from '#platform/exchange/reply.ts'
import { libraryOf } from '#serving/publications/library.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { openKeptPictures, type PictureMaker } from './kept-pictures.ts'
import { hasThumbnail, PDF, type ThumbnailWidth, thumbnailType } from './thumbnail.ts'

/**
 * The reply with a thumbnail of a published file; `file` if the file itself is to be shown, because the thumbnail cannot be
 * made in time. Undefined if the file has none.
 */
export type Thumbnails = (
  publication: Publication,
  file: BrandFile,
  width: ThumbnailWidth,
  request: Pick<Request, 'headers'>,
) => Promise<Reply | 'file' | undefined>

/**
 * Serves thumbnails, each made once while it is cached. If one cannot be made in time, the reply redirects to the file
 * itself, or shows only its type for a PDF or a heavy picture. With `isForCopy`, the thumbnails go into a copy of a guide,
 * which waits for them on a slow machine too.
 */
export function openThumbnails({ isForCopy, ...maker }: PictureMaker & { isForCopy: boolean }): Thumbnails {
  const madeOnce = openKeptPictures('thumbnails', maker)
  return async ({ record, published }, file, width, request) => {
    if (!hasThumbnail(file)) return undefined
    const etag = `"${file.hash}-${FORM}-${width}"`
    const cacheControl = published.visibility === 'public' ? 'public, max-age=3600' : 'private, no-cache'
    const caching = ['Cache-Control', cacheControl, 'ETag', etag]
    if (matchedTag(request.headers['if-none-match'], etag)) return notModified([...caching, ...NO_SNIFF])
    const pendingThumbnail = madeOnce(record.workspace, file, width)
    const maxWaitMs = isForCopy ? MAX_COPY_WAIT_MS : isHeavyPicture(file) ? MAX_HEAVY_WAIT_MS : MAX_WAIT_MS
    const thumbnail = await withTimeout(maxWaitMs, pendingThumbnail, () => undefined).catch(() => undefined)
    if (thumbnail?.bytes) return content(thumbnailType(file), thumbnail.bytes, { caching })
    if (file.contentType !== PDF && !isHeavyPicture(file)) return 'file'
    return content('image/svg+xml', signFor(file), { caching: NO_STORE })
  }
}

/** Replaces a heavy picture, or the page of a PDF, that cannot be made in time: the type of the file. */
function signFor({ path, contentType }: BrandFile): string {
  const type = (groupsOf(/\.([a-z0-9]{1,8})$/i, path)[1] ?? contentType.replace(/^.*\/|\+.*$/gs, '')).toUpperCase()
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 180"><text x="120" y="98" text-anchor="middle" font-family="sans-serif" font-size="24" fill="#808080">${type}</text></svg>`
}

/** Increase this if the same file would give different bytes. */
const FORM = 1
/** How long a request waits, for example for other thumbnails of its workspace. */
const MAX_WAIT_MS = 10_000
/** A heavy picture takes longer, and nothing else can be shown in its place; proxies wait for a minute. */
const MAX_HEAVY_WAIT_MS = 45_000
const MAX_COPY_WAIT_MS = 5 * 60_000

/** Makes wide thumbnails of the home page and of covers, and small ones of covers and of the start of the library. */
export async function prepareThumbnails(thumbnails: Thumbnails, publication: Publication): Promise<void> {
  const { home, covers, library } = await firstPictures(publication)
  const lists = [
    [[...home, ...covers], WIDE],
    [[...covers, ...library], ON_CARDS],
  ] as const
  for (const [files, widths] of lists)
    for (const file of new Set(files))
      for (const width of widths) await thumbnails(publication, file, width, { headers: {} })
}

/** For a phone with twice the density, and for a large screen. */
const WIDE = [960, 1920] as const
/** For two densities. */
const ON_CARDS = [320, 640] as const

/** The pictures that readers see first: on the home page, in the covers of pages, and in the library. */
async function firstPictures({ content }: Publication) {
  const pages = await content.pages()
  const files = await content.files()
  const home = pages.get(HOME_PAGE)
  const filesAt = (paths: readonly (string | undefined)[]) => paths.flatMap(path => files.get(path ?? '') ?? [])
  return {
    home: filesAt([home?.cover?.file, ...(home?.links ?? []).map(({ to }) => to.file)]),
    covers: filesAt(Array.from(pages.values(), ({ cover }) => cover?.file)).slice(0, MAX_COVERS),
    library: [...(await libraryOf(content)).files.values()].filter(hasThumbnail).slice(0, MAX_LISTED),
  }
}

/** More are made for their first reader. */
const MAX_COVERS = 24
const MAX_LISTED = 48
