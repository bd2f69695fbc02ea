import type { Page } from '../../brand/page.ts'
import type { Guide } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import { type Picture, shownPicture } from '../theme/guide-theme.ts'
import { pictureSource } from '../thumbnails/thumbnail.ts'

/**
 * The head of a page over the whole width: its title and what else belongs there, on the ground that it names, beside
 * its cover if that is a picture, or on the ground that this is for. Undefined if the page has neither a cover nor a ground.
 */
export async function coverHead(guide: Guide, page: Page, head: Html): Promise<Html | undefined> {
  const picture = await coverPicture(guide, page)
  const ground = page.ground ?? page.cover?.color ?? picture?.file.ground
  if (!picture && ground === undefined) return undefined
  return html`<div class="cover${groundClass(ground)}${picture ? ' pictured' : ''}" id="Content" tabindex="-1" dir="auto">
<div>
${head}</div>
${picture && html`<img ${pictureSource(guide, picture.file, 640)} width="${picture.width}" height="${picture.height}" alt="${picture.description}"${fits(picture)} fetchpriority="high">\n`}</div>
`
}

/** The cover of a page as the card of the page shows it elsewhere; undefined if it has none. */
export async function coverThumb(guide: Guide, page: Page): Promise<Html | undefined> {
  const picture = await coverPicture(guide, page)
  if (!picture) return page.cover?.color && html`<span class="thumb${groundClass(page.cover.color)}"></span>`
  return html`<span class="thumb${groundClass(page.ground ?? picture.file.ground)}"><img ${pictureSource(guide, picture.file, 320)} width="${picture.width}" height="${picture.height}" alt=""${fits(picture)} loading="lazy" decoding="async"></span>`
}

async function coverPicture({ publication }: Guide, { cover }: Page): Promise<Picture | undefined> {
  return cover?.file === undefined ? undefined : shownPicture((await publication.content.files()).get(cover.file))
}

/** The class of what stands on a colour, which has its rules in the style sheet of the theme. */
function groundClass(ground: Page['ground']): string {
  return ground === undefined ? '' : ` ground-${ground}`
}

/** Photographs fill their place, and so do drawings of the shape that covers have; any other drawing is shown whole. */
function fits({ file, width, height }: Picture): Html | undefined {
  if (file.contentType === 'image/jpeg') return html` class="photo"`
  return width > SHAPE.least * height && width < SHAPE.most * height ? html` class="fills"` : undefined
}

/** Width divided by height. */
const SHAPE = { least: 1.15, most: 3 }
