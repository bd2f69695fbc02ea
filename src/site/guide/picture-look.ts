import { type BrandFile, isLight, isPicture } from '#brand/file.ts'
import { isLightArtwork, MIN_SHARE, type PictureFacts, type PictureLook } from '#brand/pictures/picture-facts.ts'
import { wordTable } from '#platform/base/text.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { themeOf } from '../theme/guide-theme.ts'

type PictureGuide = { publication: Publication }

/** Whether a picture is probably a photograph, which may be cropped: a drawing, a logo or a board is shown whole. */
export async function isPhotograph(guide: PictureGuide, file: BrandFile): Promise<boolean> {
  if (file.ground !== undefined || (await ownGround(guide, file)) !== undefined) return false
  return (await pictureLook(guide, file)) === 'photograph'
}

/** The one colour along all edges of an opaque picture, as `#` and six hex digits, which continues around it. */
export async function ownGround(guide: PictureGuide, file: BrandFile): Promise<string | undefined> {
  const pixels = await pixelsOf(guide, file)
  return isOpaque(pixels?.mean) ? pixels?.edge : undefined
}

/** What was measured of the pixels of a picture; undefined if it was not measured. */
export async function pixelsOf({ publication }: PictureGuide, { hash }: BrandFile): Promise<PictureFacts['pixels']> {
  return (await publication.content.pictures()).get(hash)?.pixels
}

/**
 * Whether a picture with this mean colour (red, green, blue and opacity, each from 0 to 255) is opaque. The edge of a
 * half-transparent one does not show the colour behind it.
 */
export function isOpaque([, , , opacity = 0]: readonly number[] = []): boolean {
  return opacity >= MIN_OPACITY
}

const MIN_OPACITY = 250

/** The look of a picture, which its type decides if it was not measured. */
export async function pictureLook(
  { publication }: PictureGuide,
  { contentType, hash }: BrandFile,
): Promise<PictureLook> {
  const look = (await publication.content.pictures()).get(hash)?.look
  return look ?? LOOKS.get(contentType) ?? (contentType.startsWith('image/') ? 'transparent' : 'opaque')
}

const LOOKS = wordTable<PictureLook>([['photograph', 'image/avif image/jpeg image/webp']])

/** Artwork that is almost invisible on a page: light on light ones, dark on those of a guide with a dark ground. */
export type Tone = 'light' | 'dark' | 'none'

/**
 * The tone of a transparent picture that needs another ground than the page, unless files.yaml gives one. Its measured
 * pixels decide; its name only helps, or decides for a picture that was not measured.
 */
export async function toneOf(guide: PictureGuide, file: BrandFile): Promise<Tone> {
  if (file.ground !== undefined || !isPicture(file) || (await pictureLook(guide, file)) !== 'transparent') return 'none'
  const { publication } = guide
  const facts = (await publication.content.pictures()).get(file.hash)
  if (!facts?.pixels) return isLight(file) ? 'light' : 'none'
  if (isLightArtwork(facts, file.path)) return 'light'
  // The shares of light and of dark pixels.
  const { light, dark } = facts.pixels
  const isDarkGuide = (await themeOf(publication)).scheme === 'dark'
  return isDarkGuide && dark >= Math.max(MIN_SHARE, DARK_TO_LIGHT * light) ? 'dark' : 'none'
}

/** Dark artwork has at least four times as many dark pixels as light ones. */
const DARK_TO_LIGHT = 4

/**
 * The main colours of a picture that meet its ground, as `#` and six hex digits; none if it brings its own ground, and
 * undefined if it was not measured.
 */
export async function paintsOf(guide: PictureGuide, file: BrandFile): Promise<readonly string[] | undefined> {
  if ((await pictureLook(guide, file)) !== 'transparent') return []
  return (await pixelsOf(guide, file))?.paints
}

/**
 * The class of the ground behind artwork, after `ground-`: the id of a colour, or a plate of the opposite tone that shows
 * it. The two plates start with capitals, which ids of colours never have.
 */
export async function plateOf(guide: PictureGuide, file: BrandFile): Promise<string | undefined> {
  if (isPicture(file) && (await pictureLook(guide, file)) !== 'transparent') return undefined
  return file.ground ?? { light: 'Dark', dark: 'Light', none: undefined }[await toneOf(guide, file)]
}
