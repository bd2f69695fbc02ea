import { type BrandFile, isPicture } from '../../../brand/file.ts'
import type { Guide } from '../../guide/guide.ts'
import { fileText } from '../../texts/agent-texts.ts'
import { type PictureLook, pictureLook } from '../../thumbnails/photograph.ts'
import { hasPng } from '../../thumbnails/pngs.ts'
import { SVG_TEXT } from '../../thumbnails/thumbnail.ts'
import type { LibraryItem } from './library-item.ts'

/** Facts about the pictures of a list: their looks, and the SVGs that can be drawn as PNGs. */
export type ItemPictures = { looks: ReadonlyMap<BrandFile, PictureLook>; drawn: ReadonlySet<BrandFile> }

/** Reads the pictures of items, a few at once. SVGs with text cannot be drawn, because their fonts are missing there. */
export async function itemPictures(guide: Guide, items: readonly LibraryItem[]): Promise<ItemPictures> {
  const [looks, drawn] = [new Map<BrandFile, PictureLook>(), new Set<BrandFile>()]
  const previewed = items.flatMap(({ shown, preview }) =>
    preview?.kind === 'picture' && isPicture(shown) ? shown : [],
  )
  const svgs = guide.copy ? [] : items.flatMap(({ formats }) => formats.filter(hasPng))
  const tasks = [
    ...previewed.map(file => async () => looks.set(file, await pictureLook(guide, file))),
    ...svgs.map(file => async () => {
      // A list is complete even if a file is damaged.
      const text = await fileText(guide, file).catch(() => undefined)
      if (text !== undefined && !SVG_TEXT.test(text)) drawn.add(file)
    }),
  ].values()
  const work = async () => {
    for (const task of tasks) await task()
  }
  await Promise.all(Array.from({ length: MAX_OPEN }, work))
  return { looks, drawn }
}

const MAX_OPEN = 8

/** Whether an item is shown on a ground: its own colour, or one that shows which of its parts are transparent. */
export function isOnGround({ shown, ground }: LibraryItem, { looks }: Pick<ItemPictures, 'looks'>): boolean {
  const look = looks.get(shown)
  return look !== undefined && (ground !== undefined || look === 'transparent')
}
