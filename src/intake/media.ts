import { availableParallelism } from 'node:os'
import type { FontMetadata, ImageMetadata } from '../brand/file.ts'
import type { Remark } from '../brand/finding.ts'
import { contentTypeOf, SAMPLE_BYTES } from './content-type.ts'
import { MediaProcesses } from './media-processes.ts'
import { openFile, readStart, versionOf } from './open-file.ts'
import { CHANGED, Unreadable } from './unreadable.ts'

/** What a file is. */
export type MediaReading = {
  contentType: string
  metadata?: FontMetadata | ImageMetadata
  /** Text embedded in the picture itself, for use as alt text where nothing better is written. */
  description?: string
  remarks: Remark[]
}

/** Finds out what files are; closing it ends its processes. */
export type MediaReader = {
  /**
   * Reads the file at a real, absolute path; its name gives the extension. Whatever is in the file, it answers; it rejects
   * with `Unreadable` where it cannot be opened, or is not in the version that is given; and once the reader is closed, or
   * where no process can be started.
   */
  read(path: string, name: string, version?: string): Promise<MediaReading>
  close(): Promise<void>
}

/**
 * Opens a reader. Fonts and pictures are parsed in up to `processes` processes (one for each core but this process's, at
 * most two), which start when first needed: a file
 * that takes longer than `timeoutMs` (10 s), or crashes its process, becomes a remark. Other files need none; only their
 * first few KiB are read.
 */
export function openMediaReader(options: { timeoutMs?: number; processes?: number } = {}): MediaReader {
  const processes = new MediaProcesses(
    options.timeoutMs ?? 10_000,
    options.processes ?? Math.min(2, Math.max(1, availableParallelism() - 1)),
  )
  return {
    read: (path, name, version) => readMedia(processes, path, name, version),
    close: () => processes.close(),
  }
}

async function readMedia(
  processes: MediaProcesses,
  path: string,
  name: string,
  wanted: string | undefined,
): Promise<MediaReading> {
  const { sample, version } = readSample(path)
  if (wanted !== undefined && version !== wanted) throw new Unreadable(CHANGED)
  const { contentType, remarks } = await contentTypeOf(sample, name)
  const kind = contentType.startsWith('font/') ? 'font' : contentType.startsWith('image/') ? 'picture' : null
  if (kind === null) return { contentType, remarks }
  const answer = await processes.run({ kind, path, version, contentType })
  if ('unreadable' in answer) throw new Unreadable(answer.unreadable)
  if (!('problem' in answer)) return { contentType, ...answer, remarks }
  const message = `cannot read the ${kind}, which is served without metadata: ${answer.problem}`
  return { contentType, remarks: [...remarks, { rule: `${kind}-unreadable`, line: null, message }] }
}

function readSample(path: string): { sample: Uint8Array; version: string } {
  using file = openFile(path)
  return { sample: readStart(file, SAMPLE_BYTES), version: versionOf(file.stat) }
}
