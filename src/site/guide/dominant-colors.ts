import { type BrandFile, isPicture, pictureMetadata } from '#brand/file.ts'
import { groupsOf, percentDecode } from '#platform/base/text.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { PDF } from '../thumbnails/thumbnail.ts'
import type { Guide } from './guide.ts'
import { isOpaque, ownGround, pictureLook, pixelsOf } from './picture-look.ts'

/**
 * A page whose pictures have their dominant colour behind them until they arrive, and whose first pictures are loaded at
 * once. Classes give the colour, because the policy of pages forbids style attributes: `tint r3 u1 g10 v0 b0 w15` is `#31a00f`.
 * A list of guides shows pictures of each.
 */
export async function withDominantColors(guides: readonly Guide[], page: Representation): Promise<Representation> {
  const text = Buffer.from(page.bytes).toString()
  const withLoading = openFirstView()
  const images = Array.from(text.matchAll(IMAGE), async ([tag]) => {
    const loaded = withLoading(tag)
    return withClasses(loaded, await dominantColor(guides, tag))
  })
  if (images.length === 0) return page
  const changed = (await Promise.all(images)).values()
  return { ...page, bytes: new TextEncoder().encode(text.replace(IMAGE, () => changed.next().value ?? '')) }
}

/** A tag of a picture or film. In our pages, quotation marks in values are escaped. */
const IMAGE = /<(?:img|video)\s(?:[^>"]|"[^"]*")*>/g

/** Makes the pictures of the first view load at once: about ten cards, or a few large pictures. Call it in page order. */
function openFirstView(): (tag: string) => string {
  let share = 0
  return tag => {
    if (!tag.includes(LAZY)) return tag
    share += tag.includes(' sizes="') ? LARGE_SHARE : 1
    return share <= FIRST_VIEW ? tag.replace(LAZY, '') : tag
  }
}

const LAZY = ' loading="lazy"'
/** The number of cards in the first view, and the number that a large picture counts as. */
const FIRST_VIEW = 10
const LARGE_SHARE = 3

function withClasses(tag: string, classes: string | undefined): string {
  if (classes === undefined) return tag
  return CLASSES.test(tag) ? tag.replace(CLASSES, `$& ${classes}`) : tag.replace(/>$/, ` class="${classes}">`)
}

const CLASSES = / class="[^"]*/

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
  const mean = (await pixelsOf(guide, file))?.mean
  if (mean) return isOpaque(mean) ? tint(hexOf(mean)) : undefined
  const isProbablyOpaque = isPicture(file) && (await pictureLook(guide, file)) !== 'transparent'
  return isProbablyOpaque ? UNKNOWN : undefined
}

/** The hex digits of the red, green and blue in a mean colour. */
function hexOf(mean: readonly number[]): string {
  const channels = mean.slice(0, 3).map(Math.round)
  return Buffer.from(channels).toString('hex')
}

/** The classes of a colour, one for each of its six hex digits: `tint r3 u1 g10 v0 b0 w15` for `#31a00f`. */
function tint(hex: string): string {
  const digits = Array.from(hex.replace('#', ''), (digit, at) => `${CHANNELS[at]}${Number.parseInt(digit, 16)}`)
  return `tint ${digits.join(' ')}`
}

/** The letters of the classes for the two digits of red, of green and of blue. */
const CHANNELS = 'rugvbw'

/** The file that an element shows: its `src` unless it has a poster, else the poster. Groups: guide, key and file name. */
const SOURCE = / (?:src(?==)(?!.* poster=)|poster)="([^"]*)\/-\/(?:files|thumbnails)\/([\w-]+)\/(?:\d+\/)?([^"/?#]+)"/

/** Small drawings are many, and arrive with the page. */
function isIcon(file: BrandFile): boolean {
  const { width = 0, height = 0 } = pictureMetadata(file)
  return file.contentType === 'image/svg+xml' && Math.max(width, height) <= MAX_ICON
}

/** In pixels. */
const MAX_ICON = 96
const UNKNOWN = tint('888888')
const PAPER = tint('ffffff')
