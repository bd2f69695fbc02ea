import type { Caches } from '../caches/caches.ts'
import { addressesBelow } from '../serving/addresses.ts'
import { openDownloads } from '../serving/downloads.ts'
import { keepPrepared } from '../serving/prepared.ts'
import type { ServedRevisions } from '../serving/revisions.ts'
import type { AdmissionParts } from '../site/admission.ts'
import type { SiteParts } from '../site/answer.ts'
import { openAssets } from '../site/assets.ts'
import type { HomeParts } from '../site/home.ts'
import { openLive } from '../site/live.ts'
import { MarkdownProcesses } from '../site/markdown/markdown-processes.ts'
import { openSearch } from '../site/search/search.ts'
import type { Store } from '../store/store.ts'

/** What the website is opened on. */
export type WebsiteSource = AdmissionParts & {
  store: Store
  revisions: ServedRevisions
  caches: Caches
  /** The service's own address, without a slash at its end. */
  publicUrl: string
  isLive: boolean
}

/** An open website; `close` ends the processes that it renders Markdown in. */
export type Website = SiteParts & HomeParts & { close: () => Promise<void> }

/** Opens the website. */
export function openWebsite({ store, revisions, caches, publicUrl, isLive, ...admission }: WebsiteSource): Website {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const { fileSecret } = store.identity
  const [urls, paths] = [addressesBelow(publicUrl, fileSecret), addressesBelow(base, fileSecret)]
  const { database, files } = store
  const downloads = openDownloads({ database, files, addresses: urls, revisions, publicUrl, caches })
  const prepared = keepPrepared(caches, 'pages')
  const live = isLive ? openLive({ ...admission, paths, publicUrl }) : undefined
  const assets = openAssets(base, isLive)
  const markdown = new MarkdownProcesses()
  return {
    ...{ ...admission, publicUrl, base, urls, paths, files, downloads, prepared, assets, live },
    search: openSearch(publicUrl, caches),
    render: (text, pictures, author) => markdown.render(text, pictures, author),
    close: () => markdown.close(),
  }
}
