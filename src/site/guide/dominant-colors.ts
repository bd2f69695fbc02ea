import { type BrandFile, isPicture } from '#brand/file.ts'
import { groupsOf, percentDecode } from '#platform/base/text.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { PDF } from '../thumbnails/thumbnail.ts'
import type { Guide } from './guide.ts'
import { isOpaque, ownGround, pictureLook } from './picture-look.ts'

/**
 * A page whose pictures have their dominant colour behind them until they arrive, and whose first pictures are loaded at
 * once. Classes give the colour, because the policy of pages forbids style attributes: `tint r3 u1 g10 v0 b0 w15` is `#31a00f`.
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

/** The classes of an opaque picture: of its own ground, else of its mean colour, or of a middle grey if it was not measured. */
async function dominantColor(guides: readonly Guide[], tag: string): Promise<string | undefined> {
  const [, path = '', key = '', name = ''] = groupsOf(SOURCE, tag)
  const guide = guides.find(({ site, publication }) => site.paths.project(publication.record) === path)
  const file = await guide?.site.downloads.find(guide.publication, key, percentDecode(name) ?? '')
  if (!guide || !file) return undefined
  const own = await ownGround(guide, file)
  if (own !== undefined) return `${tint(own)} even`
  if (isIcon(file)) return undefined
  if (file.contentType === PDF) return PAPER
  const mean = (await guide.publication.content.pictures()).get(file.hash)?.pixels?.mean
  if (!mean) return isPicture(file) && (await pictureLook(guide, file)) !== 'transparent' ? UNKNOWN : undefined
  return isOpaque(mean) ? tint(Buffer.from(mean.slice(0, 3).map(Math.round)).toString('hex')) : undefined
}

function tint(hex: string): string {
  const digits = Array.from(hex.replace('#', ''), (digit, at) => `${CHANNELS[at]}${Number.parseInt(digit, 16)}`)
  return `tint ${digits.join(' ')}`
}

const CHANNELS = 'rugvbw'

/** The file that an element shows: for a film, its poster. */
const SOURCE = / (?:src(?==)(?!.* poster=)|poster)="([^"]*)\/-\/(?:files|thumbnails)\/([\w-]+)\/(?:\d+\/)?([^"/?#]+)"/

/** Small drawings are many, and arrive with the page. */
function isIcon(file: BrandFile): boolean {
  const { width = 0, height = 0 } = (isPicture(file) && file.metadata) || {}
  return file.contentType === 'image/svg+xml' && Math.max(width, height) <= MAX_ICON
}

const MAX_ICON = 96
const UNKNOWN = tint('888888')
const PAPER = tint('ffffff')
