import { DRAFT_PATH, REVISION_PATH, type Scope } from '#brand/contract/operations.ts'
import { type CorsFields, type HiddenRoute, type Ids, type Limit, READ, type Who } from '#brand/contract/route.ts'
import { type BrandFile, isFont } from '#brand/file.ts'
import { HOME_PAGE } from '#brand/page.ts'
import type { UsageKind } from '#brand/usage.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import { type Reply, type Request, withHeaders, withReplaced } from '#platform/exchange/message.ts'
import { redirect } from '#platform/exchange/reply.ts'
import type { ShareKind } from '#serving/access/share/shares.ts'
import { filesArchive, kitArchive } from '#serving/downloads/archive-selection.ts'
import { currentFile } from '#serving/publications/library.ts'
import { PRIVATE_CACHING, type Publication } from '#serving/publications/publications.ts'
import { cacheTags } from '#serving/replies/content-keys.ts'
import { countReply } from '#serving/usage.ts'
import { FILE_FIELDS, forAnyOrigin, preflightReply } from './any-origin.ts'
import { type Access, recordAt, withAccess, withDraftAccess, withRevisionAccess } from './authorize.ts'
import {
  archive,
  bookReply,
  exportSelection,
  fontReply,
  type GuideReply,
  replyWithAccess,
  shareLinkReply,
  view,
} from './guide-reply.ts'
import { notFound } from './pages/not-found.ts'
import { searchReply } from './search/search.ts'
import type { Site } from './site.ts'
import { parseThumbnailWidth } from './thumbnails/thumbnail.ts'

/*
 * The addresses of a guide. Two tables list them: `FILE_ROWS` for its files, whose keys are unguessable, and `GUIDE_ROWS`
 * for everything else. Each address exists at three places, which differ in who may see it: below the published guide, its
 * draft, and each of its revisions.
 */

/** An address below a place of a guide. Its words may be sent in any encoding (`sent: 0`). */
type GuideRow = {
  below: string
  /** Default: `page`. */
  name?: string
  /** Default: `reader`. */
  who?: Who
  /** Default: `address`. */
  limit?: Limit
  /** Whether the reply is for programs, and shows no reader. */
  isForAll?: boolean
  /** The scopes that a token needs in addition to `document.read`; absent for pages, as in `Wanted`. */
  scopes?: (ids: Ids) => Promise<readonly Scope[]>
  /** The header fields for pages of other origins, except for drafts. */
  cors?: CorsFields
  /** Whether pages of every origin may read the reply if the guide is public. */
  isOpen?: true
  /** The item that the usage of the published guide counts. */
  counts?: readonly [UsageKind, item: (ids: Ids) => string]
  reply: GuideReply
}

/** Style sheets with a query are limited, because any number of queries exist; those without one are not. */
const SHEET = { limit: 'query', isForAll: true } as const
const ARCHIVE = {
  name: 'archive',
  who: 'downloader',
  limit: 'none',
  isForAll: true,
  scopes: async () => ['files.read'],
} as const satisfies Partial<GuideRow>
const BOOK = { name: 'export', who: 'exporter', limit: 'none', isForAll: true, scopes: async () => [] } as const
const EXPORT = { ...BOOK, isOpen: true } as const

const COUNTS_PAGE = ['page', ({ page }: Ids) => page] as const
const COUNTS_HOME = ['page', () => HOME_PAGE] as const

/** The parts of the address of the home page as Markdown, which is not below that of the guide: `/acme/web.md`. */
const HOME = { page: HOME_PAGE, rest: `${HOME_PAGE}.md` }

/** An address of files below a place of a guide. */
type FileRow = Pick<GuideRow, 'below' | 'cors' | 'isOpen'> & {
  name: string
  reply: (site: Site, found: FoundFile, request: Request, ids: Ids) => MaybePromise<Reply | undefined>
}

type FoundFile = { publication: Publication; file: BrandFile }

