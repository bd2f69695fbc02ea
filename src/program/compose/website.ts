import { serial } from '#platform/base/promise.ts'
import type { Place } from '#platform/exchange/message.ts'
import { basePath } from '#platform/exchange/target.ts'
import type { Failure } from '#platform/processes/failure.ts'
import type { OpenPool, PoolUsage } from '#platform/processes/pool.ts'
import { CODE_REPLACED } from '#platform/processes/program-code.ts'
import { type Log, onceAMinute } from '#platform/telemetry/log.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import type { ServiceContext } from '#serving/access/service-context.ts'
import { createAddresses } from '#serving/addresses.ts'
import { openDownloads } from '#serving/downloads/downloads.ts'
import { Slots } from '#serving/downloads/slots.ts'
import { linksAt } from '#serving/hosts.ts'
import { createFindEarlier, createListKnown } from '#serving/publications/earlier.ts'
import { openResponseCache, type ResponseCache } from '#serving/replies/response-cache.ts'
import { openAssets } from '#site/assets.ts'
import { previewColors } from '#site/guide/color-list.ts'
import { openGuide } from '#site/guide-reply.ts'
import { openLive } from '#site/live.ts'
import { openRenderer, type Renderer } from '#site/markdown/renderer.ts'
import type { Site } from '#site/site.ts'
import { openPngs } from '#site/thumbnails/pngs.ts'
import { openThumbnails, prepareThumbnails } from '#site/thumbnails/thumbnails.ts'
import { listLatest } from '#store/catalogue/catalogue.ts'
import { findEditLinks } from '#store/catalogue/edit-links.ts'
import { openContentProcesses } from './content-processes.ts'
import type { AgentLinter } from './lint.ts'

/** The parts of the website that differ between services and copies. */
type WebsiteOptions = {
  log: Log
  metrics: Pick<Metrics, 'countProcessFailure'>
  /** Whether open pages update after changes. */
  isLive?: boolean | undefined
  copy?: Site['copy']
  edits?: Site['edits']
  book?: Site['book']
}

export type Website = {
  site: Site
  /** The website at a host. */
  siteAt: (place: Place) => Site
  lint: AgentLinter['lint']
  /** Starts the processes for which the first page would wait, side by side. */
  warm: () => void
  /** The current use of its processes, by task. */
  pools: () => PoolUsage[]
  /** Ends the processes for untrusted content. */
  close: () => Promise<void>
}

export function openWebsite(service: ServiceContext, options: WebsiteOptions): Website {
  const failed = failureReporter(options)
  const renderer = openRenderer({ failed })
  const { access, files, urls } = service
  const processes = openContentProcesses({ ...access, files, addresses: urls }, { failed })
  const { fontReader, ...others } = processes.pools
  const partsAt = placedParts(service, options)
  const site = siteOf(service, options, { renderer, processes, ...partsAt(undefined) })
  const siteAt = (place: Place): Site => ({ ...site, ...partsAt(place) })
  const pools = combinePools([renderer, fontReader], Object.values(others))
  return { site, siteAt, lint: processes.lint, ...pools }
}

type SiteParts = ReturnType<ReturnType<typeof placedParts>> & {
  renderer: Renderer
  processes: ReturnType<typeof openContentProcesses>
}

function siteOf(
  service: ServiceContext,
  { isLive = false, copy, edits, book }: WebsiteOptions,
  { renderer, processes, ...publicParts }: SiteParts,
): Site {
  const { access, files, urls, openPublication, openProjects } = service
  const { database, caches, publicUrl } = access
  const { oldFiles, indexes, fontFacts, fontSubset, pictures, lightPngs } = processes
  return {
    service,
    urls,
    ...publicParts,
    copy,
    render: renderer.render,
    renderChanges: renderer.changes,
    fontFacts,
    fontSubset,
    earlier: createFindEarlier(database, openPublication),
    revisions: createListKnown(database, openPublication),
    oldFiles,
    editLinks: project => findEditLinks(database, project),
    edits,
    book,
    indexes,
    searchInTurn: serial(),
    downloads: openDownloads(service),
    archives: { files, publicUrl, slots: new Slots(ARCHIVES), rates: ARCHIVE_RATES, lengths: caches.open('archives') },
    exportArchives: caches.open('exports'),
    thumbnails: openThumbnails({ ...pictures, isForCopy: copy !== undefined }),
    lightPngs,
    pngs: openPngs({ ...pictures, colors: previewColors }),
    live: isLive ? openLive(openProjects, publicParts.paths, publicUrl) : undefined,
  }
}

