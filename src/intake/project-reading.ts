import type { Aside } from './aside.ts'
import type { Findings } from './findings.ts'
import type { MediaReader } from './media.ts'
import type { IdentifiedProject } from './project-folder.ts'
import type { Seen } from './seen.ts'
import type { Sink } from './sink.ts'

/** What `--max-file` (bytes) and `--max-items` say. */
export type Caps = { maxFile: number; maxItems: number }

/** How far reading has come: of the files of one project. */
export type Progress = { project: string; done: number; total: number }

/** What reading a project needs beside the folder. */
export type ProjectOptions = {
  media: MediaReader
  sink: Sink
  seen: Seen
  aside: Aside
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
  /** Says that one more file is read. */
  advance: () => void
}
