import type { BrandFile } from '#brand/file.ts'
import { perObject } from '#platform/base/object.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { type FileSource, type OpenPart, partOpener } from './stored-files.ts'

/** In pixels, as displayed. */
export type FilmSize = { width: number; height: number }

/**
 * The size of a WebM or MP4 film, read from its file and kept as long as the content; undefined if the film does not
 * say it, or cannot be read.
 */
export async function filmSize(
  guide: FileSource & { publication: Publication },
  file: BrandFile,
): Promise<FilmSize | undefined> {
  return keptSize(file, guide).catch(() => undefined)
}

const keptSize = perObject((file: BrandFile, guide: Parameters<typeof filmSize>[0]) => {
  guide.publication.content.grow(SIZE_BYTES)
  return readFilm(file, partOpener(guide, file))
})

/** Memory per file. */
const SIZE_BYTES = 300

/**
 * Reads the size of a film: only the parts of the file that say it.
 *
 * @throws if the film is damaged
 */
export async function readFilm(
  file: Pick<BrandFile, 'contentType' | 'size'>,
  open: OpenPart,
): Promise<FilmSize | undefined> {
  const read: FilmReader = async (at, length) => {
    const part = { start: at, end: Math.min(at + length, file.size) - 1 }
    return Buffer.concat(await Array.fromAsync(await open(part)))
  }
  const isWebm = file.contentType === 'video/webm'
  const size = isWebm ? webmSize(await read(0, HEAD_BYTES)) : await mp4Size(read, file.size)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

/** Reads bytes of a film; fewer at its end. */
type FilmReader = (at: number, length: number) => Promise<Buffer>

/** The start of a WebM film, which contains its tracks. */
const HEAD_BYTES = 1 << 16
/** Enough for the tables of a long film, of which the sizes are not the last. */
const MAX_MOVIE_BYTES = 4 << 20
/** The number of boxes (parts) of an MP4 film among which `moov` must be. */
const MAX_BOXES = 32

/** ISO/IEC 14496-12 §4.2: 4 bytes of length, a type, the content. Length 1: 8 bytes of length follow. 0: to the end. */
async function mp4Size(read: FilmReader, size: number): Promise<FilmSize | undefined> {
  for (let at = 0, boxes = 0; at + 8 <= size && boxes < MAX_BOXES; boxes++) {
    const head = await read(at, 16)
    const short = head.readUInt32BE(0)
    const length = short === 0 ? size - at : short === 1 ? Number(head.readBigUInt64BE(8)) : short
    if (length < 8) return undefined
    if (head.toString('latin1', 4, 8) === 'moov') return trackSize(await read(at, Math.min(length, MAX_MOVIE_BYTES)))
    at += length
  }
  return undefined
}

/** ISO/IEC 14496-12 §8.3.2: the size of the first track with a picture, turned as its matrix says; a sound has none. */
function trackSize(movie: Buffer): FilmSize | undefined {
  for (let at = movie.indexOf('tkhd'); at !== -1; at = movie.indexOf('tkhd', at + 4)) {
    // After the type: the version, and in version 1 longer times before the matrix of nine numbers.
    const matrix = at + 4 + (movie.readUInt8(at + 4) === 0 ? 40 : 52)
    // After the 36 bytes of the matrix, width and height: numbers with 16 bits before and 16 after the point.
    const width = movie.readUInt16BE(matrix + 36)
    const height = movie.readUInt16BE(matrix + 40)
    // A matrix whose first and fifth number are 0 turns the picture by 90° or 270°.
    const isTurned = movie.readInt32BE(matrix) === 0 && movie.readInt32BE(matrix + 16) === 0
    if (width > 0 && height > 0) return isTurned ? { width: height, height: width } : { width, height }
  }
  return undefined
}

/** RFC 9559 §5.1.4.1.28: the first track with a picture; the size at which it is displayed if it is in pixels. */
function webmSize(head: Buffer): FilmSize | undefined {
  const [video = Buffer.alloc(0)] = contentsAt(head, [SEGMENT, TRACKS, TRACK, VIDEO])
  const values = new Map<string, number>()
  for (const { name, content, length } of elements(video))
    if (length > 0 && length <= 6) values.set(name, content.readUIntBE(0, length))
  const sumOf = (...names: string[]) => names.reduce((sum, name) => sum + (values.get(name) ?? 0), 0)
  const width = sumOf(PIXEL_WIDTH) - sumOf(CROP_LEFT, CROP_RIGHT)
  const height = sumOf(PIXEL_HEIGHT) - sumOf(CROP_TOP, CROP_BOTTOM)
  const display = { width: values.get(DISPLAY_WIDTH) ?? width, height: values.get(DISPLAY_HEIGHT) ?? height }
  const isInPixels = (values.get(DISPLAY_UNIT) ?? 0) === 0
  if (isInPixels) return display
  return { width: Math.round((height * display.width) / display.height) || 0, height }
}

/** The ids of the elements of WebM, in hexadecimal. */
const SEGMENT = '18538067'
const TRACKS = '1654ae6b'
const TRACK = 'ae'
const VIDEO = 'e0'
const PIXEL_WIDTH = 'b0'
const PIXEL_HEIGHT = 'ba'
const CROP_LEFT = '54cc'
const CROP_RIGHT = '54dd'
const CROP_TOP = '54bb'
const CROP_BOTTOM = '54aa'
const DISPLAY_WIDTH = '54b0'
const DISPLAY_HEIGHT = '54ba'
const DISPLAY_UNIT = '54b2'

/** The contents of all elements at a path of names. */
function* contentsAt(bytes: Buffer, [name, ...rest]: readonly string[]): Generator<Buffer> {
  for (const element of elements(bytes))
    if (element.name === name) yield* rest.length === 0 ? [element.content] : contentsAt(element.content, rest)
}

/**
 * RFC 8794: the id, the length, the content. The leading zeros of the first byte of an id or a length say how many bytes
 * follow it. A length of only ones is unknown: up to the end of the parent.
 */
function* elements(bytes: Buffer): Generator<{ name: string; content: Buffer; length: number }> {
  for (let at = 0; at + 2 <= bytes.length; ) {
    // `clz32` counts the zeros of 32 bits, so 24 for a byte that begins with a one: then nothing follows it.
    const lengthAt = at + Math.clz32(bytes.readUInt8(at)) - 23
    const start = lengthAt + Math.clz32(bytes.readUInt8(lengthAt)) - 23
    if (lengthAt - at > 4 || start - lengthAt > 8) return
    const bits = BigInt(`0x${bytes.toString('hex', lengthAt, start)}`)
    // Seven bits of each byte are the length; all ones stand for an unknown one.
    const onlyOnes = (1n << BigInt(7 * (start - lengthAt))) - 1n
    const value = bits & onlyOnes
    const length = value === onlyOnes ? bytes.length - start : Number(value)
    yield { name: bytes.toString('hex', at, lengthAt), content: bytes.subarray(start, start + length), length }
    at = start + length
  }
}
