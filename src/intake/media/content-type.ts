import { extname } from 'node:path'
import type { Problem } from '#brand/finding.ts'
import { isLfsPointer } from '#brand/lfs-pointer.ts'
import { hasFontHeader } from '#formats/font/font-problem.ts'
import { decodeSample, OCTET_STREAM, signatureType, typeOfExtension } from '#formats/picture/signature.ts'
import { anyOf, wordSet, wordsIn } from '#platform/base/text.ts'

/** The number of bytes from the start of a file that `contentTypeOf` needs: as many as `file-type` reads. */
export const SAMPLE_BYTES = 4100

/**
 * The content type of a file: from the signature in its first bytes, else from its extension, else
 * `application/octet-stream`. If signature and extension disagree, the signature wins, with a problem. They agree if
 * one type is a form of the other (a docx is a zip), or if the bytes match both. Both libraries are asked because each is
 * sometimes wrong: `file-type` sees a bitmap in any text that starts with "BMW", `mime` a video in TypeScript.
 */
export async function contentTypeOf(
  sample: Uint8Array,
  name: string,
): Promise<{ contentType: string; problems: Problem[] }> {
  if (isLfsPointer(decodeSample(sample))) return { contentType: 'text/plain', problems: [mismatch(LFS_POINTER)] }
  const { default: mime } = await import('mime')
  const extension = extname(name).slice(1).toLowerCase()
  const expected = await typeOfExtension(extension)
  const signed = await signatureType(sample, expected !== undefined)
  // A few bytes look like the signature of a font by chance.
  const actual = signed?.startsWith('font/') && !hasFontHeader(sample) ? undefined : signed
  if (expected === undefined || actual === expected) return { contentType: actual ?? OCTET_STREAM, problems: [] }
  if (actual === undefined || isSpecialCase(expected, actual)) return { contentType: expected, problems: [] }
  if ([...ALIKE, PACKED].some(types => types.test(actual) && types.test(expected)))
    return { contentType: actual, problems: [] }
  if (expected.startsWith('font/') && actual === 'application/zip')
    return { contentType: actual, problems: [mismatch(PACKED_FONT)] }
  const better = mime.getExtension(actual)
  const fix = better === null ? 'rename the file' : `rename the file to end in .${better}`
  const message = `the name and the content differ: .${extension} means ${expected}, but the content is ${actual} and is served as that; ${fix}`
  return { contentType: actual, problems: [mismatch(message)] }
}

const PACKED_FONT =
  'is a ZIP archive, not a font, and is served as such: unpack it, and put the font from it in its place'

const LFS_POINTER =
  'cannot read the content: this is a Git LFS pointer, not the file itself; run "git lfs pull" and import again'

/**
 * Whether the type of the extension is a special case of the type of the content, as a docx is a zip. Then the type of the
 * extension is used.
 */
function isSpecialCase(expected: string, actual: string): boolean {
  const isForm = SPECIAL_CASES.get(actual)?.some(part => expected.includes(part))
  const isUnsigned = !SIGNED.some(name => expected.includes(name))
  return isForm || (CONTAINERS.has(actual) && CONTAINED.has(expected.split('/', 1).join('')) && isUnsigned)
}

/** The special cases of a type of content, by a part of their names. */
const SPECIAL_CASES: ReadonlyMap<string, readonly string[]> = new Map([
  ['application/gzip', ['image/svg+xml']],
  ['application/xml', ['text/', '/xml', '+xml']],
  ['font/ttf', ['font/otf']], // RFC 8081 §4.4.3: an OpenType font may have TrueType outlines
  ['image/apng', ['image/png']],
  ['image/heif', ['image/avif', 'image/heic']],
  ['image/tiff', ['image/x-']],
])

/** Types of content that many other formats build on, and the beginnings of the types of these formats. */
const CONTAINERS = wordSet('application/gzip application/x-cfb application/x-sqlite3 application/xml application/zip')
const CONTAINED = wordSet('application model')

/** The beginnings of the names of types whose files always have a signature. */
const SIGNED = wordsIn(`/pdf, /postscript, /rtf, /gzip, /zip, /wasm, /x-7z, /x-bzip, /x-rar, /x-tar, /x-shockwave,
  /vnd.ms-fontobject, /json`)

/**
 * Groups of types whose extensions are often swapped. The type of the content is used. A row has the names of the types,
 * or parts of them, with the pattern before and after them.
 */
const ALIKE: readonly RegExp[] = [
  ['font/otf, font/ttf', '^', '$'],
  ['text/plain, video/mp2t', '^', '$'],
  ['mp4, quicktime, x-m4v, x-m4a, 3gpp, 3gpp2', '/', '$'],
  ['ogg', '/', '$'],
  ['matroska, webm, x-matroska, x-webm', '/', '$'],
  ['ms-asf, ms-wm', '', ''],
  ['mpeg, mp2t, MP1S, MP2P', '/', '$'],
  ['image/heic, image/heif', '^', ''],
].map(([names = '', before, after]) => new RegExp(`${before}${anyOf(wordsIn(names))}${after}`))
/** Archives, and documents that are archives. */
const PACKED = new RegExp(anyOf(wordsIn('zip, openxmlformats, opendocument, macroenabled')), 'i')

function mismatch(message: string): Problem {
  return { rule: 'type-mismatch', line: null, message }
}
