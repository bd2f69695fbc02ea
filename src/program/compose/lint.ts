import { hash } from 'node:crypto'
import type { LintContent } from '#delivery/agents/tools/tool.ts'
import {
  type BrandFiles,
  fileFindings,
  findBrandFiles,
  NO_BRAND_FILES,
  publishedFiles,
} from '#delivery/lint/brand-files.ts'
import { brandOf } from '#delivery/lint/brand-of.ts'
import { type Linter, MAX_PROCESSES, openLinter } from '#delivery/lint/linter.ts'
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

/** The parts that find the files of a brand; without addresses, a file has only its path. */
type BrandFileParts = { addresses?: Addresses | undefined; files: Pick<Files, 'open'> }

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
    openFiles: async (linter: Linter) => {
      const earlier = await createListOldFiles(store.database)(publication, { of: 'all' })
      return brandFilesOf(publication, earlier, { addresses, files: store.files }, keptFacts(linter))
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
  { listOldFiles, ...parts }: BrandFileParts & { listOldFiles: ListOldFiles },
  report?: (failure: Failure) => void,
): AgentLinter {
  const linter = openLinter({
    timeoutMs: AGENT_MS,
    failed: report,
    queue: shareQueue(MAX_PROCESSES, WITH_TOKEN, WITHOUT),
  })
  const brands = perObject((content: Publication['content']) => brandOf({ content }))
  const filesFor = filesFinder(linter, listOldFiles, parts)
  const lint: LintContent = async (publication, { content, kind, oldFiles: withOldFiles }, caller) => {
    const brand = await brands(publication.content)
    const bytes = new TextEncoder().encode(content)
    const work = { author: publication.record.workspace, size: 1, maxWaitMs: MAX_WAIT_MS, ...caller }
    const answer = await linter.lint({ path: '', kind, brand, bytes }, work).catch(undefinedIfFull)
    if (!answer) return failed(BUSY)
    if (!answer.ok) return failed(`The content ${answer.problem}. Send a smaller part of it.`)
    const { findings, files } = answer.value
    // The first file is the content itself. If it is a published file, its colours and words are not judged.
    const { ownPath, brandFiles } = withOldFiles ? await filesFor(publication, files[0]?.hash) : NO_FILES
    // A drawing is compared with the logos, unless it is itself a file of the brand, such as `files/logo.svg`.
    const picture = kind === 'svg' && !ownPath?.startsWith('files/') ? { picture: bytes } : {}
    const compared = files.map(file => ({ ...file, ...picture }))
    const search = fileFindings(compared, brandFiles, { path: '', levels: brand.levels })
    const ofFiles = await withTimeout(AGENT_MS, search, () => undefined)
    return ofFiles ? ok(ownPath === undefined ? [...findings, ...ofFiles] : ofFiles) : failed(NOT_DRAWN)
  }
  return { ...linter, lint }
}

/** Finds the files of a brand with which content is compared, and the path of the published one with a hash. */
function filesFinder(linter: Linter, listOldFiles: ListOldFiles, parts: BrandFileParts) {
  const hashes = perObject(publishedFiles)
  // A publication or retraction changes which old files a caller may know, and replaces the record.
  const earlierFiles = perObject((_: Publication['record'], publication: Publication) =>
    listOldFiles(publication, { of: 'known' }),
  )
  const facts = keptFacts(linter)
  return async (publication: Publication, hash = '') => {
    const ownPath = (await hashes(publication.content)).get(hash)
    const earlier = await earlierFiles(publication.record, publication)
    return { ownPath, brandFiles: await brandFilesOf(publication, earlier, parts, facts) }
  }
}

const NO_FILES = { ownPath: undefined, brandFiles: NO_BRAND_FILES }

/** The time for reading a content, and then for drawing the old files, in milliseconds. */
const AGENT_MS = 5000

/** The contents that may wait for each workspace, with and without a token. */
const WITH_TOKEN = { maxRunning: MAX_PROCESSES, maxWaiting: 16, maxWaitingPerNetwork: 8 }
const WITHOUT = { maxRunning: MAX_PROCESSES, maxWaiting: 8, maxWaitingPerNetwork: 2 }
/** Shorter than the time that proxies and clients allow. */
const MAX_WAIT_MS = 20_000

function undefinedIfFull(error: unknown): undefined {
  if (!(error instanceof QueueFull)) throw error
}

const BUSY = 'The service is busy comparing other content. Try again in a few seconds.'
const NOT_DRAWN = 'The service is still drawing the old files of the brand. Try again in a few seconds.'

/** Finds old files and logos. Those whose bytes gc has freed are not compared as drawings. */
async function brandFilesOf(
  publication: Publication,
  earlier: readonly OldRevisionFile[],
  { addresses, files }: BrandFileParts,
  find: FindFact,
): Promise<BrandFiles> {
  const { record } = publication
  return findBrandFiles(publication, earlier, {
    address: file => addresses?.file(record, file) ?? file.path,
    find: (hash, fact) => find(hash, fact, () => files.open(record.workspace, hash)),
    inkOf: async picture => (await find(hash('sha256', picture), 'ink', () => [picture]))?.ink,
  })
}

/** Finds a fact about the content of a file; undefined if its bytes are gone, or it does not have it. */
type FindFact = (hash: string, fact: 'drawing' | 'ink', open: () => Bytes) => ReturnType<Linter['facts']>
type Bytes = readonly Uint8Array[] | ReturnType<Files['open']>

/** Finds facts once, by the hash of the bytes, which determines them; again after a failure to read the bytes. */
function keptFacts(linter: Linter): FindFact {
  const kept = new Map<string, ReturnType<FindFact>>()
  const read = async (fact: 'drawing' | 'ink', file: Bytes) => {
    const chunks = await file
    return chunks && linter.facts(Buffer.concat(await Array.fromAsync(chunks, chunk => chunk.slice())), fact)
  }
  return (hash, fact, open) => {
    const key = `${fact} ${hash}`
    const earlier = kept.get(key)
    if (earlier) return earlier
    if (kept.size >= MAX_KEPT) kept.clear()
    const facts = read(fact, open())
    kept.set(key, facts)
    facts.catch(() => kept.delete(key))
    return facts
  }
}

const MAX_KEPT = 10_000
