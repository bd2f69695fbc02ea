import type { Cache } from '../caches/cache.ts'
import type { FontReader } from '../fonts/font-reader.ts'
import type { Addresses } from '../serving/addresses.ts'
import type { Downloads } from '../serving/downloads/downloads.ts'
import type { ArchiveParts, ArchiveRates } from '../serving/downloads/project-archive.ts'
import type { Slots } from '../serving/downloads/slots.ts'
import type { OpenProjects } from '../serving/pointers/open-projects.ts'
import type { FindEarlier } from '../serving/publications/earlier.ts'
import type { ResponseCache } from '../serving/replies/response-cache.ts'
import type { AuthorizeParts } from './authorize.ts'
import type { ExportedArchive } from './exports/export-archive.ts'
import type { Guide, GuideCopy } from './guide/guide.ts'
import type { Live } from './live.ts'
import type { Renderer } from './markdown/renderer.ts'
import type { Search } from './search/search.ts'
import type { Pngs } from './thumbnails/pngs.ts'
import type { Thumbnails } from './thumbnails/thumbnails.ts'

/** What the website needs to answer. */
export type SiteContext = AuthorizeParts & {
  openProjects: OpenProjects
  /** Absolute addresses, and addresses as paths. */
  urls: Addresses
  paths: Addresses
  responseCache: ResponseCache
  render: Renderer['render']
  fontFacts: FontReader['facts']
  fontSubset: FontReader['subset']
  earlier: FindEarlier
  editLinks: Guide['editLinks']
  search: Search
  files: ArchiveParts['files']
  downloads: Downloads
  thumbnails: Thumbnails
  pngs: Pngs
  archiveSlots: Slots
  archiveRates: ArchiveRates
  archiveLengths: ArchiveParts['archiveLengths']
  /** The files of archives of exports. */
  exportArchives: Cache<ExportedArchive>
  /** The event stream of `dev`; undefined for any other service. */
  live: Live | undefined
  /** Set if replies are written into a copy of the guide. */
  copy: GuideCopy | undefined
  /** Whether replies have cache tags. */
  hasCacheTags: boolean
}
