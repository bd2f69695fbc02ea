import type { Page } from '../../brand/page.ts'
import type { Guide } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import { textDirection } from '../layout/document.ts'
import { type Picture, shownPicture } from '../theme/guide-theme.ts'
import { pictureSource } from '../thumbnails/thumbnail.ts'

/**
 * The full-width head of a page, with its title on a background colour and next to its cover picture, if any. Undefined if
 * the page has neither a cover nor a ground.
 */
export async function coverHead(guide: Guide, page: Page, head: Html): Promise<Html | undefined> {
  const picture = await coverPicture(guide, page)
  const ground = page.ground ?? page.cover?.color ?? picture?.file.ground
  if (!picture && ground === undefined) return undefined
  return html`<div class="cover${groundClass(ground)}${picture ? ' pictured' : ''}" id="Content" tabindex="-1"${textDirection(await guide.publication.content.lang())}>
<div>
${head}</div>
${picture && html`<img ${pictureSource(guide, picture.file, 640)} width="${picture.width}" height="${picture.height}" alt="${picture.description}"${fits(picture)} fetchpriority="high">\n`}</div>
`
}

/** The cover of a page for its card on other pages; undefined if it has none. */
export async function coverThumb(guide: Guide, page: Page): Promise<Html | undefined> {
  const picture = await coverPicture(guide, page)
  if (!picture) return page.cover?.color && html`<span class="thumb${groundClass(page.cover.color)}"></span>`
  return html`<span class="thumb${groundClass(page.ground ?? picture.file.ground)}"><img ${pictureSource(guide, picture.file, 320)} width="${picture.width}" height="${picture.height}" alt=""${fits(picture)} loading="lazy" decoding="async"></span>`
}

async function coverPicture({ publication }: Guide, { cover }: Page): Promise<Picture | undefined> {
  return cover?.file === undefined ? undefined : shownPicture((await publication.content.files()).get(cover.file))
}

/** The class for content on a colour; the theme's style sheet has its rules. */
function groundClass(ground: Page['ground']): string {
  return ground === undefined ? '' : ` ground-${ground}`
}

/** Photographs fill their frame, as do drawings with the shape of a cover. Other drawings are shown whole. */
function fits({ file, width, height }: Picture): Html | undefined {
  if (file.contentType === 'image/jpeg') return html` class="photo"`
  return width > SHAPE.min * height && width < SHAPE.max * height ? html` class="fills"` : undefined
}

/** Width divided by height. */
const SHAPE = { min: 1.15, max: 3 }
