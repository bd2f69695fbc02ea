import { type BrandFile, isFont, isLight } from '../../brand/file.ts'
import type { Page } from '../../brand/page.ts'
import type { Guide } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import { previewOf, typeName } from '../library/files/file-kind.ts'
import type { LibraryItem } from '../library/files/library-item.ts'
import { posterOf } from '../pages/linked-media.ts'
import { shownPicture } from '../theme/guide-theme.ts'
import { pictureAddresses } from '../thumbnails/thumbnail.ts'

/** The small picture of a result: a colour, a picture and the classes of its frame, or a sign such as `Aa` or `PDF`. */
export type Thumb = { hex?: string; picture?: string; look?: string; sign?: string }

export const LETTERS: Thumb = { sign: 'Aa' }

export function itemThumb(guide: Guide, { shown, preview, formats, ground }: LibraryItem): Thumb {
  if (preview?.kind === 'font' || isFont(shown)) return LETTERS
  const picture = preview?.kind === 'picture' ? shown : formats.find(file => previewOf(file)?.kind === 'picture')
  return picture ? pictureThumb(guide, picture, ground) : { sign: typeName(shown) ?? '…' }
}

/** The cover of a page; for a film, its poster. */
export function pageThumb(guide: Guide, files: ReadonlyMap<string, BrandFile>, { cover, ground }: Page): Thumb {
  const file = cover?.file === undefined ? undefined : files.get(cover.file)
  const picture = shownPicture(file)?.file ?? (file && posterOf(files, file))
  return picture ? pictureThumb(guide, picture, ground ?? picture.ground) : {}
}

function pictureThumb(guide: Guide, file: BrandFile, ground: string | undefined): Thumb {
  const look = [
    ground === undefined ? isLight(file) && 'light' : `ground-${ground}`,
    PHOTOGRAPHS.test(file.contentType) && 'fill',
  ]
  return { picture: pictureAddresses(guide, file, 320).src, look: look.filter(Boolean).join(' ') }
}

const PHOTOGRAPHS = /^image\/(?:avif|jpeg|webp)$/

export function thumbPart({ hex, picture, look, sign }: Thumb): Html | undefined {
  if (hex !== undefined) return html`<svg aria-hidden="true"><rect width="100%" height="100%" fill="${hex}"/></svg>`
  const inside = picture === undefined ? sign : html`<img src="${picture}" alt="" loading="lazy" decoding="async">`
  return inside === undefined ? undefined : html`<span class="thumb ${look}" aria-hidden="true">${inside}</span>`
}
