import type { Page } from '#brand/page.ts'
import type { Preview } from '../cards/link-target.ts'
import type { Guide } from '../guide/guide.ts'
import { type PicturePreview, picturePreview } from './linked-files.ts'

/**
 * The first of what a page is about, for its card: several colours as stripes, a picture on its ground, or letters for a
 * type style; undefined if it links to none of these.
 */
export async function pageSubject(guide: Guide, { links }: Page): Promise<Preview | undefined> {
  const { content } = guide.publication
  const targets = links.map(({ to }) => to)
  const linkedColors = targets.flatMap(to => (to.list === 'colors' ? [to.id] : []))
  const colors = (await content.colors()).filter(
    ({ id }) => linkedColors.includes(id) || linkedColors.includes(undefined),
  )
  if (colors.length > 1) return { stripes: colors.slice(0, MAX_STRIPES).map(({ hex }) => hex) }
  const files = await content.files()
  const picture = targets.flatMap(to => files.get(to.file ?? '') ?? []).find(({ size }) => size <= MAX_BYTES)
  const preview = picture && (await picturePreview(guide, picture))
  if (preview) return picture.contentType === 'image/svg+xml' ? enlarged(preview) : preview
  return targets.some(to => to.list === 'types') ? { face: 'sample', letters: 'Aa' } : undefined
}

/** A drawing as large as its card allows. */
function enlarged(picture: PicturePreview): Preview {
  const scale = CARD_WIDTH / picture.width
  return { ...picture, width: CARD_WIDTH, height: picture.height * scale }
}

/** In pixels. */
const CARD_WIDTH = 640
const MAX_STRIPES = 8
/** A larger picture is left out, because a card shows only a small one. */
const MAX_BYTES = 100_000
