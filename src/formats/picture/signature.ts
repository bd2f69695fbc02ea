export const OCTET_STREAM = 'application/octet-stream'

/** The content type that an extension, without its dot, says; undefined if it says none. */
export async function typeOfExtension(extension: string): Promise<string | undefined> {
  const { default: mime } = await import('mime')
  const type = EXTENSION_TYPES.has(extension) ? EXTENSION_TYPES.get(extension) : mime.getType(`.${extension}`)
  return type === OCTET_STREAM ? undefined : (type ?? undefined)
}

/** Extensions whose type differs from `mime`. Undefined means that only the content decides. */
const EXTENSION_TYPES = new Map<string, string | undefined>([
  ['ai', undefined], // PDF, or PostScript before version 9
  ['cur', 'image/vnd.microsoft.icon'],
  ['jfif', 'image/jpeg'],
  ['otc', 'font/collection'],
  ['mts', 'text/plain'], // TypeScript; MPEG-2 transport streams have a signature
  ['ts', 'text/plain'],
])

/**
 * The content type of a file by the signature in its first bytes; undefined if it has none. A name that says another type
 * wins over signatures so short that other formats begin with the same bytes.
 */
export async function signatureType(sample: Uint8Array, hasName: boolean): Promise<string | undefined> {
  const text = decodeSample(sample)
  if (startsAsSvg(text)) return 'image/svg+xml'
  const early = SIGNATURES.find(([signature]) => text.startsWith(signature))
  if (early) return early[1]
  const { fileTypeFromBuffer } = await import('file-type')
  const { default: mime } = await import('mime')
  // It throws if a length in the sample is wrong. The format is then unknown.
  const detected = await fileTypeFromBuffer(sample).catch(() => undefined)
  if (detected === undefined) return FALLBACK_SIGNATURES.find(([signature]) => text.startsWith(signature))?.[1]
  if (hasName && WEAK.has(detected.ext)) return undefined
  const usual = EXTENSION_TYPES.get(detected.ext) ?? mime.getType(`.${detected.ext}`) ?? OCTET_STREAM
  // `file-type` gives every HEIF file the extension `heic`, even an AVIF file with the common HEIF brand.
  const type = usual === OCTET_STREAM || detected.ext === 'heic' ? detected.mime : usual
  const isText = TEXT_SIGNATURES.some(([accepted, start]) => accepted === type && text.startsWith(start))
  return isText || isBinary(sample) ? type : undefined
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

/**
 * The only signatures accepted in text, and what the text must begin with: a note that starts with "BMW", "GIF" or
 * "solid" is not a picture or model.
 */
const TEXT_SIGNATURES: readonly (readonly [string, string])[] = [
  ['application/pdf', '%PDF-'],
  ['application/postscript', '%!PS'],
  ['application/rtf', ''],
  ['application/xml', ''],
]

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
export function decodeSample(sample: Uint8Array): string {
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString('latin1')
  const encoding = BYTE_ORDERS.get(text.slice(0, 2))
  if (encoding !== undefined) return new TextDecoder(encoding).decode(sample)
  return text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text
}

/** The byte order marks of UTF-16. */
export const BYTE_ORDERS: ReadonlyMap<string, string> = new Map([
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
