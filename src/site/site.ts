import type { EditLinks } from '#brand/edit-link.ts'
import type { BrandFile } from '#brand/file.ts'
import type { FontReader } from '#brand/fonts/font-reader.ts'
import type { ProjectRef } from '#brand/ids.ts'
import type { ExportedArchive } from '#delivery/export/make-export.ts'
import type { Indexes } from '#delivery/search/indexer.ts'
import type { serial } from '#platform/base/promise.ts'
import type { Cache } from '#platform/caches/cache.ts'
import type { Place } from '#platform/exchange/message.ts'
import type { ServiceContext } from '#serving/access/service-context.ts'
import type { Addresses } from '#serving/addresses.ts'
import type { Downloads } from '#serving/downloads/downloads.ts'
import type { Archives } from '#serving/downloads/project-archive.ts'
import type { FindEarlier, ListKnown } from '#serving/publications/earlier.ts'
import type { ListOldFiles } from '#serving/publications/old-files.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { ResponseCache } from '#serving/replies/response-cache.ts'
import type { Assets } from './assets.ts'
import type { Live } from './live.ts'
import type { Renderer } from './markdown/renderer.ts'
import type { KeptPictures } from './thumbnails/kept-pictures.ts'
import type { Pngs } from './thumbnails/pngs.ts'
import type { Thumbnails } from './thumbnails/thumbnails.ts'

/** The website: the objects that all its pages share. */
export type Site = {
  service: ServiceContext
  /** The host at which it is read; undefined for the public URL. */
  place: Place | undefined
  /** Its own address without a slash: the public URL, or that of the host. */
  url: string
  /** The address of a path below the service, for links on its pages: a path, or absolute if it is at another host. */
  at: (path: string) => string
  /** The path here for one below the service. Replies to requests that may not see the target use it instead of `at`. */
  here: (path: string) => string
  /** Absolute addresses, for files and pages that are read elsewhere. */
  urls: Addresses
  /** Addresses for links on its pages, as `at` gives them. */
  paths: Addresses
  assets: Assets
  pages: ResponseCache
  /** Set if replies go into a copy of a guide, draft or revision in a folder, which can request nothing outside it. */
  copy: { isDraft: boolean } | undefined
  /** Renders Markdown as safe HTML. Its links must already be addresses. */
  render: Renderer['render']
  /** Renders what changed on a page. Undefined if it cannot be rendered. */
  renderChanges: Renderer['changes']
  fontFacts: FontReader['facts']
  fontSubset: FontReader['subset']
  /** Finds the note of a revision, and the earlier one that readers may compare it with. */
  earlier: FindEarlier
  /** Lists the revisions that readers know of. */
  revisions: ListKnown
  /** Lists the earlier versions of files. */
  oldFiles: ListOldFiles
  /** Finds the links for editing the files of a project; undefined if it has none. */
  editLinks: (project: ProjectRef) => Promise<EditLinks | undefined>
  /** Whether people may edit a workspace here; absent if nobody may edit any. */
  edits: ((workspace: string) => Promise<boolean>) | undefined
  /** Finds the book of a publication; absent if the service has none. */
  book: ((publication: Publication) => BrandFile | undefined) | undefined
  indexes: Indexes
  /** Searches run one at a time. */
  searchInTurn: ReturnType<typeof serial>
  downloads: Downloads
  archives: Archives
  exportArchives: Cache<ExportedArchive>
  thumbnails: Thumbnails
  pngs: Pngs
  /** Small PNGs for agents. */
  lightPngs: KeptPictures
  /** The event stream of `dev`; undefined for any other service. */
  live: Live | undefined
}
