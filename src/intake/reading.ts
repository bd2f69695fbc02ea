import { createHash } from 'node:crypto'
import type { MaybePromise } from '../base/promise.ts'
import type { Draft } from '../brand/draft.ts'
import type { Hash, WorkspaceId } from '../brand/ids.ts'
import { hashOf, parseHash } from '../brand/snapshot.ts'
import type { Findings } from './folder/findings.ts'
import type { SpillBuffer } from './folder/spill-buffer.ts'
import type { MediaReader } from './media/media.ts'
import type { IdentifiedProject } from './project/project-folder.ts'

/* What reading a brand folder needs, and what receives the result. */

/** How a brand folder is read. */
export type ReadOptions = {
  media: MediaReader
  targetFor: (workspace: WorkspaceId) => MaybePromise<ImportTarget>
  caps: Caps
  /** Whether what stands in the way of exports is reported too. */
  isForExport?: boolean
  signal: AbortSignal
  progress: (progress: Progress) => void
}

/** The settings `--max-file` (bytes) and `--max-items`. */
export type Caps = { maxFile: number; maxItems: number }

/** How many files of one project have been read. */
export type Progress = { project: string; done: number; total: number }

/** Where the content of a workspace goes, and what earlier imports read of it. */
export type ImportTarget = {
  writer: ContentWriter
  readCache: ReadCache
  /**
   * Takes the draft of each project that has no error. Its pages can be read until the returned promise settles. Where
   * it comes from is given if all of that is cached: then `reuseDraft` may have it.
   */
  draft: (draft: Draft, origin?: DraftOrigin) => MaybePromise<void>
  /** Takes the draft that an earlier import made from the same source. Gives what it found, or undefined without one. */
  reuseDraft: (head: DraftHead, source: DraftSource) => MaybePromise<string | undefined>
}

/** A draft without its content. */
export type DraftHead = Pick<Draft, 'project' | 'name' | 'visibility' | 'revisions'>

/** What a draft is made from: the files of a folder, by path, and the fingerprint of all that it follows from. */
export type DraftSource = { folder: string; files: readonly string[]; fingerprint: string }

/** The source of a draft, and what was found in it. */
export type DraftOrigin = DraftSource & { found: string }

/** Stores content, and names it by the SHA-256 of its bytes. */
export type ContentWriter = {
  /** Stores the text of a page. */
  text: (bytes: Uint8Array) => MaybePromise<Hash>
  /** Stores the bytes of a file. An error that reading a chunk throws is passed on as it is. */
  file: (chunks: AsyncIterable<Uint8Array>) => Promise<Hash>
}

/**
 * What earlier imports read of the files of a workspace, so that an unchanged file is not opened again. An entry holds
 * only what follows from the bytes and the name of its file.
 */
export type ReadCache = {
  /** What was read of the file at this path when it had this fingerprint. */
  find: (path: string, fingerprint: string) => MaybePromise<string | undefined>
  /** Keeps what was read of a file. */
  keep: (path: string, fingerprint: string, reading: FileReading) => MaybePromise<void>
}

/** What was read of a file; `content` is the hash of what the writer stored. */
type FileReading = { kind: 'page' | 'file'; content: Hash; reading: string }

/** Stores nothing: for `check` and dry runs. */
export const noTarget: ImportTarget = {
  writer: { text: hashOf, file: hashOfChunks },
  readCache: { find: () => undefined, keep: () => undefined },
  draft: () => undefined,
  reuseDraft: () => undefined,
}

async function hashOfChunks(chunks: AsyncIterable<Uint8Array>): Promise<Hash> {
  const digest = createHash('sha256')
  for await (const chunk of chunks) digest.update(chunk)
  return parseHash(digest.digest('hex'))
}

/** A project that is being read. */
export type ProjectReading = {
  /** The absolute path of the brand folder. */
  root: string
  project: IdentifiedProject
  findings: Findings
  options: ProjectOptions
  /** Counts one more file as read. */
  advance: () => void
}

/** How a project is read. */
export type ProjectOptions = Omit<ReadOptions, 'targetFor'> &
  ImportTarget & {
    /** Holds the links of pages until all pages are known. */
    spill: SpillBuffer
  }
