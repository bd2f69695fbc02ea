import { type BrandFile, isPicture } from '#brand/file.ts'
import { percentDecode } from '#platform/base/text.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { PDF } from '../thumbnails/thumbnail.ts'
import type { Guide } from './guide.ts'
import { pictureLook } from './picture-look.ts'

/**
 * A page whose pictures have their dominant colour behind them until they arrive, and whose first pictures are loaded at
 * once. Classes give the colour, because the policy of pages forbids style attributes: `tint r3 ga b0` is `#33aa00`.
 * A list of guides shows pictures of each.
 */
export async function withDominantColors(guides: readonly Guide[], page: Representation): Promise<Representation> {
  const text = Buffer.from(page.bytes).toString()
  let eager = 0
  const images = Array.from(text.matchAll(IMAGE), async ([tag]) => {
    if (tag.includes(LAZY)) eager += tag.includes(' sizes="') ? LARGE_SHARE : 1
    const loaded = eager <= MAX_EAGER ? tag.replace(LAZY, '') : tag
    const color = await dominantColor(guides, tag)
    if (color === undefined) return loaded
    return CLASSES.test(loaded) ? loaded.replace(CLASSES, `$& ${color}`) : loaded.replace(/>$/, ` class="${color}">`)
  })
  if (images.length === 0) return page
  const changed = (await Promise.all(images)).values()
  return { ...page, bytes: new TextEncoder().encode(text.replace(IMAGE, () => changed.next().value ?? '')) }
}

/** In our pages, quotation marks in values are escaped. */
const IMAGE = /<(?:img|video)\s(?:[^>"]|"[^"]*")*>/g
const CLASSES = / class="[^"]*/
const LAZY = ' loading="lazy"'
/** The first view shows about ten cards, or a few large pictures. */
const [MAX_EAGER, LARGE_SHARE] = [10, 3]

/** The classes of the mean colour of an opaque picture, or of a middle grey if it was not measured; undefined for others. */
async function dominantColor(guides: readonly Guide[], tag: string): Promise<string | undefined> {
  const [, path = '', key = '', name = ''] = SOURCE.exec(tag) ?? []
  const guide = guides.find(({ site, publication }) => site.paths.project(publication.record) === path)
  const file = await guide?.site.downloads.find(guide.publication, key, percentDecode(name) ?? '')
  if (!guide || !file || isIcon(file)) return undefined
  if (file.contentType === PDF) return PAPER
  const mean = (await guide.publication.content.pictures()).get(file.hash)?.pixels?.mean
  if (!mean) return isPicture(file) && (await pictureLook(guide, file)) !== 'transparent' ? UNKNOWN : undefined
  const [r = '', g = '', b = ''] = mean.map(channel => Math.round(channel / 17).toString(16))
  return (mean[3] ?? 0) < MIN_OPACITY ? undefined : `tint r${r} g${g} b${b}`
}

/** The file that an element shows: for a film, its poster. */
const SOURCE = / (?:src(?!.* poster=)|poster)="([^"]*)\/-\/(?:files|thumbnails)\/([\w-]+)\/(?:\d+\/)?([^"/?#]+)"/

/** Small drawings are many, and arrive with the page. */
function isIcon(file: BrandFile): boolean {
  const { width = 0, height = 0 } = (isPicture(file) && file.metadata) || {}
  return file.contentType === 'image/svg+xml' && Math.max(width, height) <= MAX_ICON
}

const MAX_ICON = 96
const UNKNOWN = 'tint r8 g8 b8'
const PAPER = 'tint rf gf bf'

/** An edge of half-transparent pixels does not show the colour behind it. */
const MIN_OPACITY = 250