const FILE_ROWS: readonly FileRow[] = [
  {
    below: '/-/files/{key}/{filename}',
    name: 'file',
    cors: FILE_FIELDS,
    isOpen: true,
    reply: async (site, { publication, file }, request) => {
      const reply = await site.downloads.reply(publication, file, request)
      const { record } = publication
      if (!record.draftOf && record.managedRevision === undefined)
        countReply(site.service.usage, request, reply, record, 'file', file.path)
      return isFont(file) ? forAnyOrigin(site, publication, reply) : reply
    },
  },
  ...(['png', 'jpg'] as const).map(
    (name): FileRow => ({
      below: `/-/${name}/{key}/{filename}.${name}`,
      name,
      reply: ({ pngs }, { publication, file }, request) => pngs(publication, file, request, name),
    }),
  ),
  {
    below: '/-/thumbnails/{key}/{width}/{filename}',
    name: 'thumbnail',
    reply: async ({ thumbnails, paths }, { publication, file }, request, ids) => {
      const width = parseThumbnailWidth(ids.width)
      const reply = width && (await thumbnails(publication, file, width, request))
      return reply === 'file' ? redirect(307, paths.file(publication.record, file)) : reply
    },
  },
]

async function fileReply(
  site: Site,
  publication: Publication,
  { row, request, ids }: { row: FileRow; request: Request; ids: Ids },
): Promise<Reply | undefined> {
  const file = await site.downloads.find(publication, ids.key, ids.filename)
  return file && row.reply(site, { publication, file }, request, ids)
}

/** An earlier revision may be retracted without a new publication. */
const CHANGES: Parameters<typeof view>[1] = {
  query: ['from', 'to', 'page'],
  shows: ({ access, version }) => `${version}:${access.hasToken}`,
}

/** The start of current addresses below that of a guide. */
const CURRENT = '/-/current/'

/** The first row that fits an address is used. */
const GUIDE_ROWS: readonly GuideRow[] = [
  {
    below: '.md',
    isForAll: true,
    counts: COUNTS_HOME,
    reply: asked => view('markdown')({ ...asked, ids: { ...asked.ids, ...HOME } }),
  },
  { below: '', counts: COUNTS_HOME, reply: view('home', { shows: ({ access }) => access.link?.id ?? '' }) },
  {
    below: '/index',
    reply: async ({ site, access }) => redirect(308, site.paths.project(access.publication.record)),
  },
  { below: '/llms.txt', isForAll: true, reply: view('agentIndex') },
  { below: '/llms-full.txt', isForAll: true, reply: view('agentText') },
  { below: '/sitemap.xml', isForAll: true, reply: view('sitemap') },
  { below: '/-/pages', reply: view('pages') },
  { below: '/-/changes', reply: view('changes', CHANGES) },
  { below: '/-/changes.css', ...SHEET, isForAll: false, reply: view('changesSheet', CHANGES) },
  { below: '/-/changes.atom', isForAll: true, reply: view('changesFeed', { shows: ({ version }) => `${version}` }) },
  { below: '/-/use', reply: view('use') },
  { below: '/-/colors', reply: view('colors') },
  { below: '/-/colors/{color}', reply: view('palette') },
  { below: '/-/contrast', reply: view('pair', { query: ['text', 'ground'] }) },
  { below: '/-/contrast/{pair}.css', ...SHEET, reply: view('pairSheet') },
  { below: '/-/contrast/{color}', reply: view('contrast') },
  { below: '/-/type', reply: view('type') },
  { below: '/-/type/{name}', reply: view('family') },
  { below: '/-/type.css', ...SHEET, reply: view('typeSheet') },
  { below: '/-/theme.css', ...SHEET, isOpen: true, reply: view('themeSheet') },
  { below: '/-/files', reply: view('files', { query: 'use' }) },
  { below: '/-/files.css', ...SHEET, reply: view('fileFaces', { query: 'use' }) },
  // Versions of a retracted revision are left out without a new publication.
  {
    below: '/-/files/versions.json',
    isForAll: true,
    reply: view('versions', { shows: ({ version }) => `${version}` }),
  },
  {
    below: '/-/files.zip',
    ...ARCHIVE,
    counts: ['file', () => 'files/'],
    reply: archive(({ access, request }) => filesArchive(access.publication.record.project, request.query)),
  },
  { below: '/-/files/{list}.css', ...SHEET, cors: FILE_FIELDS, reply: view('fileFaces', { query: 'use' }) },
  { below: '/-/files/{list}', cors: FILE_FIELDS, reply: view('files', { query: 'use' }) },
  { below: '/-/folder/{path}', reply: view('folder') },
  { below: '/-/file/{path}', reply: view('file') },
  {
    below: '/-/kits/{folder}.zip',
    ...ARCHIVE,
    counts: ['file', ({ folder }) => `files/${folder}/`],
    reply: archive(({ ids }) => kitArchive(ids.folder)),
  },
  {
    below: '/-/exports/{format}.zip',
    ...EXPORT,
    scopes: ({ format }) => scopesOfExport(`${format}.zip`),
    counts: ['export', ({ format }) => `${format}.zip`],
    reply: archive(exportSelection),
  },
  {
    below: '/-/exports/{format}',
    ...EXPORT,
    scopes: ({ format }) => scopesOfExport(format),
    counts: ['export', ({ format }) => format],
    reply: view('export'),
  },
  { below: '/-/book.pdf', ...BOOK, counts: ['export', () => 'book.pdf'], reply: bookReply },
  { below: '/-/fonts/{font}', name: 'font', limit: 'none', isForAll: true, isOpen: true, reply: fontReply },
  {
    below: '/-/search',
    name: 'search',
    reply: async ({ guide, request }) => searchReply(await guide(), request),
  },
  { below: '/{page}.md', isForAll: true, counts: COUNTS_PAGE, reply: view('markdown') },
  { below: '/{page}', counts: COUNTS_PAGE, reply: view('page') },
]

