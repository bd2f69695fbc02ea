import { addressesBelow } from '../serving/addresses.ts'
import { openDownloads } from '../serving/downloads.ts'
import { keepPrepared } from '../serving/prepared.ts'
import type { ServedRevisions } from '../serving/revisions.ts'
import { Slots } from '../serving/slots.ts'
import type { AdmissionParts } from '../site/admission.ts'
import type { SiteParts } from '../site/answer.ts'
import { openAssets } from '../site/assets.ts'
import { openLive } from '../site/live.ts'
import { MarkdownProcesses } from '../site/markdown/markdown-processes.ts'
import { openSearch } from '../site/search/search.ts'
import type { Store } from '../store/store.ts'

/** The most that prepared pages take, in bytes. */
const PREPARED_BYTES = 64 << 20

/** How many archives are sent at once, of all projects and of one, and how long the next waits for its turn. */
const ARCHIVES = { inAll: 8, each: 2, waitMs: 10_000 }
/** 16 KiB a second, over half a minute. */
const LEAST_ARCHIVE_RATE = { bytes: 480 << 10, milliseconds: 30_000 }

/** What the website is opened on. */
export type WebsiteSource = AdmissionParts & {
  store: Store
  revisions: ServedRevisions
  /** The service's own address, without a slash at its end. */
  publicUrl: string
  isLive: boolean
}

/** An open website; `close` ends the processes that it renders Markdown in. */
export type Website = SiteParts & { close: () => Promise<void> }

/** Opens the website. */
export function openWebsite({ store, revisions, publicUrl, isLive, ...admission }: WebsiteSource): Website {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const { fileSecret } = store.identity
  const [urls, paths] = [addressesBelow(publicUrl, fileSecret), addressesBelow(base, fileSecret)]
  const { database, files } = store
  const downloads = openDownloads({ database, files, addresses: urls, revisions, publicUrl })
  const prepared = keepPrepared(PREPARED_BYTES)
  const live = isLive ? openLive({ ...admission, paths, publicUrl }) : undefined
  const assets = openAssets(base, isLive)
  const markdown = new MarkdownProcesses()
  return {
    ...{ ...admission, publicUrl, base, urls, paths, files, downloads, prepared, assets, live },
    ...{ archiveSlots: new Slots(ARCHIVES), archiveRate: LEAST_ARCHIVE_RATE },
    search: openSearch(publicUrl),
    render: (text, pictures, author) => markdown.render(text, pictures, author),
    close: () => markdown.close(),
  }
}
