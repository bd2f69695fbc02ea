/** Whether browsers move a picture: a GIF, WebP or PNG of several frames, or an AVIF sequence. Its first bytes suffice. */
export function isAnimated(bytes: Buffer, contentType: string): boolean {
  return FORMATS.get(contentType)?.isAnimated(bytes) ?? false
}

/** The first frame of a whole GIF or WebP, or the still picture of an AVIF sequence, in the same format; not decoded. */
export function stillOf(bytes: Buffer, contentType: string): Buffer {
  const format = FORMATS.get(contentType)
  return format?.isAnimated(bytes) ? format.still(bytes) : bytes
}

type Format = { isAnimated: (bytes: Buffer) => boolean; still: (bytes: Buffer) => Buffer }

const GIF: Format = {
  isAnimated: bytes => {
    const [firstEnd = 0, second] = gifFrames(bytes)
    // The bytes may end in the first frame. Animations name the extension that repeats them.
    return second !== undefined || (firstEnd > bytes.length && bytes.includes('NETSCAPE2.0'))
  },
  still: bytes => {
    const [end] = gifFrames(bytes)
    return Buffer.concat([bytes.subarray(0, end), Buffer.of(GIF_TRAILER)])
  },
}
const WEBP: Format = {
  isAnimated: bytes => {
    const [first, second] = webpFrames(bytes)
    return second !== undefined || (first !== undefined && first.end > bytes.length)
  },
  still: webpStill,
}
const AVIF: Format = {
  isAnimated: bytes => bytes.toString('latin1', 8, 12) === 'avis',
  // The major brand decides whether browsers show the frames or the primary picture (AVIF §6).
  still: bytes => Buffer.concat([bytes.subarray(0, 8), Buffer.from('avif'), bytes.subarray(12)]),
}
const PNG: Format = {
  // PNG §11.3.6.1: the number of frames is the first number after the name of the chunk, before the pixels.
  isAnimated: bytes => {
    const at = bytes.subarray(0, bytes.indexOf('IDAT')).indexOf('acTL')
    return at > 0 && at + 8 <= bytes.length && bytes.readUInt32BE(at + 4) > 1
  },
  still: bytes => bytes,
}
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['image/gif', GIF],
  ['image/webp', WEBP],
  ['image/avif', AVIF],
  ['image/png', PNG],
  ['image/apng', PNG],
])

const GIF_IMAGE = 0x2c
const GIF_EXTENSION = 0x21
const GIF_TRAILER = 0x3b

/** The end of each frame of a GIF (GIF89a §15); that of a frame that is cut off is beyond the bytes. */
function* gifFrames(bytes: Buffer): Generator<number> {
  // The header and screen have 13 bytes.
  let at = 13 + colorTable(bytes[10])
  for (let sign = bytes[at]; sign === GIF_IMAGE || sign === GIF_EXTENSION; sign = bytes[at]) {
    at += sign === GIF_IMAGE ? 11 + colorTable(bytes[at + 9]) : 2
    // Blocks of data, each after its size. A size of 0 ends them.
    for (let size = bytes[at]; size; size = bytes[at]) at += size + 1
    at++
    if (sign === GIF_IMAGE) yield at
  }
}

/** The length of the colour table that these flags announce. */
function colorTable(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** The frames of an animated WebP, each with the end of its chunk (RFC 9649 §2.7.1). */
function* webpFrames(bytes: Buffer): Generator<{ content: Buffer; end: number }> {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4)
    const content = bytes.subarray(at + 8, at + 8 + size)
    const name = bytes.toString('latin1', at, at + 4)
    at += 8 + size + (size % 2)
    if (name === 'ANMF') yield { content, end: at }
  }
}

/** The first frame of an animated WebP, which has its own size, as a WebP with the same transparency. */
function webpStill(bytes: Buffer): Buffer {
  const { content = bytes } = webpFrames(bytes).next().value ?? {}
  const flags = Buffer.of((bytes[20] ?? 0) & WEBP_ALPHA, 0, 0, 0)
  // A frame has its width and height at 6, and its pictures from 16 on. Its place and duration are left out.
  const chunks = [Buffer.from('WEBPVP8X'), uint32(10), flags, content.subarray(6, 12), content.subarray(16)]
  const body = Buffer.concat(chunks)
  return Buffer.concat([Buffer.from('RIFF'), uint32(body.length), body])
}

const WEBP_ALPHA = 0x10

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
