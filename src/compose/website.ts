import { addressesBelow } from '../serving/addresses.ts'
import { openDownloads } from '../serving/downloads.ts'
import { keepPrepared } from '../serving/prepared.ts'
import type { ServedRevisions } from '../serving/revisions.ts'
import type { AdmissionParts } from '../site/admission.ts'
import type { SiteParts } from '../site/answer.ts'
import { openAssets } from '../site/assets.ts'
import type { HomeParts } from '../site/home.ts'
import { html } from '../site/html.ts'
import { openSearch } from '../site/search.ts'
import type { Store } from '../store/store.ts'

/** The most that prepared pages take, in bytes. */
const PREPARED_BYTES = 64 << 20

/** What the website is opened on; `url` is the service's own address, without a slash at its end. */
export type WebsiteSource = AdmissionParts & { store: Store; revisions: ServedRevisions; url: string }

/** Opens the website. */
export function openWebsite({ store, revisions, url, ...admission }: WebsiteSource): SiteParts & HomeParts {
  const base = new URL(url).pathname.replace(/\/$/, '')
  const { fileSecret } = store.identity
  const [urls, paths] = [addressesBelow(url, fileSecret), addressesBelow(base, fileSecret)]
  const downloads = openDownloads({ database: store.database, files: store.files, addresses: urls, revisions })
  const prepared = keepPrepared(PREPARED_BYTES)
  return {
    ...admission,
    publicUrl: url,
    base,
    urls,
    paths,
    downloads,
    prepared,
    assets: openAssets(base),
    search: openSearch(url),
    render: plain,
  }
}

async function plain(text: string) {
  return { body: html`<pre>${text}</pre>`, headings: [], excerpt: '' }
}
