import { type BrandFile, isVideo } from '#brand/file.ts'
import type { Cover, Page } from '#brand/page.ts'
import type { Guide } from '../guide/guide.ts'
import { posterOf } from '../guide/poster.ts'
import { type Picture, shownPicture } from '../theme/guide-theme.ts'

/** The picture of a cover, or its video with the picture that stands for it. */
export type CoverMedia = { picture?: Picture | undefined; video?: BrandFile | undefined; isPlate?: boolean }

/** The files of a cover. A picture of the same name stands for a video until it plays. */
export async function coverMedia({ publication }: Pick<Guide, 'publication'>, cover?: Cover): Promise<CoverMedia> {
  if (cover?.file === undefined) return {}
  const files = await publication.content.files()
  const file = files.get(cover.file)
  if (!file || !isVideo(file)) return { picture: shownPicture(file) }
  return { video: file, picture: shownPicture(posterOf(files, file)) }
}

/** The file that a cover shows. */
export function fileOf({ picture, video }: CoverMedia): BrandFile | undefined {
  return video ?? picture?.file
}

/** The class for the point of a cover that stays visible. */
export function focusOf({ cover }: Pick<Page, 'cover'>): string {
  return cover?.focus ? ` focus-${cover.focus.join('-')}` : ''
}
