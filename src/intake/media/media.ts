import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { failed } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { Pool, ProcessFailed } from '../../processes/pool.ts'
import { inOrder } from '../../processes/queue.ts'
import { versionOf } from '../folder/file-version.ts'
import { openFile, readStart } from '../folder/open-file.ts'
import { CHANGED, Unreadable } from '../folder/unreadable.ts'
import { contentTypeOf, SAMPLE_BYTES } from './content-type.ts'
import type { MediaAnswer, MediaDetails, MediaTask } from './media-task.ts'

/** What was read of a file: its type and, of a font or picture, what it says of itself. */
export type MediaReading = Omit<MediaDetails, 'gap'> & { contentType: string; problems: Problem[] }

/** Finds out what files are. Closing it ends its processes. */
export type MediaReader = {
  /**
   * Reads the file at a real, absolute path; its name gives the extension. No content of a file makes it reject. It
   * rejects with `Unreadable` if the file cannot be opened or has another version, and with another error if the reader
   * is closed or its processes fail for a reason that is not in the file.
   */
  read(path: string, name: string, version?: string): Promise<MediaReading>
  close(): Promise<void>
}

/**
 * Opens a reader. Fonts and pictures are parsed in up to `processes` other processes (by default one for each core but
 * one, at most two), which are started when they are needed. A file that twice takes longer than `timeoutMs` (10 s), or
 * crashes its process, is a problem. Of other files only the first few KiB are read, in this process.
 */
export function openMediaReader(options: { timeoutMs?: number; processes?: number } = {}): MediaReader {
  const { timeoutMs = 10_000, processes = Math.min(2, Math.max(1, availableParallelism() - 1)) } = options
  const pool = new Pool<MediaTask, MediaAnswer>({
    name: 'media',
    program: PROGRAM,
    execArgv: ['--max-old-space-size=256', '--max-semi-space-size=4'],
    serialization: 'json',
    timeoutMs,
    idleMs: 60_000,
    maxProcesses: processes,
    maxTasksEach: 16, // A process never waits for its next task.
    queue: inOrder(),
    messages: task => [task],
    receive: () => message => (isAnswer(message) ? message : undefined),
    failed: () => undefined,
  })
  const problems = {
    time: `it takes longer than ${timeoutMs / 1000} s; export it again`,
    memory: 'it is damaged, or needs too much memory; export it again',
  }
  const parse = async (task: MediaTask): Promise<MediaAnswer> => {
    const outcome = await pool.run(task).catch(error => {
      throw error instanceof ProcessFailed ? notRead(task, error) : error
    })
    return outcome.ok ? outcome.value : failed({ kind: 'damaged', message: problems[outcome.problem] })
  }
  return {
    read: (path, name, version) => readMedia(parse, path, name, version),
    close: () => pool.close(),
  }
}

/** The same extension as this file: .ts in development, .js in the built package. */
const PROGRAM = new URL(`./media-process${extname(import.meta.url)}`, import.meta.url)

/** `media-process.ts` sends nothing but answers. */
function isAnswer(message: unknown): message is MediaAnswer {
  return typeof message === 'object' && message !== null
}

function notRead({ path, kind }: MediaTask, cause: ProcessFailed): Error {
  const what = `cannot read the ${kind} ${quote(path)}: ${cause.message}, by no fault of the file`
  return new Error(`${what}; see whether the machine is short of memory, and try again`, { cause })
}

async function readMedia(
  parse: (task: MediaTask) => Promise<MediaAnswer>,
  path: string,
  name: string,
  wanted: string | undefined,
): Promise<MediaReading> {
  const { sample, version } = readSample(path)
  if (wanted !== undefined && version !== wanted) throw new Unreadable(CHANGED)
  const { contentType, problems } = await contentTypeOf(sample, name)
  const kind = kindOf(contentType)
  if (kind === undefined) return { contentType, problems }
  const answer = await parse({ kind, path, version, contentType })
  const rule = `${kind}-unreadable` as const
  if (answer.ok) {
    const { gap, ...details } = answer.value
    return {
      contentType,
      ...details,
      problems: gap === undefined ? problems : [...problems, { rule, line: null, message: gap }],
    }
  }
  if (answer.problem.kind === 'unreadable') throw new Unreadable(answer.problem.code)
  const message = `cannot read the ${kind}, which is served without metadata: ${answer.problem.message}`
  return { contentType, problems: [...problems, { rule, line: null, message }] }
}

function kindOf(contentType: string): MediaTask['kind'] | undefined {
  if (contentType.startsWith('font/')) return 'font'
  return contentType.startsWith('image/') ? 'picture' : undefined
}

function readSample(path: string): { sample: Uint8Array; version: string } {
  using file = openFile(path)
  return { sample: readStart(file, SAMPLE_BYTES), version: versionOf(file.stat) }
}
