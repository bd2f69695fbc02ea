import { statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import robotsParser from 'robots-parser'
import { openPathAllocator, safeName } from '#brand/portable-paths.ts'
import { errorMessage, OperationalError } from '#platform/base/error.ts'
import { addTo } from '#platform/base/object.ts'
import { settleAll } from '#platform/base/promise.ts'
import { attempt } from '#platform/base/result.ts'
import { percentDecode } from '#platform/base/text.ts'
import { fileEntry } from '../sources/folder.ts'
import type { Listing } from '../sources/source.ts'
import { type Address, addressesIn, pageKey, withAddresses } from './addresses.ts'
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
 * `GET` only, two at a time, and obeys `robots.txt`.
 *
 * @throws OperationalError `source_unreadable` if the address itself cannot be read
 */
export async function readWebsite(address: string, options: WebsiteOptions): Promise<Listing> {
  const crawl = await openCrawl(address, options)
  want(crawl, { address: crawl.site.href, isPage: true })
  for (const map of crawl.sitemaps) {
    const text = await textAt(crawl.download, map)
    const isIndex = /<sitemapindex\b/.test(text)
    for (const [, found = ''] of text.matchAll(/<loc>([^<]*|\s*<!\[CDATA\[[^\]<]*\]\]>\s*)<\/loc>/g)) {
      const address = found
        .replaceAll(/<!\[CDATA\[|\]\]>/g, '')
        .replaceAll('&amp;', '&')
        .trim()
      if (!isIndex) want(crawl, { address, isPage: true })
      else if (crawl.sitemaps.size < MAX_SITEMAPS) crawl.sitemaps.add(address)
      else leave(crawl, address, `there are more than ${MAX_SITEMAPS} sitemaps`)
    }
  }
  const end = performance.now() + MAX_MS
  while (crawl.queue.length > 0) {
    const next = crawl.queue.splice(0, AT_ONCE)
    const visits: Promise<void>[] = []
    for (const each of next)
      if (performance.now() < end) visits.push(visit(crawl, each, visits.at(-1)))
      else leave(crawl, each.address, 'not reached in 30 minutes: name an address below this one')
    await Promise.all(visits)
  }
  return listingOf(crawl)
}

const AT_ONCE = 2
const MAX_SITEMAPS = 100
const MAX_MS = 30 * 60_000

type Crawl = Awaited<ReturnType<typeof openCrawl>>

/** Asks for `robots.txt` and for the address. The result is what is known of a website while it is read. */
async function openCrawl(address: string, options: WebsiteOptions) {
  const { signal } = options
  const { origin, pathname } = new URL(address)
  const download = openDownload(origin, signal)
  const robotsOf = async (origin: string) =>
    robotsParser(`${origin}/robots.txt`, await textAt(download, `${origin}/robots.txt`))
  const own = await robotsOf(origin)
  const open = own.isAllowed(address, AGENT) === false ? Promise.reject(new Error(FORBIDDEN)) : download(address)
  const first = await open.catch((error: unknown) => {
    signal.throwIfAborted()
    throw new OperationalError('source_unreadable', `${origin}${pathname}: ${errorMessage(error)}`)
  })
  const site = new URL(first.address)
  const robots = site.origin === origin ? own : await robotsOf(site.origin)
  // A name with a dot is that of a file, unless it is a number such as `v1.2`.
  const prefix = site.pathname.replace(/[^/]*\.[a-z]\w*$/i, '').replace(/\/$/, '')
  const [queue, leftOut]: [Address[], Listing['leftOut']] = [[], []]
  return {
    ...options,
    download: (each => (each === pageKey(site) ? Promise.resolve(first) : download(each))) satisfies Download,
    site,
    sitemaps: new Set([`${site.origin}/sitemap.xml`, ...robots.getSitemaps()]),
    /** Whether a page is below the address. */
    isBelow: ({ origin, pathname }: URL) => origin === site.origin && `${pathname}/`.startsWith(`${prefix}/`),
    isAllowed: (each: string) => robots.isAllowed(each, AGENT) !== false,
    queue,
    /** The path of each page and file by its address; empty while it is not here. */
    places: new Map<string, string>(),
    /** The addresses to which others redirect. */
    moved: new Map<string, string>(),
    takePath: openPathAllocator().take,
    pages: new Map<string, string>(),
    /** How many pages have addresses that differ only in numbers and repeated folders. */
    alike: new Map<string, number>(),
    bytes: 0,
    leftOut,
  }
}

const AGENT = 'housestyle'
const FORBIDDEN = 'robots.txt forbids it'

function leave({ leftOut }: Crawl, path: string, reason: string): void {
  leftOut.push({ path, reason })
}

