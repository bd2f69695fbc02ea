import type { Hash } from '#brand/ids.ts'
import type { LintContent } from '#delivery/agents/tools/tool.ts'
import { brandOf } from '#delivery/lint/brand-of.ts'
import { type Linter, MAX_PROCESSES, openLinter } from '#delivery/lint/linter.ts'
import { findOldFiles, NO_OLD_FILES, type OldFiles, oldFindings, publishedFiles } from '#delivery/lint/old-files.ts'
import { perObject } from '#platform/base/object.ts'
import { withTimeout } from '#platform/base/promise.ts'
import { failed, ok } from '#platform/base/result.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { type Failure, QueueFull } from '#platform/processes/failure.ts'
import type { OpenPool } from '#platform/processes/pool.ts'
import { shareQueue } from '#platform/processes/queue.ts'
import type { Addresses } from '#serving/addresses.ts'
import {
  createListOldFiles,
  firstRevisionWith,
  type ListOldFiles,
  type OldRevisionFile,
} from '#serving/publications/old-files.ts'
import { openPublications, type Publication } from '#serving/publications/publications.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import type { Files } from '#store/files/files.ts'
import type { Store } from '#store/store.ts'

/** The parts that find the old files of a brand; without addresses, a file has only its path. */
type OldFileParts = { addresses?: Addresses | undefined; files: Pick<Files, 'open'> }

/** Opens the published state of a project for a command. The draft of a folder has no addresses. */
export async function openLintedBrand(store: Store, record: ProjectRecord, addresses: Addresses | undefined) {
  const openPublication = openPublications(store.database, openCaches())
  const publication = openPublication(record)
  if (!publication) throw new Error('cannot compare with a project that is not published')
  const { lint = {} } = await publication.content.appearance()
  return {
    brand: await brandOf(publication),
    ignore: lint.ignore ?? [],
    names: [record.workspace, record.project, publication.published.name],
    published: await publishedFiles(publication.content),
    since: (hash: string) => firstRevisionWith(store.database, publication, hash),
    oldFiles: async (linter: Linter) => {
      const earlier = await createListOldFiles(store.database)(publication, { of: 'all' })
      return oldFilesOf(publication, earlier, { addresses, files: store.files }, keptDrawings(linter.drawing))
    },
  }
}

/** Compares content of agents with a brand. */
export type AgentLinter = OpenPool & {
  /** The findings, or why there are none. `oldFiles`: whether the caller may know them. */
  lint: LintContent
}

/**
 * Opens a linter that takes two contents at a time, each for 5 s and in 256 MB. Other contents wait: workspaces take
 * turns, then networks, and those without a token never take all processes. It refuses an SVG after 5 more seconds of
 * drawing the old SVGs of its brand, and continues to draw them.
 */
export function openAgentLinter(
  { listOldFiles, ...parts }: OldFileParts & { listOldFiles: ListOldFiles },
  report?: (failure: Failure) => void,
): AgentLinter {
  const linter = openLinter({
    timeoutMs: AGENT_MS,
    failed: report,
    queue: shareQueue(MAX_PROCESSES, WITH_TOKEN, WITHOUT),
  })
  const brands = perObject((content: Publication['content']) => brandOf({ content }))
  const hashes = perObject(publishedFiles)
  // A publication or retraction changes which old files a caller may know, and replaces the record.
  const earlierFiles = perObject((_: Publication['record'], publication: Publication) =>
    listOldFiles(publication, { of: 'known' }),
  )
  const drawing = keptDrawings(linter.drawing)
  const lint: LintContent = async (publication, { content, kind, oldFiles: withOldFiles }, caller) => {
    const brand = await brands(publication.content)
    const bytes = new TextEncoder().encode(content)
    const work = { author: publication.record.workspace, size: 1, maxWaitMs: MAX_WAIT_MS, ...caller }
    const answer = await linter.lint({ path: '', kind, brand, bytes }, work).catch(asBusy)
    if (!answer) return failed(BUSY)
    if (!answer.ok) return failed(`The content ${answer.problem}. Send a smaller part of it.`)
    const { findings, files } = answer.value
    if (withOldFiles && (await hashes(publication.content)).has(files[0]?.hash ?? '')) return ok([])
    const earlier = withOldFiles && (await earlierFiles(publication.record, publication))
    const old = earlier ? await oldFilesOf(publication, earlier, parts, drawing) : NO_OLD_FILES
    const oldFound = oldFindings(files, old, { path: '', level: brand.levels['file-old'] })
    const inTime = await withTimeout(AGENT_MS, oldFound, () => undefined)
    return inTime ? ok([...findings, ...inTime]) : failed(NOT_DRAWN)
  }
  return { ...linter, lint }
}

const AGENT_MS = 5000

/** The contents that may wait for each workspace, with and without a token. */
const WITH_TOKEN = { maxRunning: MAX_PROCESSES, maxWaiting: 16, maxWaitingPerNetwork: 8 }
const WITHOUT = { maxRunning: MAX_PROCESSES, maxWaiting: 8, maxWaitingPerNetwork: 2 }
/** Shorter than the time that proxies and clients allow. */
const MAX_WAIT_MS = 20_000

function asBusy(error: unknown): undefined {
  if (!(error instanceof QueueFull)) throw error
}

const BUSY = 'The service is busy comparing other content. Try again in a few seconds.'
const NOT_DRAWN = 'The service is still drawing the old files of the brand. Try again in a few seconds.'

/** Finds old files. Those whose bytes gc has freed are not compared as drawings. */
async function oldFilesOf(
  publication: Publication,
  earlier: readonly OldRevisionFile[],
  { addresses, files }: OldFileParts,
  drawing: FindDrawing,
): Promise<OldFiles> {
  const { record } = publication
  return findOldFiles(publication, earlier, {
    address: file => addresses?.file(record, file) ?? file.path,
    drawing: hash => drawing(hash, () => files.open(record.workspace, hash)),
  })
}

/** Finds the hash of the drawing of a file; undefined if its bytes are gone, or it is not an SVG. */
type FindDrawing = (hash: Hash, open: () => ReturnType<Files['open']>) => Promise<string | undefined>

/** Finds drawings once, by the hash of the bytes, which determines them; again after a failure to read the bytes. */
function keptDrawings(drawingOf: Linter['drawing']): FindDrawing {
  const kept = new Map<Hash, ReturnType<FindDrawing>>()
  const draw = async (file: ReturnType<Files['open']>) => {
    const chunks = await file
    return chunks && drawingOf(Buffer.concat(await Array.fromAsync(chunks, chunk => chunk.slice())))
  }
  return (hash, open) => {
    const before = kept.get(hash)
    if (before) return before
    if (kept.size >= MAX_KEPT) kept.clear()
    const drawing = draw(open())
    kept.set(hash, drawing)
    drawing.catch(() => kept.delete(hash))
    return drawing
  }
}

const MAX_KEPT = 10_000