/** Returns a function that makes the parts of the website that differ between hosts; without a place, those at the public URL. */
function placedParts({ access, hosts }: ServiceContext, { copy, isLive }: WebsiteOptions) {
  const { publicUrl, identity, caches } = access
  const kind = copy ? 'copied' : isLive ? 'live' : 'served'
  const assets = openAssets(basePath(publicUrl), kind)
  const assetsOfHosts = openAssets('/-', kind)
  const pages = openResponseCache(caches, 'pages')
  return (place: Place | undefined) => {
    const { at, here, ...roots } = linksAt(publicUrl, hosts, place)
    return {
      place,
      url: place?.url ?? publicUrl,
      at,
      here,
      paths: createAddresses(roots, identity.fileSecret),
      assets: place ? assetsOfHosts : assets,
      pages: place ? pagesOf(pages, place) : pages,
    }
  }
}

/** Hosts share the cache. No other key has a NUL, which no path may have. */
function pagesOf({ reply }: ResponseCache, { host }: Place): ResponseCache {
  return { reply: (key, ...asked) => reply(`${key}\0${host}`, ...asked) }
}

/** Counts and logs failures of child processes. */
export function failureReporter({
  metrics,
  log,
}: Pick<WebsiteOptions, 'metrics' | 'log'>): (failure: Failure, error?: unknown) => void {
  const reportReplaced = onceAMinute((failure: Failure) => log.error(failure, CODE_REPLACED))
  return (failure, error) => {
    metrics.countProcessFailure(failure.task, failure.cause)
    if (failure.cause === 'replaced') reportReplaced(failure)
    else
      log.warn(
        { ...failure, ...(error !== undefined && { err: error }) },
        'a process failed while it worked on workspace content',
      )
  }
}

/** The pools of a website as one. Only those of pages are started in advance. */
function combinePools(ofPages: readonly OpenPool[], others: readonly OpenPool[]) {
  const pools = [...ofPages, ...others]
  return {
    warm: () => void ofPages.map(pool => pool.warm()),
    pools: () => pools.map(pool => pool.usage()),
    close: async () => void (await Promise.all(pools.map(pool => pool.close()))),
  }
}

/** The limits on concurrent archives, and the time that the next request waits. */
const ARCHIVES = { total: 8, perProject: 3, perAddress: { total: 6, perProject: 2 }, waitMs: 10_000 }
/** 16 KiB per second over 30 seconds; 64 KiB per second over 5 seconds while another client waits. */
const ARCHIVE_RATES = {
  usual: { bytes: 480 << 10, milliseconds: 30_000 },
  contended: { bytes: 320 << 10, milliseconds: 5000 },
}

/** Makes the fonts, libraries, indexes and pictures of guides that would be made for their first readers otherwise. */
export function guidePreparation(site: Site, log: Log) {
  const inTurn = serial()
  let hasBegun = false
  const prepare = async () => {
    try {
      const { prepareFonts } = await import('#site/library/type/faces/frame-fonts.ts')
      const latest = await listLatest(site.service.access.database, MAX_PREPARED)
      const publications = latest.flatMap(record => site.service.openPublication(record) ?? [])
      const guides = await Promise.all(publications.map(each => openGuide(site, each, each.record.workspace)))
      await prepareFonts(guides)
      for (const publication of publications) await Promise.resolve(site.indexes(publication)).catch(() => undefined)
      for (const publication of publications) await prepareThumbnails(site.thumbnails, publication)
      log.debug({ guides: publications.length }, 'the latest guides are prepared for their first readers')
    } catch (err) {
      // Requests make the same, and report what fails.
      log.debug({ err }, 'the latest guides could not be prepared')
    }
  }
  const begin = () => {
    hasBegun = true
    void inTurn(prepare)
  }
  return { begin, handlePublished: () => hasBegun && begin() }
}

/** Older guides make their fonts when these are requested. */
const MAX_PREPARED = 16
