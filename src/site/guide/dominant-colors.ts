import { type BrandFile, isPicture } from '#brand/file.ts'
import { percentDecode } from '#platform/base/text.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { pictureLook } from '../thumbnails/photograph.ts'
import { isMeasurable, MAX_FIRST_WAIT_MS, outlineInTime } from './artwork-tone.ts'
import type { Guide } from './guide.ts'

/**
 * A page whose pictures have their dominant colour behind them until they arrive, and whose first pictures are loaded at
 * once. Classes give the colour, because the policy of pages forbids style attributes: `tint r3 ga b0` is `#33aa00`.
 * A list of guides shows pictures of each.
 */
export async function withDominantColors(guides: readonly Guide[], page: Representation): Promise<Representation> {
  const text = Buffer.from(page.bytes).toString()
  let eager = 0
  const images = Array.from(text.matchAll(IMAGE), async ([tag], at) => {
    if (tag.includes(LAZY)) eager += tag.includes(' sizes="') ? LARGE_SHARE : 1
    const isFirst = eager <= MAX_EAGER
    const loaded = isFirst ? tag.replace(LAZY, '') : tag
    const color = at < MAX_MEASURED ? await dominantColor(guides, tag, isFirst) : undefined
    if (color === undefined) return loaded
    return CLASSES.test(loaded) ? loaded.replace(CLASSES, `$& ${color}`) : loaded.replace(/>$/, ` class="${color}">`)
  })
  if (images.length === 0) return page
  const changed = (await Promise.all(images)).values()
  const made = { ...page, bytes: new TextEncoder().encode(text.replace(IMAGE, () => changed.next().value ?? '')) }
  return guides.some(({ patience }) => patience?.isOver) ? { ...made, keptMs: INCOMPLETE_MS } : made
}

/** An incomplete page is soon made again. */
const INCOMPLETE_MS = 1000

/** In our pages, quotation marks in values are escaped. */
const IMAGE = /<(?:img|video)\s(?:[^>"]|"[^"]*")*>/g
const CLASSES = / class="[^"]*/
const LAZY = ' loading="lazy"'
const MAX_MEASURED = 300
/** The first view shows about ten cards, or a few large pictures. */
const [MAX_EAGER, LARGE_SHARE] = [10, 3]

/** The classes of the mean colour of an opaque picture, or of a middle grey if it is not known; undefined for others. */
async function dominantColor(guides: readonly Guide[], tag: string, isFirst: boolean): Promise<string | undefined> {
  const [, path = '', key = '', name = ''] = SOURCE.exec(tag) ?? []
  const guide = guides.find(({ site, publication }) => site.paths.project(publication.record) === path)
  const file = await guide?.site.downloads.find(guide.publication, key, percentDecode(name) ?? '')
  if (!guide || !file || isIcon(file)) return undefined
  const isMeasured = isMeasurable(file)
  const { mean } = (isMeasured && (await outlineInTime(guide, file, isFirst ? MAX_FIRST_WAIT_MS : undefined))) || {}
  if (!mean)
    return (isMeasured || isPicture(file)) && (await pictureLook(guide, file)) !== 'transparent' ? UNKNOWN : undefined
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

/** An edge of half-transparent pixels does not show the colour behind it. */
const MIN_OPACITY = 250
