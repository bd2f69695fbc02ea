import type { BrandFile } from '#brand/file.ts'
import type { PictureLook } from '#brand/pictures/picture-facts.ts'
import type { Publication } from '#serving/publications/publications.ts'

type PictureGuide = { publication: Pick<Publication, 'content'> }

/** Whether a picture is probably a photograph, which a card may crop: a drawing or a logo is shown whole. */
export async function isPhotograph(guide: PictureGuide, file: BrandFile): Promise<boolean> {
  return file.ground === undefined && (await pictureLook(guide, file)) === 'photograph'
}

/** The look of a picture, which its type decides if it was not measured. */
export async function pictureLook(
  { publication }: PictureGuide,
  { contentType, hash }: BrandFile,
): Promise<PictureLook> {
  const look = (await publication.content.pictures()).get(hash)?.look
  if (look !== undefined || !contentType.startsWith('image/')) return look ?? 'opaque'
  return /^image\/(?:avif|jpeg|webp)$/.test(contentType) ? 'photograph' : 'transparent'
}
