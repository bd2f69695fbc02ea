import { extname } from 'node:path'
import type { Problem } from '#brand/finding.ts'
import { isLfsPointer } from '#brand/lfs-pointer.ts'
import { hasFontHeader } from '#formats/font/font-problem.ts'
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
  const fromName = EXTENSION_TYPES.has(extension) ? EXTENSION_TYPES.get(extension) : mime.getType(`.${extension}`)
  const expected = fromName === OCTET_STREAM ? undefined : (fromName ?? undefined)
  const signed = await signatureType(sample, expected !== undefined)
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

const OCTET_STREAM = 'application/octet-stream'

const PACKED_FONT =
  'is a ZIP archive, not a font, and is served as such: unpack it, and put the font from it in its place'

const LFS_POINTER =
  'cannot read the content: this is a Git LFS pointer, not the file itself; run "git lfs pull" and import again'

/** Extensions whose type differs from `mime`. Undefined means that only the content decides. */
const EXTENSION_TYPES = new Map<string, string | undefined>([
  ['ai', undefined], // PDF, or PostScript before version 9
  ['cur', 'image/vnd.microsoft.icon'],
  ['jfif', 'image/jpeg'],
  ['otc', 'font/collection'],
  ['mts', 'text/plain'], // TypeScript; MPEG-2 transport streams have a signature
  ['ts', 'text/plain'],
])

async function signatureType(sample: Uint8Array, hasExpectation: boolean): Promise<string | undefined> {
  const text = decodeSample(sample)
  if (startsAsSvg(text)) return 'image/svg+xml'
  const early = SIGNATURES.find(([signature]) => text.startsWith(signature))
  if (early) return early[1]
  const { fileTypeFromBuffer } = await import('file-type')
  const { default: mime } = await import('mime')
  // It throws if a length in the sample is wrong. The format is then unknown.
  const detected = await fileTypeFromBuffer(sample).catch(() => undefined)
  if (detected === undefined) return FALLBACK_SIGNATURES.find(([signature]) => text.startsWith(signature))?.[1]
  if (hasExpectation && WEAK.has(detected.ext)) return undefined
  const canonical = EXTENSION_TYPES.get(detected.ext) ?? mime.getType(`.${detected.ext}`) ?? OCTET_STREAM
  // It reports every HEIF file as heic, even an AVIF file with the common HEIF brand.
  const type = canonical === OCTET_STREAM || detected.ext === 'heic' ? detected.mime : canonical
  return isBinary(sample) || TEXT_SIGNATURES.get(type)?.test(text) ? type : undefined
}

/** Formats with more variants than `file-type` recognizes, or that it would have to unpack. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['\x1f\x8b', 'application/gzip'],
  ['true\0', 'font/ttf'],
  ['wOFF', 'font/woff'],
  ['wOF2', 'font/woff2'],
]

/** Formats that `file-type` recognizes only by bytes later in the file. */
const FALLBACK_SIGNATURES: readonly (readonly [string, string])[] = [
  ['PK\x03\x04', 'application/zip'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
]

/** Signatures so short that other formats start with the same bytes. A known extension takes precedence. */
const WEAK: ReadonlySet<string> = new Set(['aac', 'cur', 'mp1', 'mp2', 'mp3', 'mpg'])

/** The only signatures accepted in text: a note that starts with "BMW", "GIF" or "solid" is not a picture or model. */
const TEXT_SIGNATURES: ReadonlyMap<string, RegExp> = new Map([
  ['application/pdf', /^%PDF-/],
  ['application/postscript', /^%!PS/],
  ['application/rtf', /^/],
  ['application/xml', /^/],
])

/** Whether the type of the extension is a special case of the type of the content. The more specific type is used. */
function isSpecialCase(expected: string, actual: string): boolean {
  if (SPECIAL_CASES.get(actual)?.test(expected)) return true
  return CONTAINERS.has(actual) && /^(application|model)\//.test(expected) && !OWN_SIGNATURE.test(expected)
}

const SPECIAL_CASES: ReadonlyMap<string, RegExp> = new Map([
  ['application/gzip', /^image\/svg\+xml$/],
  ['application/xml', /^text\/|[/+]xml$/],
  ['font/ttf', /^font\/otf$/], // RFC 8081 §4.4.3: an OpenType font may have TrueType outlines
  ['image/apng', /^image\/png$/],
  ['image/heif', /^image\/(avif|heic)/],
  ['image/tiff', /^image\/x-/],
])

const CONTAINERS = wordSet('application/gzip application/x-cfb application/x-sqlite3 application/xml application/zip')

/** The beginnings of the names of types whose files always have a signature. */
const SIGNED_NAMES = wordsIn(`pdf, postscript, rtf, gzip, zip, wasm, x-7z, x-bzip, x-rar, x-tar, x-shockwave,
  vnd.ms-fontobject, json`)
const OWN_SIGNATURE = new RegExp(`/${anyOf(SIGNED_NAMES)}`)

/** Groups of types whose extensions are often swapped. The type of the content is used. */
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
const PACKED = new RegExp(anyOf(wordsIn('zip, openxmlformats, opendocument, macroenabled')), 'i')

function startsAsSvg(text: string): boolean {
  let start = 0
  while (true) {
    PROLOGUE.lastIndex = start
    const part = PROLOGUE.exec(text)
    if (part === null) return /^<(?:[\w.-]+:)?svg[\s/>]/.test(text.slice(start, start + 100))
    start += part[0].length
  }
}

/** One item before the root of an XML document. Matching all of them at once could backtrack forever. */
const PROLOGUE = /\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE(?:[^[>]|\[[^\]]*\])*>/y

/** Decodes each byte as one character, or as UTF-16 if there is a byte order mark. */
function decodeSample(sample: Uint8Array): string {
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString('latin1')
  const encoding = BYTE_ORDERS.get(text.slice(0, 2))
  if (encoding !== undefined) return new TextDecoder(encoding).decode(sample)
  return text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text
}

/** The byte order marks of UTF-16. */
const BYTE_ORDERS: ReadonlyMap<string, string> = new Map([
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
])

/** Whether the sample has bytes that never occur in text. UTF-16 with a byte order mark is text. */
function isBinary(sample: Uint8Array): boolean {
  if (BYTE_ORDERS.has(String.fromCharCode(...sample.subarray(0, 2)))) return false
  return sample.some(byte => (byte < 32 && !TEXT_CONTROLS.has(byte)) || byte === 127)
}

/** White space and escape. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([9, 10, 11, 12, 13, 27])

function mismatch(message: string): Problem {
  return { rule: 'type-mismatch', line: null, message }
}
