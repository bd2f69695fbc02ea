import type { Color } from '#brand/color.ts'
import { type BrandFile, isForPreviews, isVideo } from '#brand/file.ts'
import type { StyleId } from '#brand/ids.ts'
import { type Cover, HOME_PAGE, type Page } from '#brand/page.ts'
import { contrastOf, MIN_LARGE_CONTRAST } from '#brand/styles/contrast.ts'
import { guideName } from '#serving/publications/publications.ts'
import type { Guide } from '../guide/guide.ts'
import { isPhotograph, ownGround, paintsOf } from '../guide/picture-look.ts'
import { type Html, html } from '../html.ts'
import { textDirection } from '../layout/document.ts'
import type { PageCover } from '../layout/layout.ts'
import { colorOf } from '../library/colors/color-list.ts'
import { type GuideTheme, groundOf, type Headed, type Picture, shownPicture, themeOf } from '../theme/guide-theme.ts'
import { coverLook, isDark } from '../theme/palette.ts'
import { filmSize } from '../thumbnails/film-size.ts'
import { hasPng, PNG_SIZES } from '../thumbnails/pngs.ts'
import { fileText } from '../thumbnails/stored-files.ts'
import { pictureSource, shownAddress, widthsOf } from '../thumbnails/thumbnail.ts'
import { posterOf } from './linked-media.ts'

/**
 * The full-width head of a page, on its ground or that of the theme, and next to its cover; undefined if it has neither.
 * The home page without a picture has the guide's logo, and without a ground a dark one.
 */
export async function coverHead(
  guide: Guide,
  page: Headed & { name: string },
  head: Html,
): Promise<PageCover | undefined> {
  const { cover } = page
  const theme = await themeOf(guide.publication)
  const ground = groundOf(page, theme.openers)
  const isOwn = page.id === HOME_PAGE && ground !== page.ground
  const authored = await coverMedia(guide, cover)
  const look = coverLook(ground ?? cover?.color ?? (authored.video ?? authored.picture?.file)?.ground, cover)
  const needsLogo = isOwn || (page.id === HOME_PAGE && cover && !authored.picture && !authored.video)
  const logo = needsLogo ? await logoOn(guide, theme, await colorOf(guide, look.ground)) : undefined
  const media = logo?.picture && isTiny(logo.picture) ? {} : (logo ?? authored)
  const isPictured = media.picture !== undefined || media.video !== undefined
  if (!isPictured && look.ground === undefined && (page.id !== HOME_PAGE || theme.layout === 'docs')) return undefined
  const shape = isPictured ? (cover?.fit === 'behind' ? 'behind' : 'pictured') : look.ground === undefined && 'ink'
  const classes = ['cover', media.video && 'loop', look.classes, shape, page.name.length > MAX_SHORT_TITLE && 'long']
    .filter(Boolean)
    .join(' ')
  const shown = html`<div class="${classes}" id="Content" tabindex="-1"${textDirection(await guide.publication.content.lang())}>
<div>
${(isOwn || shape === 'ink') && page.name !== guideName(guide) && html`<p class="trail">${guideName(guide)}</p>`}${head}</div>
${await coverPicture(guide, page, media)}</div>
`
  return { html: shown, ...(shape !== 'behind' && (await headerGround(guide, theme, look.ground))) }
}

const MAX_SHORT_TITLE = 28

