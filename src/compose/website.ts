import type { Caches } from '../caches/caches.ts'
import type { Failure } from '../processes/pool.ts'
import { addressesBelow } from '../serving/addresses.ts'
import { openDownloads } from '../serving/downloads/downloads.ts'
import { Slots } from '../serving/downloads/slots.ts'
import { openResponseCache } from '../serving/response-cache.ts'
import type { ServedRevisions } from '../serving/revisions.ts'
import type { SiteParts } from '../site/answer.ts'
import { openAssets } from '../site/assets.ts'
import type { AuthorizeParts } from '../site/authorize.ts'
import { openLive } from '../site/live.ts'
import { openRenderer } from '../site/markdown/renderer.ts'
import { openIndexer } from '../site/search/indexer.ts'
import { openSearch } from '../site/search/search.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** How many archives are sent at once, of all projects and of one, and how long the next waits for its turn. */
const ARCHIVES = { inAll: 8, each: 2, waitMs: 10_000 }
/** 16 KiB a second, over half a minute. */
const MIN_ARCHIVE_RATE = { bytes: 480 << 10, milliseconds: 30_000 }

/** What the website is opened on. */
export type WebsiteSource = AuthorizeParts & {
  store: Store
  log: Log
  metrics: Pick<Metrics, 'countProcessFailure'>
  revisions: ServedRevisions
  caches: Caches
  /** The service's own address, without a slash at its end. */
  publicUrl: string
  isLive: boolean
}

/** An open website; `close` ends the processes that work on what workspaces wrote. */
export type Website = SiteParts & { close: () => Promise<void> }

/** Opens the website. */
export function openWebsite(source: WebsiteSource): Website {
  const { store, log, metrics, revisions, caches, publicUrl, isLive, ...admission } = source
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const { fileSecret } = store.identity
  const [urls, paths] = [addressesBelow(publicUrl, fileSecret), addressesBelow(base, fileSecret)]
  const { database, files } = store
  const downloads = openDownloads({ database, files, addresses: urls, revisions, publicUrl, caches })
  const prepared = openResponseCache(caches, 'pages')
  const live = isLive ? openLive({ ...admission, paths, publicUrl }) : undefined
  const assets = openAssets(base, isLive)
  const failed = (failure: Failure) => {
    metrics.countProcessFailure(failure.task, failure.cause)
    log.warn(failure, 'a process failed at what a workspace has it work on')
  }
  const renderer = openRenderer({ failed })
  const indexer = openIndexer(caches, { failed })
  return {
    ...{ ...admission, publicUrl, base, urls, paths, files, downloads, prepared, assets, live },
    ...{ archiveSlots: new Slots(ARCHIVES), archiveRate: MIN_ARCHIVE_RATE },
    search: openSearch(publicUrl, caches, ({ publication }) => indexer.index(publication)),
    render: renderer.render,
    close: async () => void (await Promise.all([renderer.close(), indexer.close()])),
  }
}
