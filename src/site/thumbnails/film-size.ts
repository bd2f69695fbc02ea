import { perObject } from '../../base/object.ts'
import type { BrandFile } from '../../brand/file.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import { type FileSource, type OpenPart, partOpener } from './part-opener.ts'

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
  const { content } = guide.publication
  const sizes = keptSizes(content)
  const kept = sizes.get(file.hash)
  if (kept) return kept
  const size = readFilm(file, partOpener(guide, file)).catch(() => {
    sizes.delete(file.hash)
    return undefined
  })
  sizes.set(file.hash, size)
  content.grow(SIZE_BYTES)
  return size
}

const keptSizes = perObject((_content: object) => new Map<string, Promise<FilmSize | undefined>>())

/** Memory per film. */
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
  const film = { read: filmReader(file, open), parts: 0 }
  const isWebm = file.contentType === 'video/webm'
  const size = isWebm ? await webmSize(film, file.size) : await mp4Size(film, file.size)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

/** Reads bytes of a film; fewer at its end. */
type FilmReader = (at: number, length: number) => Promise<Buffer>

/** Reads only the few parts of a film that contain its size. */
function filmReader(file: Pick<BrandFile, 'size'>, open: OpenPart): FilmReader {
  let start = 0
  let bytes = Buffer.alloc(0)
  let reads = 0
  return async (at, length) => {
    if (at < start || at + length > start + bytes.length) {
      if (at >= file.size) return Buffer.alloc(0)
      if (++reads > MAX_READS) throw new RangeError('its parts are too far from each other')
      const chunks: Uint8Array[] = []
      for await (const chunk of await open({ start: at, end: Math.min(at + PART_BYTES, file.size) - 1 }))
        chunks.push(chunk)
      bytes = Buffer.concat(chunks)
      start = at
    }
    return bytes.subarray(at - start, at - start + length)
  }
}

const PART_BYTES = 1 << 16
const MAX_READS = 32
/** A film with more parts than this is not read to its end. */
const MAX_PARTS = 2000

type Film = { read: FilmReader; parts: number }

/** A part of a film: its name, and where its content is. */
type Part = { name: string; start: number; end: number }

/** ISO/IEC 14496-12 §8.3.2: the first track with a picture. */
async function mp4Size(film: Film, size: number): Promise<FilmSize | undefined> {
  for await (const moov of boxes(film, { start: 0, end: size })) {
    if (moov.name !== 'moov') continue
    for await (const track of boxes(film, moov)) {
      if (track.name !== 'trak') continue
      for await (const { name, start } of boxes(film, track)) {
        const displayed = name === 'tkhd' ? trackSize(await film.read(start, 96)) : undefined
        if (displayed) return displayed
      }
    }
  }
  return undefined
}

/** The size of a track, turned as its matrix says; undefined if it has none, as sound. */
function trackSize(header: Buffer): FilmSize | undefined {
  const matrix = header.readUInt8(0) === 0 ? 40 : 52
  const [width, height] = [header.readUInt16BE(matrix + 36), header.readUInt16BE(matrix + 40)]
  if (width === 0 || height === 0) return undefined
  const isTurned = header.readInt32BE(matrix) === 0 && header.readInt32BE(matrix + 16) === 0
  return isTurned ? { width: height, height: width } : { width, height }
}

/** ISO/IEC 14496-12 §4.2: 4 bytes of length, a type, the content. Length 1: 8 bytes of length follow. 0: to the end. */
async function* boxes(film: Film, { start, end }: Omit<Part, 'name'>): AsyncGenerator<Part> {
  for (let at = start; at + 8 <= end && film.parts++ < MAX_PARTS; ) {
    const head = await film.read(at, 16)
    const short = head.readUInt32BE(0)
    const length = short === 0 ? end - at : short === 1 ? Number(head.readBigUInt64BE(8)) : short
    const from = short === 1 ? 16 : 8
    if (length < from) return
    yield { name: head.toString('latin1', 4, 8), start: at + from, end: Math.min(at + length, end) }
    at += length
  }
}

/** RFC 9559 §5.1.4.1.28: the first track with a picture; the size at which it is displayed if it is in pixels. */
async function webmSize(film: Film, size: number): Promise<FilmSize | undefined> {
  const video = await partAt(film, { start: 0, end: size }, [SEGMENT, TRACKS, TRACK, VIDEO])
  if (!video) return undefined
  const values = new Map<string, number>()
  for await (const { name, start, end } of elements(film, video))
    if (end - start <= 6 && end > start)
      values.set(name, (await film.read(start, end - start)).readUIntBE(0, end - start))
  const cut = (...names: string[]) => names.reduce((sum, name) => sum + (values.get(name) ?? 0), 0)
  const [width, height] = [cut('b0') - cut('54cc', '54dd'), cut('ba') - cut('54aa', '54bb')]
  const shown = { width: values.get('54b0') ?? width, height: values.get('54ba') ?? height }
  const unit = values.get('54b2') ?? 0
  if (unit === 0) return shown
  return { width: Math.round((height * shown.width) / shown.height) || 0, height }
}

/** The names of the elements of WebM, in hexadecimal. */
const [SEGMENT, TRACKS, TRACK, VIDEO, CLUSTER] = ['18538067', '1654ae6b', 'ae', 'e0', '1f43b675']

/** The first element at a path of names. */
async function partAt(film: Film, parent: Omit<Part, 'name'>, names: readonly string[]): Promise<Part | undefined> {
  const [name, ...rest] = names
  for await (const part of elements(film, parent)) {
    if (part.name === CLUSTER) return undefined
    if (part.name !== name) continue
    const inner = rest.length === 0 ? part : await partAt(film, part, rest)
    if (inner) return inner
  }
  return undefined
}

/** RFC 8794: the id, the length, the content. A length of only ones is unknown: up to the end of the parent. */
async function* elements(film: Film, { start, end }: Omit<Part, 'name'>): AsyncGenerator<Part> {
  for (let at = start; at + 2 <= end && film.parts++ < MAX_PARTS; ) {
    const head = await film.read(at, Math.min(12, end - at))
    const idLength = Math.clz32(head.readUInt8(0)) - 23
    const lengthBytes = Math.clz32(head.readUInt8(idLength)) - 23
    if (idLength > 4 || lengthBytes > 8) return
    const from = at + idLength + lengthBytes
    const bits = BigInt(`0x${head.toString('hex', idLength, idLength + lengthBytes)}`)
    const ones = (1n << BigInt(7 * lengthBytes)) - 1n
    const length = Number(bits & ones)
    const isUnknown = (bits & ones) === ones
    yield { name: head.toString('hex', 0, idLength), start: from, end: isUnknown ? end : Math.min(from + length, end) }
    at = isUnknown ? end : from + length
  }
}
