import type { PermitContext } from '../access/permitted-reply.ts'
import type { RefusedPerson, Sessions } from '../access/session/session-verifier.ts'
import type { Signins } from '../access/session/signins.ts'
import type { Shares } from '../access/share/share-verifier.ts'
import type { serial } from '../base/promise.ts'
import type { EditLinks } from '../brand/edit-link.ts'
import type { ProjectRef } from '../brand/ids.ts'
import type { WorkspaceProfile } from '../brand/workspace-theme.ts'
import type { Cache } from '../caches/cache.ts'
import type { Request } from '../exchange/message.ts'
import type { ExportedArchive } from '../export/make-export.ts'
import type { FontReader } from '../fonts/font-reader.ts'
import type { Indexes } from '../search/indexer.ts'
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
import type { Live } from './live.ts'
import type { Renderer } from './markdown/renderer.ts'
import type { Pngs } from './thumbnails/pngs.ts'
import type { Thumbnails } from './thumbnails/thumbnails.ts'

/** The objects that the website shares with the other modules. */
export type SiteShared = PermitContext & {
  /** The path of the public URL. */
  base: string
  /** Absolute addresses, for files and pages that are read elsewhere. */
  urls: Addresses
  /** Addresses as paths, so that links work under every host name of the service. */
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
  /**
   * The path before that of the editor for a project of a workspace with an edit address; undefined if no editor is on
   * for it. Absent for copies.
   */
  editorPath?: ((workspace: string, template: string) => string | undefined) | undefined
  /**
   * Set if replies are written into a copy of a guide in a folder, of a draft or of a revision. It cannot request anything
   * outside the folder.
   */
  copy?: { isDraft: boolean }
  hasCacheTags: boolean
  /** Counts requests; absent for copies, and if usage is off. */
  usage?: Usage | undefined
}

/** The website: the objects that all its pages share. */
export type Site = SiteShared &
  ArchiveContext & {
    responseCache: ResponseCache
    /** Renders Markdown as safe HTML. Its links must already be addresses. */
    render: Renderer['render']
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
    indexes: Indexes
    /** Searches run one at a time. */
    searchInTurn: ReturnType<typeof serial>
    downloads: Downloads
    thumbnails: Thumbnails
    pngs: Pngs
    exportArchives: Cache<ExportedArchive>
    /** The event stream of `dev`; undefined for any other service. */
    live: Live | undefined
  }
