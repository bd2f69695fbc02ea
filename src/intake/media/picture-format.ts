import type { Problem } from '../../brand/finding.ts'

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

/** Formats that are kept for downloads, and what to do where one of them is shown. */
const FIXES: readonly (readonly [types: RegExp, fix: string])[] = [
  [/^image\/hei[cf]/, 'save it as JPEG, and name that file'],
  [/^image\/(?:tiff|vnd\.adobe\.photoshop|x-)/, 'export it as PNG or JPEG, and name that file'],
  [/^application\/(?:postscript|illustrator)$/, 'export it as SVG, and name that file'],
]