/** Notes a page below the address, or a file, once. */
function want(crawl: Crawl, { address, isPage }: Address): void {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return
  url.hash = ''
  if (isPage) url.href = pageKey(url)
  if (crawl.places.has(url.href) || (isPage && !crawl.isBelow(url))) return
  crawl.places.set(url.href, '')
  const form = url.pathname.replaceAll(/\d+/g, '0').replaceAll(/(\/[^/]+)\1+/g, '$1')
  const alike = addTo(crawl.alike, form, 1)
  if (url.origin === crawl.site.origin && !crawl.isAllowed(url.href)) leave(crawl, url.href, FORBIDDEN)
  else if (isPage && alike > MAX_ALIKE) leave(crawl, url.href, ENDLESS)
  else crawl.queue.push({ address: url.href, isPage })
}

const MAX_ALIKE = 100
const ENDLESS = `more than ${MAX_ALIKE} pages differ only in numbers, such as dates, or in repeated folders`

/** Downloads a page or file, and notes what a page shows and leads to once the visit before it is done: in one order. */
async function visit(crawl: Crawl, { address, isPage }: Address, before: Promise<void> | undefined): Promise<void> {
  const { pages, places, moved, maxPages, maxBytes, signal } = crawl
  const tooMany = `more than ${maxPages} pages: raise --max-pages`
  if (isPage && pages.size >= maxPages) return leave(crawl, address, tooMany)
  const tooLarge = 'the site is larger than the limit: raise --max-size'
  if (crawl.bytes > maxBytes) return leave(crawl, address, tooLarge)
  try {
    const [{ content, type, address: final }] = await settleAll([crawl.download(address), before])
    crawl.bytes += content.length
    const isHtml = /^(?:text\/html|application\/xhtml\+xml) *(?:;|$)/.test(type)
    if (!isHtml && crawl.bytes > maxBytes) return leave(crawl, address, tooLarge)
    if (isHtml && !crawl.isBelow(new URL(final)))
      return leave(crawl, address, `leads to ${final}, which is not below the address`)
    const key = pageKey(new URL(final))
    if (isHtml && key !== address) {
      moved.set(address, key)
      return want(crawl, { address: key, isPage: true })
    }
    if (isHtml && pages.size >= maxPages) return leave(crawl, address, tooMany)
    const path = crawl.takePath(pathOf(new URL(address), crawl.site, isHtml))
    places.set(address, path)
    const html = isHtml ? decodePage(content, type) : ''
    if (isHtml) pages.set(address, html)
    else await write(crawl, path, content)
    for (const each of addressesIn(html, address)) want(crawl, each)
  } catch (error) {
    signal.throwIfAborted()
    leave(crawl, address, errorMessage(error))
  }
  crawl.progress(pages.size, crawl.bytes)
}

/** The text of a page in the encoding that its reply or its head names. */
function decodePage(content: Uint8Array, type: string): string {
  const head = Buffer.from(content.subarray(0, 1024)).toString('latin1')
  const [label] = [type, head].flatMap(each => /charset\s*=\s*["']?([\w-]+)/i.exec(each)?.[1] ?? [])
  return (attempt(() => new TextDecoder(label)) ?? new TextDecoder()).decode(content)
}

async function write({ folder }: Crawl, path: string, content: Uint8Array | string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}

/** The files of the site; the links of its pages lead to each other, or to where they led. */
async function listingOf(crawl: Crawl): Promise<Listing> {
  const { pages, places, moved, folder, label, site, leftOut } = crawl
  const placeOf = (address: string) => places.get(moved.get(address) ?? address)
  for (const [address, html] of pages)
    await write(crawl, places.get(address) ?? '', withAddresses(html, address, placeOf))
  const entries = Array.from(places).flatMap(([shown, path]) =>
    path === '' ? [] : [{ ...fileEntry(join(folder, path), path, label, statSync(join(folder, path))), shown }],
  )
  return { name: site.hostname, entries, leftOut }
}

/** The text at an address; empty if there is none. */
async function textAt(download: Download, address: string): Promise<string> {
  return download(address).then(
    ({ content }) => new TextDecoder().decode(content),
    () => '',
  )
}

/** The path of a page or file in the source: `/guide/` is `guide/index.html`, and other sites have a folder each. */
function pathOf({ origin, host, pathname }: URL, site: URL, isPage: boolean): string {
  const names = pathname.split('/').slice(1)
  const name = names.pop() ?? ''
  const last = !isPage || /\.html?$/i.test(name) ? name || 'file' : name === '' ? 'index.html' : `${name}.html`
  const folders = [...(origin === site.origin ? [] : [host]), ...names.filter(each => each !== '')]
  return [...folders, last].map(each => safeName(percentDecode(each) ?? each)).join('/')
}
