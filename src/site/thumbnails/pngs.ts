import { create as contentDisposition } from 'content-disposition'
import { type BrandFile, filename } from '../../brand/file.ts'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import { matchedTag } from '../../exchange/etag.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import { content, NO_SNIFF, notModified } from '../../exchange/reply.ts'
import { openFile } from '../../serving/downloads/file-reply.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import type { Thumbnailer } from './thumbnailer.ts'

/** The lengths of the longer side of a PNG, in pixels. */
export const PNG_SIZES = [512, 1024, 2048] as const

/** The name of the PNG of a file: `logo-512.png`. */
function pngName({ path }: BrandFile, size: number): string {
  return `${filename(path).replace(/\.svg$/i, '')}-${size}.png`
}

/** Whether a file is an SVG that is not too large to be drawn. */
export function hasPng({ contentType, path, size }: BrandFile): boolean {
  return contentType === 'image/svg+xml' && !/\.svgz$/i.test(path) && size <= MAX_BYTES
}

const MAX_BYTES = 2 << 20

/** The reply with the PNG of a published SVG; undefined if there is none of this size on this colour. */
export type Pngs = (publication: Publication, file: BrandFile, request: Request) => Promise<Reply | undefined>

/** The colours of a guide that a PNG may have behind it. */
type PreviewColors = (guide: { publication: Publication }) => Promise<readonly { hex: string }[]>

/**
 * Serves SVGs as PNGs for `?width=512&ground=14212b`, each made once while it is cached. An address always has the same
 * content. Only a few sizes and colours exist, so that clients cannot fill the cache.
 */
export function openPngs({
  files,
  caches,
  make,
  colors,
}: {
  files: Parameters<typeof openFile>[0]
  caches: Caches
  make: Thumbnailer['make']
  colors: PreviewColors
}): Pngs {
  const kept = caches.open<{ bytes: Uint8Array | undefined }>('pngs')
  return async (publication, file, { query, headers }) => {
    const { record, published } = publication
    const params = new URLSearchParams(query)
    const size = PNG_SIZES.find(each => `${each}` === params.get('width'))
    const hex = params.get('ground') || undefined
    const ground = hex === undefined ? undefined : `#${hex}`
    const isOffered = ground === undefined || (await colors({ publication })).some(color => color.hex === ground)
    if (!hasPng(file) || size === undefined || !isOffered) return undefined
    const etag = `"${file.hash}-png${FORM}-${size}${hex === undefined ? '' : `-${hex}`}"`
    const isPublic = published.visibility === 'public'
    const caching = ['Cache-Control', isPublic ? 'public, max-age=3600, immutable' : 'private, no-cache', 'ETag', etag]
    if (matchedTag(headers['if-none-match'], etag)) return notModified([...caching, ...NO_SNIFF])
    const open = () => openFile(files, record.workspace, file)
    const png = await (kept.get(`${record.workspace}/${etag}`) ??
      kept.make(`${record.workspace}/${etag}`, async () => {
        const picture = { contentType: file.contentType, open, ...(ground !== undefined && { ground }) }
        const value = { bytes: await make(picture, size, record.workspace) }
        return { value, bytes: memoryOf(value), ...(!value.bytes && { keptMs: RETRY_MS }) }
      }))
    const handling = ['Content-Disposition', contentDisposition(pngName(file, size))]
    return png?.bytes && content('image/png', png.bytes, { caching, handling })
  }
}

/** Increase this if the same file would give different bytes. */
const FORM = 1
/** The delay before a failed PNG is tried again. */
const RETRY_MS = 5 * 60_000
