import type { PermitContext } from '../access/permitted-reply.ts'
import type { RefusedPerson, Sessions } from '../access/session/session-verifier.ts'
import type { Signins } from '../access/session/signins.ts'
import type { Shares } from '../access/share/share-verifier.ts'
import type { WorkspaceProfile } from '../brand/workspace-theme.ts'
import type { Cache } from '../caches/cache.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { FontReader } from '../fonts/font-reader.ts'
import type { Addresses } from '../serving/addresses.ts'
import type { Downloads } from '../serving/downloads/downloads.ts'
import type { ArchiveContext } from '../serving/downloads/project-archive.ts'
import type { OpenProjects } from '../serving/pointers/open-projects.ts'
import type { Pointers } from '../serving/pointers/pointers.ts'
import type { FindEarlier, ListKnown } from '../serving/publications/earlier.ts'
import type { ListOldFiles } from '../serving/publications/old-files.ts'
import type { OpenPublication } from '../serving/publications/publications.ts'
import type { ResponseCache } from '../serving/replies/response-cache.ts'
import type { Usage } from '../serving/usage.ts'
import type { Assets } from './assets.ts'
import type { ExportedArchive } from './exports/export-view.ts'
import type { Guide, GuideCopy } from './guide/guide.ts'
import type { Live } from './live.ts'
import type { Renderer } from './markdown/renderer.ts'
import type { Pngs } from './thumbnails/pngs.ts'
import type { Thumbnails } from './thumbnails/thumbnails.ts'

/** The objects that the website shares with the other modules. */
export type SiteShared = PermitContext & {
  /** The path of the public URL. */
  base: string
  /** Absolute addresses, and addresses as paths. */
  urls: Addresses
  paths: Addresses
  assets: Assets
  files: ArchiveContext['files']
  pointers: Pointers
  openProjects: OpenProjects
  openPublication: OpenPublication
  shares: Shares
  signins: Pick<Signins, 'of'>
  sessions: Pick<Sessions, 'person' | 'people' | 'live'>
  /** The person whom a proxy names in a request, if the rules of the workspace refuse them. */
  refusedPerson: (request: Request, workspace: string) => Promise<RefusedPerson | undefined>
  /** The served fields of a workspace that the pages before its guides show. */
  profileOf: (workspace: string) => Promise<WorkspaceProfile | undefined>
  editorPath?: Guide['editorPath']
  /** Set if replies are written into a copy of the guide. */
  copy?: GuideCopy
  hasCacheTags: boolean
  /** Counts requests; absent for copies, and if usage is off. */
  usage?: Usage | undefined
}

/** The context of the website. */
export type SiteContext = SiteShared &
  ArchiveContext & {
    responseCache: ResponseCache
    render: Renderer['render']
    fontFacts: FontReader['facts']
    fontSubset: FontReader['subset']
    earlier: FindEarlier
    revisions: ListKnown
    oldFiles: ListOldFiles
    editLinks: Guide['editLinks']
    search: (guide: Guide, request: Request, usage?: Usage) => Promise<Reply>
    downloads: Downloads
    thumbnails: Thumbnails
    pngs: Pngs
    exportArchives: Cache<ExportedArchive>
    /** The event stream of `dev`; undefined for any other service. */
    live: Live | undefined
  }
