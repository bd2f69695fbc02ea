import type { WorkspaceLimit } from '../access/limit/workspace-limit.ts'
import type { Caches } from '../caches/caches.ts'
import { basePath } from '../exchange/target.ts'
import { openFontReader } from '../fonts/font-reader.ts'
import type { Failure } from '../processes/failure.ts'
import type { PoolUsage } from '../processes/pool.ts'
import { CODE_REPLACED } from '../processes/program-code.ts'
import { openIndexer } from '../search/indexer.ts'
import { type Indexes, openIndexes } from '../search/indexes.ts'
import { createAddresses } from '../serving/addresses.ts'
import { openDownloads } from '../serving/downloads/downloads.ts'
import { openFile } from '../serving/downloads/file-reply.ts'
import { Slots } from '../serving/downloads/slots.ts'
import type { VerifiedFiles } from '../serving/downloads/verified-files.ts'
import { createFindEarlier } from '../serving/publications/earlier.ts'
import type { ServedRevisions } from '../serving/publications/revisions.ts'
import type { Compression } from '../serving/replies/compression.ts'
import { openResponseCache } from '../serving/replies/response-cache.ts'
import { openAssets } from '../site/assets.ts'
import type { GuideCopy } from '../site/guide/guide.ts'
import { previewColors } from '../site/library/colors/color-list.ts'
import { openLive } from '../site/live.ts'
import { openRenderer } from '../site/markdown/renderer.ts'
import { openSearch } from '../site/search/search.ts'
import type { SiteContext } from '../site/site-context.ts'
import { openPngs } from '../site/thumbnails/pngs.ts'
import { openThumbnailer } from '../site/thumbnails/thumbnailer.ts'
import { openThumbnails } from '../site/thumbnails/thumbnails.ts'
import { findEditLinks } from '../store/catalogue/edit-links.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { onceAMinute } from '../telemetry/once-a-minute.ts'

/** The inputs of the website. */
type WebsiteSource = {
  store: Pick<Store, 'database' | 'identity'>
  files: VerifiedFiles
  log: Log
  metrics: Pick<Metrics, 'countProcessFailure'>
  /** The public URL of the service, without a trailing slash. */
  publicUrl: string
  clock: () => number
  ticks: WorkspaceLimit['ticks']
  /** Whether open pages update after changes. */
  isLive?: boolean
  /** Whether replies have cache tags. */
  hasCacheTags?: boolean
  /** Set if the replies go into a copy of a guide. */
  copy?: GuideCopy
}

/** Objects that the website shares with other modules. */
type Shared = Pick<
  SiteContext,
  | 'pointers'
  | 'openProjects'
  | 'openPublication'
  | 'verifier'
  | 'shares'
  | 'signins'
  | 'sessions'
  | 'refusedPerson'
  | 'contactOf'
  | 'limit'
  | 'record'
> & {
  caches: Caches
  /** Absent if no disk cache is configured. */
  compression?: Compression
  revisions: ServedRevisions
}

/** An open website. */
export type Website = {
  site: SiteContext
  /** The search indexes of guides. */
  indexes: Indexes
  /** The current use of its processes, by task. */
  pools: () => PoolUsage[]
  /** Ends the processes for untrusted content. */
  close: () => Promise<void>
}

export function openWebsite(source: WebsiteSource, shared: Shared): Website {
  const { store, files, publicUrl, clock, ticks, isLive = false, hasCacheTags = false, copy } = source
  const failed = failureReporter(source)
  const { caches, compression, revisions, ...checks } = shared
  const { database, identity } = store
  const base = basePath(publicUrl)
  const [urls, paths] = [createAddresses(publicUrl, identity.fileSecret), createAddresses(base, identity.fileSecret)]
  const renderer = openRenderer({ failed })
  const indexer = openIndexer(caches, { failed })
  const indexes = openIndexes(caches, indexer.index)
  const fontReader = openFontReader((workspace, file) => openFile(files, workspace, file), caches, { failed })
  const thumbnailer = openThumbnailer({ failed })
  const own = { revisions, publicUrl, caches, openPublication: checks.openPublication }
  const site: SiteContext = {
    ...checks,
    ticks,
    clock,
    publicUrl,
    base,
    urls,
    paths,
    files,
    responseCache: openResponseCache(caches, 'pages', compression),
    assets: openAssets(base, isLive ? 'live' : copy ? 'copied' : 'served'),
    downloads: openDownloads({ database, files, addresses: urls, ...own }),
    thumbnails: openThumbnails({ files, paths, caches, make: thumbnailer.make, isForCopy: copy !== undefined }),
    pngs: openPngs({ files, caches, make: thumbnailer.make, colors: previewColors }),
    archiveSlots: new Slots(ARCHIVES),
    archiveRates: ARCHIVE_RATES,
    archiveLengths: caches.open('archives'),
    exportArchives: caches.open('exports'),
    search: openSearch(publicUrl, indexes),
    render: renderer.render,
    fontFacts: fontReader.facts,
    fontSubset: fontReader.subset,
    earlier: createFindEarlier(database, checks.openPublication),
    editLinks: project => findEditLinks(database, project),
    live: isLive ? openLive({ openProjects: checks.openProjects, paths, publicUrl }) : undefined,
    copy,
    hasCacheTags,
  }
  return { site, indexes, ...combinePools([renderer, indexer, fontReader, thumbnailer]) }
}

/** Counts and logs failed processes. */
function failureReporter({ metrics, log }: Pick<WebsiteSource, 'metrics' | 'log'>): (failure: Failure) => void {
  const reportReplaced = onceAMinute((failure: Failure) => log.error(failure, CODE_REPLACED))
  return failure => {
    metrics.countProcessFailure(failure.task, failure.cause)
    if (failure.cause === 'replaced') reportReplaced(failure)
    else log.warn(failure, 'a process failed while it worked on workspace content')
  }
}

function combinePools(
  pools: readonly { usage: () => PoolUsage; close: () => Promise<void> }[],
): Pick<Website, 'pools' | 'close'> {
  return {
    pools: () => pools.map(pool => pool.usage()),
    close: async () => void (await Promise.all(pools.map(pool => pool.close()))),
  }
}

/**
 * The limits on concurrent archives, in total and per project, also for one address, and the time that the next request
 * waits.
 */
const ARCHIVES = { total: 8, perProject: 3, perAddress: { total: 6, perProject: 2 }, waitMs: 10_000 }
/** 16 KiB per second over 30 seconds; 64 KiB per second over 5 seconds while another client waits. */
const ARCHIVE_RATES = {
  usual: { bytes: 480 << 10, milliseconds: 30_000 },
  contended: { bytes: 320 << 10, milliseconds: 5000 },
}
