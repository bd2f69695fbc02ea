import { availableParallelism } from 'node:os'
import type { Problem } from '#brand/finding.ts'
import type { PictureFacts } from '#brand/pictures/picture-facts.ts'
import { MAX_FONT_BYTES } from '#formats/font/font-problem.ts'
import { failed } from '#platform/base/result.ts'
import { quote, wordsIn } from '#platform/base/text.ts'
import { ProcessFailed } from '#platform/processes/failure.ts'
import { Pool } from '#platform/processes/pool.ts'
import { childMegabytes } from '#platform/processes/process-slots.ts'
import { fifoQueue } from '#platform/processes/queue.ts'
import { versionOf } from '../folder/file-version.ts'
import { openFile, readAt, readStart } from '../folder/open-file.ts'
import { CHANGED, Unreadable } from '../folder/unreadable.ts'
import { contentTypeOf, SAMPLE_BYTES } from './content-type.ts'
import { type MediaAnswer, type MediaDetails, type MediaPiece, type MediaType, NO_SIZE } from './media-task.ts'

/** The type of a file and, for a font or picture, its metadata. */
export type MediaReading = Omit<MediaDetails, 'flaws' | 'facts' | 'patches'> & {
  contentType: string
  problems: Problem[]
}

/** Determines types and metadata of files. Closing it ends its processes. */
export type MediaReader = {
  /**
   * Reads the file at a real, absolute path; its name gives the extension. Never rejects because of the content of a
   * file. Rejects with `Unreadable` if the file cannot be opened or has another version, and with another error if the
   * reader is closed or its processes fail for a reason outside the file.
   */
  read(path: string, name: string, version?: string): Promise<MediaReading>
  /** Measures a picture; undefined if it is damaged, takes too much time or memory, or shows nothing. */
  measure(picture: Omit<MediaTask, 'kind'>): Promise<PictureFacts | undefined>
  /** Reads the metadata in the bytes of a font or picture, or finds where a picture says its place. */
  inspect(task: MediaTask): Promise<MediaAnswer>
  close(): Promise<void>
}

/**
 * Opens a reader. Fonts and pictures are parsed in up to `processes` child processes (by default one fewer than the
 * cores, at most two), started on demand. A file that twice exceeds `timeoutMs` (30 s) or crashes its process gets a
 * problem. For other files, this process reads only the first few KiB.
 */
export function openMediaReader(options: { timeoutMs?: number; processes?: number } = {}): MediaReader {
  const { timeoutMs = 30_000, processes = Math.min(2, Math.max(1, availableParallelism() - 1)) } = options
  const pool = new Pool<MediaTask, MediaAnswer>({
    name: 'media',
    program: new URL('./media-process', import.meta.url),
    execArgv: ['--max-old-space-size=256', '--max-semi-space-size=4', WASM_LIMIT, '--expose-gc'],
    timeoutMs,
    idleMs: 60_000,
    maxProcesses: processes,
    maxTasksEach: 1,
    queue: fifoQueue(),
    messages: messagesOf,
  })
  const problems = {
    time: `reading takes longer than ${timeoutMs / 1000} s; export it again`,
    memory: 'it is damaged, or needs too much memory; export it again',
  }
  /** Runs a task in a process. Throws if that fails for a reason outside the file. */
  const parse = async (task: MediaTask): Promise<MediaAnswer> => {
    const outcome = await pool.run(task).catch(error => {
      throw error instanceof ProcessFailed ? notRead(task, error) : error
    })
    return outcome.ok ? outcome.value : failed(problems[outcome.problem])
  }
  return {
    read: (path, name, version) => readMedia(parse, path, name, version),
    measure: async picture => {
      const answer = await parse({ kind: 'measure', ...picture })
      return answer.ok ? answer.value.facts : undefined
    },
    inspect: parse,
    close: () => pool.close(),
  }
}

/** A file, whose bytes are read when its turn comes. Its path is for messages. */
type MediaTask = MediaType & { path: string; pieces: () => AsyncIterable<Uint8Array> }

/** The process receives bytes instead of a path, so that it needs no permission to read the folder. */
async function* messagesOf({ kind, contentType, pieces }: MediaTask): AsyncGenerator<MediaPiece> {
  for await (const bytes of pieces()) yield { bytes }
  yield { kind, contentType }
}

/** Enough to decode a picture of 64 Mi pixels. With less memory, large pictures are not measured. */
const WASM_LIMIT = `--wasm-max-mem-pages=${childMegabytes(576) * 16}`

