import type { Color } from '#brand/color.ts'
import type { StyleId } from '#brand/ids.ts'
import type { Page } from '#brand/page.ts'
import { treeHtml } from '../cards/element.ts'
import { faceOf } from '../cards/link-card.ts'
import { colorOf } from '../guide/color-list.ts'
import type { Guide } from '../guide/guide.ts'
import { isPhotograph } from '../guide/picture-look.ts'
import { type Html, html } from '../html.ts'
import { coverMedia, focusOf } from '../layout/cover-media.ts'
import { coverGround, type Picture, themeOf } from '../theme/guide-theme.ts'
import { isDark } from '../theme/palette.ts'
import { pictureSource, shownAddress } from '../thumbnails/thumbnail.ts'

/** The title of a page on a card, below its cover or subject, or on its ground, if it has one. */
export async function coveredTitle(guide: Guide, page: Page, title: Html): Promise<Html> {
  const { ground, image } = await coverOnCard(guide, page)
  const classes = ground === undefined ? '' : ` ground-${ground}`
  if (image) return html`<span class="face${classes}">${image}</span>${title}`
  if (ground === undefined) return title
  // The search, which a service loads at its start, has cards, too.
  const { pageSubject } = await import('./page-subject.ts')
  const subject = await pageSubject(guide, page)
  return subject
    ? html`<span class="face">${faceOf(subject).map(treeHtml)}</span>${title}`
    : html`<span class="face titled${classes}">${title}</span>`
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
  const ground = coverGround(page, picture?.file ?? video)
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
  const paints = ground
    ? { page: ground.hex, behindLogo: ground.hex, behindLetter: ground.hex, letter: lettersOn(ground) }
    : { page: light.ground, behindLogo: light.surface, behindLetter: light.accent, letter: light.onAccent }
  const mark = isDark(paints.page) ? logoDark : logo
  if (mark)
    return html`<span class="face">${drawing(paints.behindLogo)}<img src="${shownAddress(publication.record, mark.file, site.paths)}" width="${mark.width}" height="${mark.height}" alt="" loading="lazy" decoding="async"></span>`
  const [letter] = publication.published.name
  const text = html`<text x="1.25rem" y="88%" fill="${paints.letter}">${letter}</text>`
  return html`<span class="face">${drawing(paints.behindLetter, text)}</span>`
}

function drawing(hex: string, text?: Html): Html {
  return html`<svg aria-hidden="true"><rect fill="${hex}"/>${text}</svg>`
}

/** On a card, only photographs are cropped: the logo in a cover that fills its frame is whole. */
async function thumbImage(guide: Guide, page: Page, { file, width, height }: Picture): Promise<Html> {
  const isCropped = page.cover?.fit !== 'whole' && (await isPhotograph(guide, file))
  return html`<img ${pictureSource(guide, file)} width="${width}" height="${height}" alt=""${isCropped && html` class="fill${focusOf(page)}"`} loading="lazy" decoding="async">`
}
