import type { WorkspaceProfile } from '#brand/workspace-theme.ts'
import type { Request } from '#platform/exchange/message.ts'
import type { Settings } from '#platform/settings/settings.ts'
import type { Addresses } from '../addresses.ts'
import type { VerifiedFiles } from '../downloads/verified-files.ts'
import type { Hosts } from '../hosts.ts'
import type { OpenProjects } from '../pointers/open-projects.ts'
import type { Pointers } from '../pointers/pointers.ts'
import type { OpenPublication } from '../publications/publications.ts'
import type { ServedRevisions } from '../publications/revisions.ts'
import type { ResponseCache } from '../replies/response-cache.ts'
import type { Usage } from '../usage.ts'
import type { AccessContext } from './context.ts'
import type { Limit } from './limit/limit-memory.ts'
import type { RefusedPerson, Sessions } from './session/session-verifier.ts'
import type { Signins } from './session/signins.ts'
import type { Shares } from './share/share-verifier.ts'
import type { TokenVerifier } from './token/token-verifier.ts'

/** The objects that all modules share which answer requests: who may have what, and the published content. */
export type ServiceContext = {
  settings: Pick<Settings, 'cacheTags' | 'cors'>
  access: AccessContext
  /** A monotonic clock in milliseconds. */
  ticks: () => number
  /** The request limit of a workspace, for requests with its tokens; undefined if they have none. */
  limit: Limit | undefined
  /** The request limit of a network, for public content. */
  publicLimit: Limit | undefined
  verifier: TokenVerifier
  shares: Shares
  signins: Pick<Signins, 'of' | 'all'>
  sessions: Pick<Sessions, 'person' | 'people' | 'hasCookie' | 'live'>
  /** The person whom a proxy names in a request, if the rules of the workspace refuse them. */
  refusedPerson: (request: Request, workspace: string) => Promise<RefusedPerson | undefined>
  /** The served fields of a workspace that the pages before its guides show. */
  profileOf: (workspace: string) => Promise<WorkspaceProfile | undefined>
  pointers: Pointers
  openProjects: OpenProjects
  openPublication: OpenPublication
  revisions: ServedRevisions
  files: VerifiedFiles
  hosts: Hosts
  urls: Addresses
  replies: ResponseCache
  /** Counts requests; absent for copies, and if usage is off. */
  usage?: Usage | undefined
}