/** The start of a file in the requested version. */
async function* startOf(path: string, version: string, maxBytes: number): AsyncGenerator<Uint8Array> {
  using file = openFile(path)
  if (versionOf(file.stat) !== version) throw new Unreadable(CHANGED)
  const end = Math.min(file.size, maxBytes)
  for (let at = 0; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(end - at, PIECE_BYTES))
    const length = readAt(file, piece, at)
    if (length === 0) break
    yield piece.subarray(0, length)
    at += length
  }
}

const PIECE_BYTES = 1 << 18

/** The error of a process that failed for a reason outside the file. */
function notRead({ path, kind }: MediaTask, cause: ProcessFailed): Error {
  const what = `cannot ${kind === 'measure' ? 'measure' : `read the ${kind}`} ${quote(path)}: ${cause.message}, which is not the fault of the file`
  const advice = cause.mayLackMemory() ? 'check whether the machine is short of memory, and try again' : OTHER_ADVICE
  return new Error(cause.explain(`${what}; ${advice}`), { cause })
}

const OTHER_ADVICE = 'try again, and if it fails again, install housestyle again'

/** Reads the type of a file from its first bytes, and has a process read the metadata of a font or picture. */
async function readMedia(
  parse: (task: MediaTask) => Promise<MediaAnswer>,
  path: string,
  name: string,
  wantedVersion: string | undefined,
): Promise<MediaReading> {
  const { sample, version, size } = readSample(path)
  if (wantedVersion !== undefined && version !== wantedVersion) throw new Unreadable(CHANGED)
  const { contentType, problems } = await contentTypeOf(sample, name)
  const kind = kindOf(contentType)
  if (kind === undefined) return { contentType, problems }
  const answer = await parseStart(parse, { kind, path, version, contentType }, size)
  if (answer.ok) {
    const { flaws = [], ...details } = answer.value
    return { contentType, ...details, problems: [...problems, ...flaws] }
  }
  if (kind === 'picture' && !READ_TYPES.some(type => contentType.startsWith(type))) return { contentType, problems }
  const message = `cannot read the ${kind}, so it is served without metadata: ${answer.problem}`
  return { contentType, problems: [...problems, { rule: `${kind}-unreadable`, line: null, message }] }
}

/** Parses the first bytes of a file. Reads more of a bitmap in the rare case that they do not contain its size. */
async function parseStart(
  parse: (task: MediaTask) => Promise<MediaAnswer>,
  { version, ...media }: FileStart,
  size: number,
): Promise<MediaAnswer> {
  if (media.kind === 'font' && size > MAX_FONT_BYTES)
    return failed('it is larger than 64 MiB; export it with fewer characters')
  const maxBytes = startBytes(media)
  const parseUpTo = (maxBytes: number) => parse({ ...media, pieces: () => startOf(media.path, version, maxBytes) })
  const answer = await parseUpTo(maxBytes)
  const needsMore = !answer.ok && answer.problem === NO_SIZE && size > maxBytes
  return needsMore ? parseUpTo(MAX_FONT_BYTES) : answer
}

type FileStart = MediaType & { path: string; version: string }

/** The number of bytes at the start of a file that its reader needs: all of a font and of formats with data at any place. */
function startBytes({ kind, contentType }: MediaType): number {
  if (kind === 'font' || SCATTERED.some(type => contentType.includes(type))) return MAX_FONT_BYTES
  return contentType === 'image/svg+xml' ? MAX_SVG_BYTES : BITMAP_START_BYTES
}

/** Formats with data at any place. */
const SCATTERED = ['webp', 'avif', 'heic', 'heif']
const MAX_SVG_BYTES = 4 << 20
const BITMAP_START_BYTES = 512 << 10

function kindOf(contentType: string): 'font' | 'picture' | undefined {
  if (contentType.startsWith('font/')) return 'font'
  return contentType.startsWith('image/') ? 'picture' : undefined
}

/** The pictures that always have a size that can be read. Others, such as `image/vnd.dwg`, are only downloads. */
const READ_TYPES = wordsIn(`apng, avif, bmp, gif, heic, heif, jpeg, pjpeg, png, svg+xml, tiff, vnd.adobe.photoshop,
  vnd.microsoft.icon, webp, x-icon`).map(type => `image/${type}`)

function readSample(path: string): { sample: Uint8Array; version: string; size: number } {
  using file = openFile(path)
  return { sample: readStart(file, SAMPLE_BYTES), version: versionOf(file.stat), size: file.size }
}