/**
 * Addresses that stay, only of the published guide: of its kits and exports, and of its files. Caches keep the replies
 * of a public guide for minutes.
 */
const CURRENT_ROWS: readonly GuideRow[] = [
  ...GUIDE_ROWS.filter(({ below }) => /^\/-\/(?:kits|exports)\//.test(below)).map(row => ({
    ...row,
    below: row.below.replace('/-/', CURRENT),
    isOpen: true as const,
    reply: currentReply(row.reply),
  })),
  {
    ...ARCHIVE,
    below: `${CURRENT}{path}`,
    name: 'file',
    isOpen: true,
    reply: currentReply(async ({ site, request, ids, access: { publication } }) => {
      const file = await currentFile(publication.content, ids.path)
      const reply = file && (await site.downloads.reply(publication, file, request))
      if (reply) countReply(site.service.usage, request, reply, publication.record, 'file', file.path)
      return reply
    }),
  },
]

/** A reply with the lifetime of current addresses. Its own address is the content's, so that both share their caches. */
function currentReply(reply: GuideReply): GuideReply {
  return async asked => {
    const { ids, access } = asked
    // `-/current/kits/logo.zip` has the cache keys of `-/kits/logo.zip`.
    const rest = ids.rest.replace(CURRENT.slice(1), '-/')
    const contentReply = await reply({ ...asked, ids: { ...ids, rest } })
    if (!contentReply || contentReply.status >= 400) return contentReply
    const isPublic = access.publication.published.visibility === 'public'
    return withReplaced(contentReply, isPublic ? CURRENT_CACHING : PRIVATE_CACHING)
  }
}

const CURRENT_CACHING = ['Cache-Control', 'public, max-age=300, stale-while-revalidate=60'] as const

async function scopesOfExport(file: string): Promise<readonly Scope[]> {
  const { exportScopes } = await import('#delivery/export/make-export.ts')
  return exportScopes(file)
}

export type SiteRow = HiddenRoute<Site>

/** The differences between the addresses of a guide, of its draft and of a revision. */
type Place = {
  /** The pattern of its own address. */
  start: string
  /** The number of segments in that address. */
  segments: number
  /** The readers who may see its pages; undefined if each row decides. */
  who: Who | undefined
  /** Absent if no link opens it. */
  share?: ShareKind
  /** Whether pages of other origins may use its files. */
  hasCors: boolean
  rows: readonly GuideRow[]
  /** Makes the answer of a row after the checks of the place. */
  file: (row: FileRow) => SiteRow['answer']
  guide: (row: GuideRow) => SiteRow['answer']
}

const DRAFT: Place = {
  start: `/{workspace}/{project}${DRAFT_PATH}`,
  segments: 4,
  who: 'reviewer',
  share: 'draft',
  hasCors: false,
  rows: GUIDE_ROWS,
  // Unlike the files of the published guide, these also need permission.
  file: row => (site, request, ids) =>
    withDraftAccess(site, request, ids, ({ publication }) => fileReply(site, publication, { row, request, ids })),
  guide: row => (site, request, ids) =>
    withDraftAccess(site, request, ids, access => replyWithAccess(site, request, ids, access, row)),
}

