import type { Problem } from '#brand/finding.ts'
import { anyOf, wordsIn } from '#platform/base/text.ts'

/**
 * The problem with a picture whose format browsers do not show; undefined for other files. `subject` begins its message:
 * `the picture "logo.eps"`.
 */
export function pictureFormatProblem(subject: string, contentType = '', line: number | null): Problem | undefined {
  const format = FIXES.find(({ types }) => types.test(contentType))
  const message = `${subject} is ${contentType}, which browsers do not show: `
  return format && { rule: 'picture-format', line, message: message + format.fix }
}

/** Vector formats that browsers do not show. */
const VECTORS =
  wordsIn(`application/postscript, application/illustrator, image/emf, image/wmf, image/cgm, image/vnd.dwg,
  image/vnd.dxf`)
/** The pictures that browsers show, without `image/`. */
const SHOWN = wordsIn('apng, avif, bmp, gif, jpeg, pjpeg, png, svg+xml, vnd.microsoft.icon, webp, x-icon')

/** Formats that are only for downloads, and the fix when a page shows one. */
const FIXES: readonly { types: RegExp; fix: string }[] = [
  { types: /^image\/hei[cf]/, fix: 'save it as JPEG, and use that file' },
  { types: new RegExp(`^${anyOf(VECTORS)}$`), fix: 'export it as SVG, and use that file' },
  { types: new RegExp(`^image/(?!${anyOf(SHOWN)}$)`), fix: 'export it as PNG or JPEG, and use that file' },
]
