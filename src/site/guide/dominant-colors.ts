import type { BrandFile } from '../../brand/file.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import { hasPng } from '../thumbnails/pngs.ts'
import { isMeasurable, outlineInTime } from './artwork-tone.ts'
import type { Guide } from './guide.ts'

/**
 * A page whose pictures have their dominant colour behind them until they arrive, and whose first pictures are loaded at
 * once. Classes give the colour, because the policy of pages forbids style attributes: `tint r3 ga b0` is `#33aa00`.
 */
export async function withDominantColors(
  guide: Guide,
  page: Representation,
  maxEager = MAX_EAGER,
): Promise<Representation> {
  const text = Buffer.from(page.bytes).toString()
  const tags = [...text.matchAll(IMAGE)].map(([tag]) => tag)
  if (tags.length === 0) return page
  const colors = new Map<string, string | undefined>()
  await Promise.all(
    [...new Set(tags)].slice(0, MAX_MEASURED).map(async tag => {
      const file = await fileOf(guide, tag)
      if (file) colors.set(tag, await dominantColor(guide, file))
    }),
  )
  let eager = 0
  const changed = text.replace(IMAGE, tag => {
    const color = colors.get(tag)
    if (tag.includes(LAZY)) eager += tag.includes(' sizes="') ? LARGE_SHARE : 1
    const loaded = eager <= maxEager ? tag.replace(LAZY, '') : tag
    if (color === undefined) return loaded
    const isClassed = CLASSES.test(loaded)
    return isClassed ? loaded.replace(CLASSES, `$& ${color}`) : loaded.replace(/>$/, ` class="${color}">`)
  })
  const made = { ...page, bytes: new TextEncoder().encode(changed) }
  return guide.patience?.isOver ? { ...made, keptMs: INCOMPLETE_MS } : made
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

/** The picture of the project that an element shows: for a film, its poster. Drawings arrive with the page. */
async function fileOf({ site, publication }: Guide, tag: string): Promise<BrandFile | undefined> {
  const [, path = '', key = '', name = ''] = SOURCE.exec(tag) ?? []
  const isOwn = path === site.paths.project(publication.record)
  const file = !isOwn ? undefined : await site.downloads.find(publication, key, decodeURIComponent(name))
  return file && isMeasurable(file) && !hasPng(file) ? file : undefined
}

const SOURCE = / (?:src(?!.* poster=)|poster)="([^"]*)\/-\/(?:files|thumbnails)\/([\w-]+)\/(?:\d+\/)?([^"/?#]+)"/

/** The classes of the mean colour of an opaque picture; undefined if it is not known in time. */
async function dominantColor(guide: Guide, file: BrandFile): Promise<string | undefined> {
  const [red = 0, green = 0, blue = 0, opacity = 0] = (await outlineInTime(guide, file))?.mean ?? []
  const [r, g, b] = [red, green, blue].map(channel => Math.round(channel / 17).toString(16))
  return opacity < MIN_OPACITY ? undefined : `tint r${r} g${g} b${b}`
}

/** An edge of half-transparent pixels does not show the colour behind it. */
const MIN_OPACITY = 250
