import type { BrandFile } from '../../../brand/file.ts'
import type { Guide } from '../../guide/guide.ts'
import { fileText } from '../../texts/file-text.ts'
import { hasPng } from '../../thumbnails/pngs.ts'
import { SVG_TEXT } from '../../thumbnails/thumbnail.ts'
import type { LibraryItem } from './library-item.ts'

/** The SVGs of these items that can be drawn as PNGs: those without text, whose fonts are missing there. */
export async function drawnSvgs(guide: Guide, items: readonly LibraryItem[]): Promise<ReadonlySet<BrandFile>> {
  const drawn = new Set<BrandFile>()
  const files = guide.copy ? [] : items.flatMap(({ formats }) => formats.filter(hasPng))
  const queue = files.values()
  const readQueue = async () => {
    for (const file of queue) {
      // A list is complete even if a file is damaged.
      const text = await fileText(guide, file).catch(() => undefined)
      if (text !== undefined && !SVG_TEXT.test(text)) drawn.add(file)
    }
  }
  await Promise.all(Array.from({ length: MAX_OPEN }, readQueue))
  return drawn
}

/** The number of files that are read at the same time. */
const MAX_OPEN = 8
