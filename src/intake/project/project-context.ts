import type { ReadCache } from '../cache/read-cache.ts'
import type { ContentWriter } from '../folder/content-writer.ts'
import type { Findings } from '../folder/findings.ts'
import type { SpillBuffer } from '../folder/spill-buffer.ts'
import type { MediaReader } from '../media/media.ts'
import type { IdentifiedProject } from './project-folder.ts'

/** The settings `--max-file` (bytes) and `--max-items`. */
export type Caps = { maxFile: number; maxItems: number }

/** How many files of one project have been read. */
export type Progress = { project: string; done: number; total: number }

/** What reading a project needs beside the folder. */
export type ProjectOptions = {
  media: MediaReader
  writer: ContentWriter
  readCache: ReadCache
  spill: SpillBuffer
  caps: Caps
  signal: AbortSignal
  progress: (progress: Progress) => void
}

/** A project that is being read: where it is, and where what is found of it goes. */
export type ProjectReading = {
  /** The brand folder, absolute. */
  root: string
  project: IdentifiedProject
  findings: Findings
  options: ProjectOptions
  /** Counts one more file as read. */
  advance: () => void
}
