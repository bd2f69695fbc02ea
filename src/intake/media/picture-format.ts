import type { Problem } from '#brand/finding.ts'
import { wordSet } from '#platform/base/text.ts'

/**
 * The problem with a picture whose format browsers do not show; undefined for other files. `subject` begins its message:
 * `the picture "logo.eps"`.
 */
export function pictureFormatProblem(subject: string, contentType = '', line: number | null): Problem | undefined {
  const format = FIXES.find(({ isIn }) => isIn(contentType))
  const message = `${subject} is ${contentType}, which browsers do not show: `
  return format && { rule: 'picture-format', line, message: message + format.fix }
}

/** Vector formats that browsers do not show. */
const VECTORS = wordSet(`application/postscript application/illustrator image/emf image/wmf image/cgm image/vnd.dwg
  image/vnd.dxf`)
/** The pictures that browsers show. */
const SHOWN = wordSet(`image/apng image/avif image/bmp image/gif image/jpeg image/pjpeg image/png image/svg+xml
  image/vnd.microsoft.icon image/webp image/x-icon`)

/** Formats that are only for downloads, and the fix when a page shows one. */
const FIXES: readonly { isIn: (type: string) => boolean; fix: string }[] = [
  { isIn: type => /^image\/hei[cf]/.test(type), fix: 'save it as JPEG, and use that file' },
  { isIn: type => VECTORS.has(type), fix: 'export it as SVG, and use that file' },
  { isIn: type => type.startsWith('image/') && !SHOWN.has(type), fix: 'export it as PNG or JPEG, and use that file' },
]
