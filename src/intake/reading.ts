import { createHash } from 'node:crypto'
import type { Draft } from '#brand/draft.ts'
import type { AbsentFile, Problem } from '#brand/finding.ts'
import type { Hash, WorkspaceId } from '#brand/ids.ts'
import { hashOf, parseHash } from '#brand/snapshot.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Findings } from './folder/findings.ts'
import type { MediaReader } from './media/media.ts'
import type { IdentifiedProject } from './project/project-folder.ts'

/* The input and output types for reading a brand folder. */

export type ReadOptions = {
  media: MediaReader
  targetFor: (workspace: WorkspaceId) => MaybePromise<ImportTarget>
  caps: Caps
  /** The workspace of the folder; overrides `workspace.yaml`. */
  workspaceId?: WorkspaceId
  /** The submodules and files of a commit that are not in its folder. */
  absent?: readonly AbsentFile[]
  /** Whether to report export problems too. */
  isForExport?: boolean
  /** The day in UTC, for pages and files with dates. */
  today: string
  /** Whether to report files that expire soon. */
  reportsExpiry?: boolean
  /** Whether pages that are drafts are read too, for a preview. */
  showsDrafts?: boolean
  signal: AbortSignal
  progress: (progress: Progress) => void
}

/** The settings `--max-file` (bytes) and `--max-items`. */
export type Caps = { maxFile: number; maxItems: number }

/** The number of files of a project that have been read. */
export type Progress = { project: string; done: number; total: number }

/** Receives the content of a workspace, and offers what earlier imports cached. */
export type ImportTarget = {
  writer: ContentWriter
  readCache: ReadCache
  /** Receives the draft of each project without errors. Its pages can be read until the returned promise settles. */
  draft: (draft: Draft) => MaybePromise<void>
}

/** Stores content under the SHA-256 of its bytes. */
export type ContentWriter = {
  text: (bytes: Uint8Array) => MaybePromise<Hash>
  /** Stores the bytes of a file. Passes on errors that reading a chunk throws. */
  file: (chunks: AsyncIterable<Uint8Array>) => Promise<Hash>
}

/** Results of earlier imports, for files that have not changed. An entry depends only on the bytes and name of its file. */
export type ReadCache = {
  /** The cached result for the file at this path with this fingerprint. */
  find: (path: string, fingerprint: string) => MaybePromise<string | undefined>
  keep: (path: string, fingerprint: string, reading: FileReading) => MaybePromise<void>
}

/** The result of reading a file; `content` is the hash of the stored content. */
type FileReading = { kind: 'page' | 'file'; content: Hash; reading: string }

/** Stores nothing: for `check` and dry runs. */
export const noTarget: ImportTarget = {
  writer: { text: hashOf, file: hashOfChunks },
  readCache: { find: () => undefined, keep: () => undefined },
  draft: () => undefined,
}

async function hashOfChunks(chunks: AsyncIterable<Uint8Array>): Promise<Hash> {
  const digest = createHash('sha256')
  for await (const chunk of chunks) digest.update(chunk)
  return parseHash(digest.digest('hex'))
}

export type ProjectReading = {
  /** The absolute path of the brand folder. */
  root: string
  project: IdentifiedProject
  findings: Findings
  /** Adds problems about a file of the project, whose path is relative to the project. */
  report: (path: string, ...problems: readonly Problem[]) => void
  options: ProjectOptions
  /** Whether the service itself serves an address, as far as the folder tells. */
  isServed: (path: string) => boolean
  /** Counts one more file as read. */
  advance: () => void
}

export type ProjectOptions = Omit<ReadOptions, 'targetFor'> & ImportTarget