const PUBLISHED: Place = {
  start: '/{workspace}/{project}',
  segments: 2,
  who: undefined,
  share: 'guide',
  hasCors: true,
  rows: [...CURRENT_ROWS, ...GUIDE_ROWS],
  // The key is checked first, so that response time does not reveal which projects exist.
  file: row => async (site, request, ids) => {
    if (!site.urls.isFileKey(ids, ids.key)) return undefined
    const publication = site.service.openPublication(await recordAt(site.service.pointers, ids))
    return publication && withTags(site, publication, await fileReply(site, publication, { row, request, ids }))
  },
  guide: row => (site, request, ids) =>
    withAccess(site, request, {
      ref: ids,
      scopes: row.scopes?.bind(undefined, ids),
      reply: async access => {
        const reply = await replyWithAccess(site, request, ids, access, row)
        if (row.counts) countReply(site.service.usage, request, reply, ids, row.counts[0], row.counts[1](ids))
        const tagged = withTags(site, access.publication, reply)
        if (!row.isOpen) return tagged
        return forAnyOrigin(site, access.publication, tagged ?? (await notFound(request, site)))
      },
    }),
}

const REVISION: Place = {
  start: `/{workspace}/{project}${REVISION_PATH}/{revision}`,
  segments: 6,
  who: 'manager',
  hasCors: false,
  rows: GUIDE_ROWS,
  file: row =>
    revisionAnswer((site, request, ids, { publication }) => fileReply(site, publication, { row, request, ids })),
  guide: row => revisionAnswer((site, request, ids, access) => replyWithAccess(site, request, ids, access, row)),
}

/** Answers people who manage a project; everyone else gets what an unknown address of the guide gives. */
function revisionAnswer(
  reply: (site: Site, request: Request, ids: Ids, access: Access) => Promise<Reply | undefined>,
): SiteRow['answer'] {
  const unknown = PUBLISHED.guide({ below: '/{page}', reply: view('page') })
  return async (site, request, ids) =>
    (await withRevisionAccess(site, request, ids, access => reply(site, request, ids, access))) ??
    unknown(site, request, { ...ids, page: '-', rest: '-' })
}

export const GUIDE_ROUTES = routesOf(DRAFT, PUBLISHED)

/** The addresses of revisions for people who manage their guide. */
export const REVISION_ROUTES = routesOf(REVISION)

function routesOf(...places: readonly Place[]): readonly SiteRow[] {
  return places.flatMap(place => [
    ...(place.share ? [shareRoute(place.start, place.share)] : []),
    ...FILE_ROWS.map(row => fileRoute(place, row)),
    ...place.rows.map(row => guideRoute(place, row)),
  ])
}

function shareRoute(start: string, share: ShareKind): SiteRow {
  return {
    pattern: `${start}/-/share/{secret}`,
    sent: 0,
    methods: READ,
    name: 'share',
    who: 'link',
    limit: 'none',
    // The project is looked up only for a valid link, so that response time does not reveal which projects exist.
    answer: async (site, request, ids) => {
      const { workspace, project, secret } = ids
      const reply = await shareLinkReply(site, request, { workspace, project, kind: share }, secret)
      if (share === 'draft' || !reply) return reply
      const record = await recordAt(site.service.pointers, ids)
      return record && reply
    },
  }
}

function fileRoute({ start, who = 'link', hasCors, file }: Place, row: FileRow): SiteRow {
  const { below, name } = row
  const route = { pattern: start + below, sent: 0, methods: READ, name, who, limit: 'none', answer: file(row) } as const
  return hasCors ? withCors(route, row) : route
}

function guideRoute({ start, segments, who, hasCors, guide }: Place, row: GuideRow): SiteRow {
  const { below, name = 'page', limit = 'address' } = row
  const shared = { sent: 0, methods: READ, name, who: who ?? row.who ?? 'reader', limit, answer: guide(row) }
  const route = { ...shared, pattern: start + below, segments }
  return hasCors ? withCors(route, row) : route
}

/** A row whose replies pages of other origins may read: those of configured origins, or all. */
function withCors(route: SiteRow, { cors, isOpen }: Pick<GuideRow, 'cors' | 'isOpen'>): SiteRow {
  const row = cors ? { ...route, cors } : route
  if (!isOpen) return row
  const answer: SiteRow['answer'] = (site, request, ids) =>
    request.method === 'OPTIONS' ? preflightReply(site, request, ids) : route.answer(site, request, ids)
  return { ...row, hasOwnOptions: true, answer }
}

/** A reply with the fields by which a CDN purges it, if the operator wants them. */
function withTags({ service }: Site, publication: Publication, reply: Reply | undefined) {
  return reply && service.settings.cacheTags && reply.status < 400 ? withHeaders(reply, cacheTags(publication)) : reply
}
