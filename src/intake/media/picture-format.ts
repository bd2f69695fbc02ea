import type { Problem } from '#brand/finding.ts'

/** The problem with a picture whose format browsers do not show; undefined for other files. `subject` names its use. */
export function pictureFormatProblem(
  subject: string,
  contentType: string | undefined,
  line: number | null,
): Problem | undefined {
  const fix = contentType === undefined ? undefined : FIXES.find(([types]) => types.test(contentType))?.[1]
  if (fix === undefined) return undefined
  const message = `${subject} is ${contentType}, which browsers do not show: ${fix}`
  return { rule: 'picture-format', line, message }
}

/** Formats that are only for downloads, and the fix when a page shows one. */
const FIXES: readonly (readonly [types: RegExp, fix: string])[] = [
  [/^image\/hei[cf]/, 'save it as JPEG, and use that file'],
  [
    /^(?:application\/(?:postscript|illustrator)|image\/(?:[ew]mf|cgm|vnd\.d(?:wg|xf)))$/,
    'export it as SVG, and use that file',
  ],
  [
    /^image\/(?!(?:apng|avif|bmp|gif|p?jpeg|png|svg\+xml|vnd\.microsoft\.icon|webp|x-icon)$)/,
    'export it as PNG or JPEG, and use that file',
  ],
]
