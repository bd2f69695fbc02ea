import { type DownloadSource, download } from './download.ts'
import { HousestyleError, type Limit } from './error.ts'
import {
  type CurrentOperations,
  currentOperations,
  type RequestOptions,
  type RevisionOperations,
  revisionOperations,
  segment,
} from './operations.ts'
import { type Fetch, type Platform, platformOf } from './platform.ts'
import { replyCache } from './replies.ts'
import { checkedMs } from './time.ts'
import { type ClientCredentials, clientTokens, givenTokens, type Token, type TokenSource } from './token.ts'
import { type BrandEvent, type FileNotice, type WatchOptions, watch } from './watch.ts'

export type {
  BrandFile,
  Color,
  FileList,
  FontMetadata,
  ImageMetadata,
  Page,
  PageList,
  PageSummary,
  Project,
  ProjectList,
  ProjectSummary,
  Reply,
  Styles,
  TypeStyle,
  Workspace,
  WorkspaceReply,
} from './operations.ts'
export {
  type BrandEvent,
  type ClientCredentials,
  type CurrentOperations,
  type DownloadSource,
  type Fetch,
  type FileNotice,
  HousestyleError,
  type Limit,
  type RequestOptions,
  type RevisionOperations,
  type Token,
  type WatchOptions,
}

/** The settings of a client. `token`, or `clientId` with `clientSecret`, is required. */
export type ClientOptions = {
  /** The address of the API, such as `https://brand.example.com/beta`. */
  baseUrl: string
  /** The id of the workspace. */
  workspace: string
  /** The time limit of one attempt in milliseconds; 30,000 by default. A request has up to three attempts. */
  timeout?: number
  /** Replaces the `fetch` of the platform, for example to use a proxy. */
  fetch?: Fetch
} & (
  | (ClientCredentials & { token?: never })
  | { token: Token | ClientCredentials; clientId?: never; clientSecret?: never }
)

/** A client for one workspace. */
export type Client = CurrentOperations &
  RevisionOperations & {
    /** The operations of an earlier revision, for projects with `revisions: served`. */
    revision: (revision: number) => RevisionOperations
    /**
     * Downloads a file of `listFiles`, or a URL; needs no token. The body of the reply continues after lost
     * connections (`Range`, `If-Range`), so it either is complete or fails.
     */
    download: (file: DownloadSource, options?: RequestOptions) => Promise<Response>
    /**
     * The published revisions of the projects that the token covers, then every change, until the loop is left. It
     * reconnects by itself and continues where it was; it throws only errors that last, such as a revoked token.
     */
    watch: (options?: WatchOptions) => AsyncGenerator<BrandEvent, void, void>
  }

const TIMEOUT_MS = 30_000

/**
 * Makes a client for a workspace. It sends nothing before the first request.
 *
 * @throws {TypeError} if an option is missing or malformed
 *
 * @example
 * const brand = createClient({ baseUrl: 'https://brand.example.com/beta', workspace: 'acme', token })
 * const { data } = await brand.getStyles('guidelines')
 */
export function createClient(options: ClientOptions): Client {
  const publicUrl = publicUrlOf(options.baseUrl)
  const workspace = `workspace/${segment(options.workspace)}`
  const standardFetch: Fetch = (url, init) => fetch(url, init)
  const platform = platformOf(options.fetch ?? standardFetch, checkedMs('timeout', options.timeout ?? TIMEOUT_MS))
  const tokens = tokensOf(options, platform, `${publicUrl}/oauth/token`)
  const getReply = replyCache(platform, tokens)
  const address = `${publicUrl}/beta/${workspace}`
  const client = { ...currentOperations(address, getReply), ...revisionOperations(address, getReply) }
  return {
    ...client,
    revision: revision => {
      if (!Number.isSafeInteger(revision) || revision < 1) throw new TypeError(`There is no revision ${revision}.`)
      return revisionOperations(`${publicUrl}/revision/${revision}/beta/${workspace}`, getReply)
    },
    download: (file, { signal } = {}) => download(platform, file, signal),
    watch: options => watch({ platform, tokens, client, address: `${publicUrl}/events/${workspace}` }, options),
  }
}

/** The address of the service, which is the base URL without its last segment. */
function publicUrlOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  const [, path] = /^(.*)\/beta\/?$/.exec(pathname) ?? []
  if (path !== undefined) return origin + path
  throw new TypeError(`The baseUrl ${baseUrl} does not end with /beta, as in https://brand.example.com/beta.`)
}

function tokensOf({ token, ...options }: ClientOptions, platform: Platform, url: string): TokenSource {
  if (typeof token === 'function' || (typeof token === 'string' && token !== '')) return givenTokens(token)
  const { clientId, clientSecret } = typeof token === 'object' ? token : options
  if (clientId && clientSecret) return clientTokens(platform, url, { clientId, clientSecret })
  throw new TypeError('There is no token. Give a token, or clientId and clientSecret.')
}
