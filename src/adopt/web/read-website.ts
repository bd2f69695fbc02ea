import { statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import robotsParser from 'robots-parser'
import { folderOf } from '#brand/file.ts'
import { openPathAllocator, safeName } from '#brand/portable-paths.ts'
import { errorCode, errorMessage, OperationalError } from '#platform/base/error.ts'
import { addTo } from '#platform/base/object.ts'
import { settleAll } from '#platform/base/promise.ts'
import { attempt } from '#platform/base/result.ts'
import { groupsOf, percentDecoded, withoutLastSlash, wordSet } from '#platform/base/text.ts'
import { OutgoingError } from '#platform/outgoing/outgoing-fetch.ts'
import type { Reason } from '../report/report.ts'
import { fileEntry } from '../sources/folder.ts'
import { withoutExtension } from '../sources/leave-out.ts'
import { type Listing, tooLarge } from '../sources/source.ts'
import { type Address, type LinkedPage, linkedPage, pageKey, withAddresses } from './addresses.ts'
import { type Download, openDownload } from './download.ts'

export type WebsiteOptions = {
  /** Begins the paths of its files in the new listing. */
  label: string
  /** A folder for what is downloaded until the new folder is written. */
  folder: string
  maxPages: number
  /** The limit for all pages and files together. */
  maxBytes: number
  signal: AbortSignal
  /** Called with each page or file that arrived. */
  progress: (pages: number, bytes: number) => void
}

/**
 * Downloads the pages of a website below an address, and the files that they show and offer, as a source. It asks with
 * `GET` only, two at a time, obeys `robots.txt`, and ends after 30 minutes.
 *
 * @throws OperationalError `source_unreadable` if the address itself cannot be read
 */
export async function readWebsite(address: string, options: WebsiteOptions): Promise<Listing> {
  const crawl = await openCrawl(address, options)
  want(crawl, { address: crawl.site.href, isPage: true })
  await readSitemaps(crawl)
  let visited = 0
  while (visited < crawl.queue.length) {
    const visits: Promise<void>[] = []
    for (const each of crawl.queue.slice(visited, visited + AT_ONCE)) visits.push(visit(crawl, each, visits.at(-1)))
    await Promise.all(visits)
    visited += visits.length
  }
  return listingOf(crawl)
}

const AT_ONCE = 2

type Crawl = Awaited<ReturnType<typeof openCrawl>>

/** Asks for `robots.txt` and for the address. The result is what is known of a website while it is read. */
async function openCrawl(address: string, options: WebsiteOptions) {
  const { origin, pathname } = new URL(address)
  const deadline = AbortSignal.any([options.signal, timeLimit(MAX_MS, TOO_LATE)])
  const start = { signal: AbortSignal.any([deadline, timeLimit(MAX_START_MS, NO_START)]), maxBytes: MAX_FILE_BYTES }
  const robots: ReturnType<typeof robotsParser>[] = []
  const download = openDownload(origin, each => robots.every(rules => rules.isAllowed(each, AGENT) !== false))
  const obey = async (origin: string) => {
    const text = await download(`${origin}/robots.txt`, start).then(
      ({ content }) => new TextDecoder().decode(content.subarray(0, MAX_ROBOTS_BYTES)),
      () => '',
    )
    robots.push(robotsParser(`${origin}/robots.txt`, text))
  }
  await obey(origin)
  const first = await download(address, start).catch((error: unknown) => {
    options.signal.throwIfAborted()
    throw new OperationalError('source_unreadable', `${origin}${pathname}: ${errorMessage(error)}`)
  })
  const site = new URL(first.address)
  if (site.origin !== origin) await obey(site.origin)
  // A name with a dot is that of a file, unless a number is behind it, as in `v1.2`.
  const isFile = Number.isNaN(Number(extname(site.pathname).slice(1)))
  const prefix = withoutLastSlash(isFile ? folderOf(site.pathname) : site.pathname)
  const [queue, leftOut]: [Address[], Listing['leftOut']] = [[], []]
  return {
    ...options,
    download: (each: string, maxBytes = MAX_FILE_BYTES) =>
      each === pageKey(site) ? Promise.resolve(first) : download(each, { signal: deadline, maxBytes }),
    site,
    sitemaps: new Set([usualSitemap(site), ...robots.flatMap(rules => rules.getSitemaps())]),
    /** Whether a page is below the address. */
    isBelow: ({ origin, pathname }: URL) => origin === site.origin && `${pathname}/`.startsWith(`${prefix}/`),
    queue,
    /** The path of each page and file by its address; empty while it is not here. */
    places: new Map<string, string>(),
    /** The addresses to which others redirect. */
    moved: new Map<string, string>(),
    takePath: openPathAllocator().take,
    pages: new Map<string, LinkedPage>(),
    /** How many pages have addresses that differ only in numbers and repeated folders. */
    alike: new Map<string, number>(),
    bytes: 0,
    leftOut,
  }
}

const AGENT = 'housestyle'
const MAX_MS = 30 * 60_000
const TOO_LATE = 'not reached in 30 minutes: name an address below this one'
const MAX_START_MS = 30_000
const NO_START = 'there was no complete reply within 30 s, with the wait for robots.txt'
const MAX_FILE_BYTES = 256 << 20
/** RFC 9309 §2.5. */
const MAX_ROBOTS_BYTES = 500 << 10

/** A signal that aborts for this reason after a time. */
function timeLimit(milliseconds: number, reason: string): AbortSignal {
  const limit = new AbortController()
  setTimeout(() => limit.abort(new Error(reason)), milliseconds).unref()
  return limit.signal
}

function usualSitemap({ origin }: URL): string {
  return `${origin}/sitemap.xml`
}

/** Notes the pages in the sitemaps of the site, and in other sitemaps that they name. */
async function readSitemaps(crawl: Crawl): Promise<void> {
  let bytesLeft = MAX_SITEMAP_BYTES
  for (const map of crawl.sitemaps)
    try {
      const { content } = await crawl.download(map, bytesLeft)
      bytesLeft -= content.length
      readSitemap(crawl, new TextDecoder().decode(content))
    } catch (error) {
      if (errorCode(error) === 'outgoing_reply_too_large') {
        bytesLeft = 0
        leave(crawl, `${map} (sitemap)`, { reason: TOO_LARGE_SITEMAPS })
      } else if (map !== usualSitemap(crawl.site)) leave(crawl, `${map} (sitemap)`, reasonOf(error)) // It need not exist.
    }
}

const MAX_SITEMAP_BYTES = 50 << 20
const TOO_LARGE_SITEMAPS = 'the sitemaps have more than 50 MiB together: name an address that the site links to'

function readSitemap(crawl: Crawl, text: string): void {
  const isIndex = text.includes('<sitemapindex')
  for (const [, found = ''] of text.matchAll(/<loc>\s{0,99}(?:<!\[CDATA\[)?([^<\]]*)/g)) {
    const address = found.replaceAll('&amp;', '&').trim()
    if (!isIndex) want(crawl, { address, isPage: true })
    else if (crawl.sitemaps.size < MAX_SITEMAPS) crawl.sitemaps.add(address)
    else leave(crawl, `${address} (sitemap)`, { reason: `there are more than ${MAX_SITEMAPS} sitemaps` })
  }
}

const MAX_SITEMAPS = 100

/** Why an address could not be read, without the address, which its row has. */
function reasonOf(error: unknown): Reason {
  if (!(error instanceof OutgoingError)) return { reason: errorMessage(error) }
  const { code, why } = error
  return code === 'outgoing_unreachable' ? { reason: 'the connection failed', detail: why } : { reason: why }
}

function leave({ leftOut }: Crawl, path: string, why: Reason): void {
  leftOut.push({ path, ...why })
}

/** Notes a page below the address, or a file, once. */
function want(crawl: Crawl, { address, isPage }: Address): void {
  const url = URL.parse(address)
  if (!url?.protocol.startsWith('http')) return
  url.hash = ''
  if (isPage) url.href = pageKey(url)
  if (crawl.places.has(url.href) || (isPage && !crawl.isBelow(url))) return
  crawl.places.set(url.href, '')
  const names = url.pathname.replaceAll(/\d+/g, '0').split('/')
  const form = names.filter((name, at) => name !== names[at - 1]).join('/')
  const alike = addTo(crawl.alike, form, 1)
  if (isPage && alike > MAX_ALIKE) leave(crawl, url.href, { reason: ENDLESS })
  else crawl.queue.push({ address: url.href, isPage })
}

const MAX_ALIKE = 100
const ENDLESS = `more than ${MAX_ALIKE} pages differ only in numbers, such as dates, or in repeated folders`

/** Downloads a page or file, and takes it once the visit before it is done: in one order. */
async function visit(crawl: Crawl, { address, isPage }: Address, before: Promise<void> | undefined): Promise<void> {
  if (isPage && crawl.pages.size >= crawl.maxPages) return leaveTooMany(crawl, address)
  if (crawl.bytes > crawl.maxBytes) return leave(crawl, address, TOO_LARGE_SITE)
  try {
    const [reply] = await settleAll([crawl.download(address), before])
    crawl.bytes += reply.content.length
    const [mediaType = ''] = reply.type.split(';')
    if (HTML.has(mediaType.trim())) takePage(crawl, address, reply)
    else await takeFile(crawl, address, reply)
  } catch (error) {
    crawl.signal.throwIfAborted()
    leave(crawl, address, reasonOf(error))
  }
  crawl.progress(crawl.pages.size, crawl.bytes)
}

type Reply = Awaited<ReturnType<Download>>

/** Notes a page below the address of the site, and what it shows and leads to. */
function takePage(crawl: Crawl, address: string, { content, type, address: final }: Reply): void {
  const key = pageKey(new URL(final))
  if (!crawl.isBelow(new URL(final)))
    leave(crawl, address, { reason: 'leads to an address that is not below yours', detail: final })
  else if (key !== address) {
    crawl.moved.set(address, key)
    want(crawl, { address: key, isPage: true })
  } else if (crawl.pages.size >= crawl.maxPages) leaveTooMany(crawl, address)
  else {
    const page = linkedPage(decodePage(content, type), address)
    crawl.places.set(address, crawl.takePath(pagePath(new URL(address), crawl.site)))
    crawl.pages.set(address, page)
    for (const each of page.addresses) want(crawl, each)
  }
}

async function takeFile(crawl: Crawl, address: string, { content }: Reply): Promise<void> {
  if (crawl.bytes > crawl.maxBytes) return leave(crawl, address, TOO_LARGE_SITE)
  const path = crawl.takePath(pathOf(new URL(address), crawl.site))
  crawl.places.set(address, path)
  await write(crawl, path, content)
}

const TOO_LARGE_SITE = { reason: 'the site is larger than the limit: raise --max-size' }

function leaveTooMany(crawl: Crawl, address: string): void {
  leave(crawl, address, { reason: `more than ${crawl.maxPages} pages: raise --max-pages` })
}

const HTML = wordSet('text/html application/xhtml+xml')

/** The text of a page in the encoding that its reply or its head names. */
function decodePage(content: Uint8Array, type: string): string {
  if (content.length > MAX_PAGE_BYTES) throw tooLarge(MAX_PAGE_BYTES)
  const head = Buffer.from(content.subarray(0, 1024)).toString('latin1')
  const [, label] = groupsOf(/charset\s{0,9}=\s{0,9}["']?([\w-]+)/i, `${type} ${head}`)
  return (attempt(() => new TextDecoder(label)) ?? new TextDecoder()).decode(content)
}

/** Pages in larger files are not converted. */
const MAX_PAGE_BYTES = 16 << 20

async function write({ folder }: Crawl, path: string, content: Uint8Array | string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}

/** The files of the site; the links of its pages lead to each other, or to where they led. */
async function listingOf(crawl: Crawl): Promise<Listing> {
  const { pages, places, moved, folder, label, site, leftOut } = crawl
  const placeOf = (address: string) => places.get(moved.get(address) ?? address)
  for (const [address, page] of pages) await write(crawl, places.get(address) ?? '', withAddresses(page, placeOf))
  const entries = Array.from(places).flatMap(([shown, path]) =>
    path === '' ? [] : [{ ...fileEntry(join(folder, path), path, label, statSync(join(folder, path))), shown }],
  )
  return { name: site.hostname, entries, leftOut }
}

/** The path of a page in the source: `/guide/` is `guide/index.html`. */
function pagePath(url: URL, site: URL): string {
  const path = pathOf(url.pathname.endsWith('/') ? new URL('index', url) : url, site)
  return `${withoutExtension(path)}.html`
}

/** The path of a file in the source; other sites have a folder each. */
function pathOf({ origin, host, pathname }: URL, site: URL): string {
  const names = [origin === site.origin ? '' : host, ...pathname.split('/')].filter(name => name !== '')
  return names.map(name => safeName(percentDecoded(name))).join('/') || 'file'
}
