import { fileStem } from '#brand/file.ts'
import type { Span } from '#formats/markdown/link-syntax.ts'
import type { Edit } from '#platform/base/text.ts'

/* Links and pictures whose target the source does not have. */

/** Removes the picture around an address, which has no file; in a link, its words or the name of the file stay. */
export function withoutPicture(text: string, { start, end }: Span): Edit[] {
  const first = Math.max(0, start - MAX_LENGTH)
  const around = text.slice(first, end + MAX_LENGTH)
  const pictures = Array.from(
    around.matchAll(PICTURE),
    ({ index, 0: picture, 1: link = '', 2: alt = '', 3: path = '' }) => {
      const from = first + index
      const [words] = [alt, fileStem(path)].filter(Boolean)
      return { start: from, end: from + picture.length, text: link.replace('[', () => `[${words}`) }
    },
  )
  return pictures.filter(picture => picture.start < start && end < picture.end)
}

/** `![words](address "title")`, perhaps at the start of a link. */
const PICTURE = /(\[?)!\[([^\]\n]{0,500})\]\(([^()\n]{1,900})\)/g
/** In characters, before and after an address. */
const MAX_LENGTH = 1000

/** Leaves the words of a link `[words](address)`. */
export function withoutLink(text: string, { start, end }: Span): Edit[] {
  const close = text.lastIndexOf('](', start)
  if (close === -1) return []
  const open = text.lastIndexOf('[', close)
  return [
    { start: open, end: open + 1, text: '' },
    { start: close, end: text.indexOf(')', end) + 1, text: '' },
  ]
}
