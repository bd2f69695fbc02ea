import { setTimeout as sleep } from 'node:timers/promises'
import { type BrandFile, isCalledLight, isLight, isPicture } from '#brand/file.ts'
import { libraryOf } from '#serving/publications/library.ts'
import { themeOf } from '../theme/guide-theme.ts'
import type { Outline } from '../thumbnails/outlines.ts'
import { pictureLook } from '../thumbnails/photograph.ts'
import { hasPng } from '../thumbnails/pngs.ts'
import { type FileSource, fileText } from '../thumbnails/stored-files.ts'
import { firstPictures } from '../thumbnails/thumbnails.ts'
import type { Guide } from './guide.ts'

/** Artwork that is almost invisible on a page: light on light ones, dark on those of a guide with a dark ground. */
export type Tone = 'light' | 'dark'

/**
 * The tone of a transparent picture that needs another ground than the page, unless files.yaml gives one. Its pixels
 * decide; its name only helps, or decides for a picture that cannot be drawn. It is no part of the snapshot, so that an
 * import stays as fast, and equal content keeps its hash.
 */
export async function toneOf(guide: MeasuredGuide, file: BrandFile): Promise<Tone | undefined> {
  if (file.ground !== undefined || !isPicture(file) || (await pictureLook(guide, file)) !== 'transparent')
    return undefined
  const isDarkGuide = (await themeOf(guide.publication)).scheme === 'dark'
  // A page is complete even if a file is damaged.
  const readSvg = () => fileText(guide, file).catch(() => '')
  if (!isDarkGuide && hasPng(file) && !LIGHT_COLOR.test(await readSvg())) return undefined
  const outline = isMeasurable(file) ? await outlineInTime(guide, file) : undefined
  if (!outline) return isLight(file) ? 'light' : undefined
  const { light, dark } = outline
  if (light >= (isCalledLight(file) ? MIN_NAMED : MIN_SHARE) && light >= 4 * dark) return 'light'
  return isDarkGuide && dark >= MIN_SHARE && dark >= 4 * light ? 'dark' : undefined
}

/**
 * The main colours of a picture that meet its ground, as `#` and six hex digits; none if it brings its own ground, and
 * undefined if they are not known, or not in time.
 */
export async function paintsOf(guide: MeasuredGuide, file: BrandFile): Promise<readonly string[] | undefined> {
  if ((await pictureLook(guide, file)) !== 'transparent') return []
  return isMeasurable(file) ? (await outlineInTime(guide, file, MAX_FIRST_WAIT_MS))?.paints : undefined
}

/** The parts of a guide whose pictures are measured. */
type MeasuredGuide = FileSource & Pick<Guide, 'publication' | 'patience'> & { site: Pick<Guide['site'], 'outlines'> }

/** Waits only a moment for all pictures of a reply, which are measured nevertheless. */
export async function outlineInTime(
  { site, publication, patience }: MeasuredGuide,
  file: BrandFile,
  maxWaitMs = MAX_WAIT_MS,
): Promise<Outline | undefined> {
  const measured = site.outlines(publication.record.workspace, file).catch(() => LATE)
  if (patience) patience.began ??= performance.now()
  const waitMs = slow.has(file) ? MAX_WAIT_MS : maxWaitMs
  const leftMs = Math.max(0, (patience?.began ?? 0) + waitMs - performance.now())
  // One that is known comes before the timer, also when the time is over.
  const outline = await (patience ? Promise.race([measured, sleep(leftMs, LATE, { ref: false })]) : measured)
  if (outline !== LATE) return outline
  if (patience) patience.isOver = true
  if (maxWaitMs > MAX_WAIT_MS) slow.add(file)
  return undefined
}

/** Pictures for which readers waited once; they never wait as long again. */
const slow = new WeakSet<BrandFile>()

const LATE = 'late' as const
const MAX_WAIT_MS = 1000
/** For what readers see first. Longer than a new process takes to measure its first picture. */
export const MAX_FIRST_WAIT_MS = 20_000

/** Measures the pictures that readers see first, then all on pages, then more of the library. */
export async function prepareTones(guides: readonly Guide[]): Promise<void> {
  for (const each of guides) {
    const guide = { ...each, patience: undefined }
    const { content } = guide.publication
    const { home, covers, library } = await firstPictures(guide.publication)
    const all = await content.files()
    const links = [...(await content.pages()).values()].flatMap(page => page.links)
    const linked = links.flatMap(({ to }) => all.get(to.file ?? '') ?? [])
    const listed = (await libraryOf(content)).files.values().filter(isMeasurable).take(MAX_LISTED)
    for (const file of new Set([...home, ...covers, ...library, ...linked, ...listed])) {
      await toneOf(guide, file)
      if (isMeasurable(file)) await outlineInTime(guide, file)
    }
  }
}

const MAX_LISTED = 200

/** Whether the pixels of a picture, or of the first page of a PDF, can be measured within our limits. */
export function isMeasurable(file: BrandFile): boolean {
  const { width = 0, height = 0 } = (isPicture(file) && file.metadata) || {}
  const isSmall = file.size <= 32 << 20 && width * height <= 64 << 20
  return hasPng(file) || (isSmall && /^(?:image\/(?:a?png|gif|jpeg|webp)|application\/pdf)$/.test(file.contentType))
}

/** In percent of the outline. */
const MIN_SHARE = 40
const MIN_NAMED = 15

/** Without any of these, an SVG has no light part, and need not be drawn. */
const LIGHT_COLOR =
  /#[4-f][c-f][\da-f]{1,2}(?![\da-f])|#[4-f][\da-f][c-f][\da-f]{3}|white|snow|ivory|azure|linen|beige|lavender|light|silver|gainsboro|seashell|honeydew|mint|lace|lemon|corn|alice|whip|almond|bisque|wheat|peach|moccasin|rose|pale|yellow|image|filter|(?:rgba?|hsla?|hwb|lab|lch|color)\(/i

/** The class of the ground behind a picture, after `ground-`: the id of a colour, or a plate that shows its artwork. */
export async function plateOf(guide: Guide, file: BrandFile): Promise<string | undefined> {
  return file.ground ?? { light: 'Dark', dark: 'Light', none: undefined }[(await toneOf(guide, file)) ?? 'none']
}
