import type { Color } from '#brand/color.ts'
import { isForPreviews } from '#brand/file.ts'
import { contrastOf, MIN_LARGE_CONTRAST } from '#brand/styles/contrast.ts'
import { colorOf } from '../guide/color-list.ts'
import type { Guide } from '../guide/guide.ts'
import { paintsOf, pixelsOf } from '../guide/picture-look.ts'
import { type GuideTheme, groundOf, type Headed, type Picture, shownPicture, themeOf } from '../theme/guide-theme.ts'
import { isDark } from '../theme/palette.ts'
import { hasPng, PNG_SIZES } from '../thumbnails/pngs.ts'
import { fileText } from '../thumbnails/stored-files.ts'
import { shownAddress } from '../thumbnails/thumbnail.ts'

/** A logo, and whether it needs a plate behind it. */
export type LegibleLogo = { picture?: Picture | undefined; isPlate?: boolean }

/**
 * The version of the logo that is legible on a ground; on a plate if there is none. `sure` is the contrast with black or
 * white at which one of unknown colours is legible.
 */
export async function logoOn(
  guide: Guide,
  { logo, logoDark, versions }: GuideTheme,
  ground: Color | undefined,
  sure = 0,
): Promise<LegibleLogo> {
  const onPlate = { picture: logo ?? logoDark, isPlate: true }
  if (!ground) return onPlate
  const candidates = [isDark(ground.hex) ? undefined : logo, logoDark, ...versions.map(shownPicture)]
  const pictures = candidates.filter(picture => picture !== undefined)
  const madeForGround = pictures.find(({ file }) => file.ground === ground.id)
  if (madeForGround) return { picture: madeForGround }
  for (const picture of pictures) {
    const usual = picture === logo ? '#000000' : '#ffffff'
    if (await isLegible(guide, picture, ground, { usual, sure })) return { picture }
  }
  return onPlate
}

/** Whether all colours of a picture are legible on a ground. One that was not measured probably has the usual colour. */
async function isLegible(
  guide: Guide,
  { file }: Picture,
  ground: Color,
  { usual, sure }: { usual: string; sure: number },
): Promise<boolean> {
  const paints = (await paintsOf(guide, file)) ?? []
  const ratioOf = (paint: string) => contrastOf(paint, ground.hex).ratio
  if (paints.length === 0) return ratioOf(usual) >= sure
  return paints.every(paint => ratioOf(paint) >= MIN_LARGE_CONTRAST)
}

/** Whether a logo is legible on a page of this colour: all its colours are, or it has its own ground. */
export async function standsOut(guide: Guide, { file }: Picture, ground: string): Promise<boolean> {
  if ((await pixelsOf(guide, file))?.edge !== undefined) return true
  const paints = await paintsOf(guide, file)
  return paints?.every(paint => contrastOf(paint, ground).ratio >= MIN_LARGE_CONTRAST) ?? false
}

/** The address of the logo as a picture that messengers can show, on the ground of the page if it is legible there. */
export async function logoPreview(guide: Guide, page: Headed): Promise<string | undefined> {
  const { site, publication } = guide
  const theme = await themeOf(publication)
  const ground = await colorOf(guide, groundOf(page, theme.openers) ?? page.cover?.color)
  const { picture, isPlate } = await logoOn(guide, theme, ground)
  const file = picture?.file
  if (isForPreviews(file)) return shownAddress(publication.record, file, site.urls)
  const { isDrawable } = await import('../thumbnails/drawable-svg.ts')
  if (!file || !hasPng(file) || !isDrawable(await fileText(guide, file).catch(() => ''))) return undefined
  const query = ground && !isPlate ? `&ground=${ground.hex.slice(1)}` : ''
  return `${site.urls.png(publication.record, file)}?width=${PNG_SIZES[1]}${query}`
}