/** Whether a picture is a logo of so few pixels that it would be blurred on a cover. */
function isTiny({ file, width }: Picture): boolean {
  return !/svg/.test(file.contentType) && width < 300
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

/** The version of the logo that is legible on a ground; on a plate if there is none. `sure` is for one of unknown colours. */
async function logoOn(guide: Guide, theme: GuideTheme, ground: Color | undefined, sure = 0): Promise<CoverMedia> {
  const { logo, logoDark } = theme
  const all = [ground && !isDark(ground.hex) && logo, logoDark, ...theme.versions.map(shownPicture)]
  const own = all.find(picture => ground && picture && picture.file.ground === ground.id)
  if (own) return { picture: own }
  for (const picture of all) {
    if (!ground || !picture) continue
    const paints = (await paintsOf(guide, picture.file)) ?? []
    const [usual, min] =
      paints.length > 0 ? [paints, MIN_LARGE_CONTRAST] : [[picture === logo ? '#000000' : '#ffffff'], sure]
    if (usual.every(paint => contrastOf(paint, ground.hex).ratio >= min)) return { picture }
  }
  return { picture: logo ?? logoDark, isPlate: true }
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

/** The title of a page on a card, below its cover or on its ground, if it has one. */
export async function coveredTitle(guide: Guide, page: Page, title: Html): Promise<Html> {
  const { ground, image } = await coverOnCard(guide, page)
  const classes = ground === undefined ? '' : ` ground-${ground}`
  if (image) return html`<span class="face${classes}">${image}</span>${title}`
  return ground === undefined ? title : html`<span class="face titled${classes}">${title}</span>`
}

/**
 * The face of a guide on a card outside it: the cover of its home page, else its logo or the first letter of its name, on
 * a ground that is drawn, because the guide's style sheet is not loaded. Undefined if it has neither cover nor theme.
 */
export async function guideFace(guide: Guide, home: Page | undefined): Promise<Html | undefined> {
  const cover = home && (await coverOnCard(guide, home))
  const ground = await colorOf(guide, cover?.ground)
  if (!cover?.image) return drawnFace(guide, ground)
  return html`<span class="face">${ground && drawing(ground.hex)}${cover.image}</span>`
}

/** The ground of a page on a card, and its picture. A film without a poster shows its first frame. */
async function coverOnCard(guide: Guide, page: Page): Promise<{ ground: StyleId | undefined; image?: Html }> {
  const { picture, video } = await coverMedia(guide, page.cover)
  const ground = page.ground ?? page.cover?.color ?? (picture?.file ?? video)?.ground
  if (picture) return { ground, image: await thumbImage(guide, page, picture) }
  if (!video) return { ground }
  const src = guide.site.paths.file(guide.publication.record, video)
  const image = html`<video src="${src}" class="fill${focusOf(page)}" muted playsinline preload="none" tabindex="-1" aria-hidden="true"></video>`
  return { ground, image }
}

/** The logo for this ground, by default that of light pages; otherwise a letter. */
async function drawnFace(guide: Guide, ground: Color | undefined): Promise<Html | undefined> {
  const { site, publication } = guide
  const { hasTheme, light, logo, logoDark, lettersOn } = await themeOf(publication)
  if (!ground && !hasTheme) return undefined
  const mark = isDark(ground?.hex ?? light.ground) ? logoDark : logo
  if (mark)
    return html`<span class="face">${drawing(ground?.hex ?? light.surface)}<img src="${shownAddress(publication.record, mark.file, site.paths)}" width="${mark.width}" height="${mark.height}" alt="" loading="lazy" decoding="async"></span>`
  const [letter] = publication.published.name
  const text = html`<text x="1.25rem" y="88%" fill="${ground ? lettersOn(ground) : light.onAccent}">${letter}</text>`
  return html`<span class="face">${drawing(ground?.hex ?? light.accent, text)}</span>`
}

function drawing(hex: string, text?: Html): Html {
  return html`<svg aria-hidden="true"><rect fill="${hex}"/>${text}</svg>`
}

/** On a card, only photographs are cropped: the logo in a cover that fills its frame is whole. */
async function thumbImage(guide: Guide, page: Page, { file, width, height }: Picture): Promise<Html> {
  const isCropped = page.cover?.fit !== 'whole' && (await isPhotograph(guide, file))
  return html`<img ${pictureSource(guide, file)} width="${width}" height="${height}" alt=""${isCropped && html` class="fill${focusOf(page)}"`} loading="lazy" decoding="async">`
}

/** The picture of a cover, or its video with the picture that stands for it. */
type CoverMedia = { picture?: Picture | undefined; video?: BrandFile | undefined; isPlate?: boolean }

/** The files of a cover. A picture of the same name stands for a video until it plays. */
export async function coverMedia({ publication }: Pick<Guide, 'publication'>, cover?: Cover): Promise<CoverMedia> {
  if (cover?.file === undefined) return {}
  const files = await publication.content.files()
  const file = files.get(cover.file)
  if (!file || !isVideo(file)) return { picture: shownPicture(file) }
  return { video: file, picture: shownPicture(posterOf(files, file)) }
}

async function coverPicture(
  guide: Guide,
  page: Headed,
  { picture, video, isPlate }: CoverMedia,
): Promise<Html | undefined> {
  const { site, publication, words } = guide
  if (!video) {
    if (!picture) return undefined
    const srcset = widthsOf(guide, picture.file)
    const hasGround = (await ownGround(guide, picture.file)) !== undefined
    const fit = isPlate ? 'plate' : fitOf(page, picture.file, hasGround)
    const sizes = page.cover?.fit === 'behind' ? '100vw' : fit ? FILLING_SIZES : WHOLE_SIZES
    return html`<img src="${shownAddress(publication.record, picture.file, site.paths)}"${srcset && html` srcset="${srcset}" sizes="${sizes}"`} width="${picture.width}" height="${picture.height}" alt="${picture.description || (picture.file.path !== page.cover?.file && guideName(guide))}"${fit !== '' && html` class="${fit}"`} fetchpriority="high">\n`
  }
  const size = (await filmSize(guide, video)) ?? picture
  const sides = size && html` width="${size.width}" height="${size.height}"`
  const fit = fitOf(page, video)
  const poster = picture && html` poster="${shownAddress(publication.record, picture.file, site.paths)}"`
  // Without the script, and for readers who want less motion, it stays paused and has the controls of the browser.
  return html`<video src="${site.paths.file(publication.record, video)}"${poster}${sides}${fit !== '' && html` class="${fit}"`} aria-label="${words.files.uses.media.video}" preload="${picture ? 'none' : 'metadata'}" muted loop playsinline controls></video><button type="button" class="pause" aria-pressed="false" hidden>${words.pages.pause}</button>\n`
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

function focusOf({ cover }: Pick<Page, 'cover'>): string {
  return cover?.focus ? ` focus-${cover.focus.join('-')}` : ''
}

const FILLING = /^(?:video\/|image\/(?:avif|jpeg)$)/
