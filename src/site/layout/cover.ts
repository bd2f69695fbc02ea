import type { BrandFile } from '#brand/file.ts'
import type { StyleId } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { guideName } from '#serving/publications/publications.ts'
import { colorOf } from '../guide/color-list.ts'
import type { Guide } from '../guide/guide.ts'
import { ownGround } from '../guide/picture-look.ts'
import { attribute, type Html, html } from '../html.ts'
import { coverGround, type GuideTheme, groundOf, type Headed, type Picture, themeOf } from '../theme/guide-theme.ts'
import { coverLook } from '../theme/palette.ts'
import { filmSize } from '../thumbnails/film-size.ts'
import { shownAddress, widthsOf } from '../thumbnails/thumbnail.ts'
import { type CoverMedia, coverMedia, fileOf, focusOf } from './cover-media.ts'
import type { HeadGround } from './header.ts'
import { logoOn } from './legible-logo.ts'

/** The head of a page across the window. */
export type PageCover = HeadGround & { html: Html }

/**
 * The full-width head of a page, on its ground or that of the theme, and next to its cover; undefined if it has neither.
 * The home page without a picture has the guide's logo, and without a ground a dark one.
 */
export async function coverHead(
  guide: Guide,
  page: Headed & { name: string },
  { head, direction }: { head: Html; direction: Html | undefined },
): Promise<PageCover | undefined> {
  const { cover } = page
  const theme = await themeOf(guide.publication)
  const ground = groundOf(page, theme.openers)
  const isThemed = page.id === HOME_PAGE && ground !== page.ground
  const authorsMedia = await coverMedia(guide, cover)
  const look = coverLook(coverGround({ ground, cover }, fileOf(authorsMedia)), cover)
  const needsLogo = isThemed || (page.id === HOME_PAGE && cover && !fileOf(authorsMedia))
  const media = needsLogo ? await logoMedia(guide, theme, look.ground) : authorsMedia
  const shape = shapeOf(page, theme, { ground: look.ground, isPictured: fileOf(media) !== undefined })
  if (shape === undefined) return undefined
  const classes = ['cover', media.video && 'loop', look.classes, shape].filter(Boolean).join(' ')
  const isTrail = (isThemed || shape === 'ink') && page.name !== guideName(guide)
  const shown = html`<div class="${classes}" id="Content" tabindex="-1"${direction}>
<div>
${isTrail && html`<p class="trail">${guideName(guide)}</p>`}${head}</div>
${await mediaHtml(guide, page, media)}</div>
`
  return { html: shown, ...(shape !== 'behind' && (await headerGround(guide, theme, look.ground))) }
}

/** The logo as a cover; none of so few pixels that it would be blurred. */
async function logoMedia(guide: Guide, theme: GuideTheme, ground: StyleId | undefined): Promise<CoverMedia> {
  const logo = await logoOn(guide, theme, await colorOf(guide, ground))
  return logo.picture && isTiny(logo.picture) ? {} : logo
}

function isTiny({ file, width }: Picture): boolean {
  return !file.contentType.includes('svg') && width < 300
}

/**
 * The class of a head: `behind` or `pictured` with a picture, empty with only a ground, and `ink` for a dark one, which only
 * home pages have. Undefined for a page without a head.
 */
function shapeOf(
  { id, cover }: Headed,
  { layout }: GuideTheme,
  { ground, isPictured }: { ground: StyleId | undefined; isPictured: boolean },
): 'behind' | 'pictured' | '' | 'ink' | undefined {
  if (isPictured) return cover?.fit === 'behind' ? 'behind' : 'pictured'
  if (ground !== undefined) return ''
  return id === HOME_PAGE && layout !== 'docs' ? 'ink' : undefined
}

/** The ground of a cover if the header lies on it, and the logo there. Undefined if no logo is legible. */
async function headerGround(guide: Guide, theme: GuideTheme, id: StyleId | undefined) {
  if (id === undefined || theme.layout === 'docs' || !theme.grounds.has(id)) return undefined
  const { picture, isPlate } = await logoOn(guide, theme, await colorOf(guide, id), SURE_CONTRAST)
  if (picture && isPlate) return undefined
  return { ground: id, logo: picture }
}

/** The contrast of a ground with black or white at which all colours of a logo for light or dark pages are legible. */
const SURE_CONTRAST = 10

async function mediaHtml(
  guide: Guide,
  page: Headed,
  { picture, video, isPlate }: CoverMedia,
): Promise<Html | undefined> {
  if (video) return filmHtml(guide, page, video, picture)
  return picture && pictureHtml(guide, page, picture, isPlate)
}

async function pictureHtml(
  guide: Guide,
  page: Headed,
  { file, width, height, description }: Picture,
  isPlate = false,
): Promise<Html> {
  const { site, publication } = guide
  const { cover } = page
  const srcset = widthsOf(guide, file)
  const hasGround = (await ownGround(guide, file)) !== undefined
  const fit = isPlate ? 'plate' : fitOf(page, file, hasGround)
  const sizes = cover?.fit === 'behind' ? '100vw' : fit ? FILLING_SIZES : WHOLE_SIZES
  const usualText = file.path === cover?.file ? '' : guideName(guide)
  return html`<img src="${shownAddress(publication.record, file, site.paths)}"${srcset && html` srcset="${srcset}" sizes="${sizes}"`} width="${width}" height="${height}" alt="${description || usualText}"${attribute('class', fit)} fetchpriority="high">\n`
}

async function filmHtml(guide: Guide, page: Headed, video: BrandFile, picture: Picture | undefined): Promise<Html> {
  const { site, publication, words } = guide
  const size = (await filmSize(guide, video)) ?? picture
  const sides = size && html` width="${size.width}" height="${size.height}"`
  const poster = picture && shownAddress(publication.record, picture.file, site.paths)
  const preload = picture ? 'none' : 'metadata'
  // Without the script, and for readers who want less motion, it stays paused and has the controls of the browser.
  return html`<video src="${site.paths.file(publication.record, video)}"${attribute('poster', poster)}${sides}${attribute('class', fitOf(page, video))} aria-label="${words.files.uses.media.video}" preload="${preload}" muted loop playsinline controls></video><button type="button" class="pause" aria-pressed="false" hidden>${words.pages.pause}</button>\n`
}

/** The widths in `cover.css`. */
const FILLING_SIZES = '(min-width: 60rem) max(50vw, 48rem), 100vw'
const WHOLE_SIZES = '(min-width: 60rem) min(40vw, 34rem), min(100vw, 26rem)'

/**
 * Photographs and videos fill their frame; other pictures are shown whole, unless the cover says otherwise. Neither the
 * shape nor the name of a file shows reliably that it is a logo, which must not be cropped.
 */
function fitOf(page: Headed, { contentType }: BrandFile, hasGround = false): string {
  const { fit } = page.cover ?? {}
  const isFilling = fit === undefined ? FILLING.test(contentType) && !hasGround : fit !== 'whole'
  return `${isFilling ? 'fill' : ''}${focusOf(page)}`.trim()
}

const FILLING = /^(?:video\/|image\/(?:avif|jpeg)$)/
