import { refusalReply, refuse, refuseUnavailable } from '#brand/contract/refusals.ts'
import { type Ids, READ, type Route } from '#brand/contract/route.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { decodeSegments } from '#platform/exchange/target.ts'
import { ProcessFailed, QueueFull } from '#platform/processes/failure.ts'
import { FOLDER_SCHEMAS } from './folder-schemas.ts'
import { GUIDE_ROUTES, REVISION_ROUTES, type SiteRow } from './guide-routes.ts'
import { themeFileReply, themeReply } from './introduction.ts'
import { EVENTS_PATH } from './live.ts'
import { notFound } from './pages/not-found.ts'
import type { Site } from './site.ts'
import { robotsReply, sitemapsReply } from './texts/root-texts.ts'
import { homeReply, workspaceReply } from './workspace-page.ts'

/** The fields of rows for everyone. */
const PAGE = { methods: READ, name: 'page', who: 'everyone', limit: 'address' } as const
const FILE = { ...PAGE, limit: 'none' } as const

/** The addresses outside guides. */
const ROOT_ROUTES: readonly SiteRow[] = [
  { ...PAGE, pattern: '/', answer: homeReply },
  { ...FILE, pattern: '/robots.txt', answer: robotsReply },
  { ...FILE, pattern: '/sitemap.xml', answer: sitemapsReply },
  {
    ...FILE,
    pattern: '/.well-known/brand.json',
    name: 'export',
    answer: async (site, request) => (await import('./brand-discovery.ts')).discoveryReply(site, request),
  },
  { ...FILE, pattern: EVENTS_PATH, name: 'asset', answer: ({ live }) => live?.events() },
  {
    ...FILE,
    pattern: '/assets/{key}/{name}',
    name: 'asset',
    answer: ({ assets, pages }, request) => {
      const asset = assets.find(request.path)
      return asset && pages.reply(request.path, request, () => asset)
    },
  },
  { ...FILE, pattern: '/{workspace}/-/theme/{key}.css', sent: 0, name: 'asset', answer: themeReply },
  ...['logo', 'font'].map(kind => ({
    ...FILE,
    pattern: `/{workspace}/-/${kind}/{key}/{filename}`,
    sent: 0,
    name: 'file',
    answer: themeFileReply,
  })),
  ...Array.from(FOLDER_SCHEMAS, ([pattern, read]) => ({
    ...FILE,
    pattern,
    name: 'docs',
    answer: ({ pages }: Site, request: Request) => pages.reply(pattern, request, read),
  })),
  // A path with one segment and a dot, such as `/favicon.ico`, is not a workspace.
  { ...FILE, pattern: '/{file}', sent: 0, answer: () => undefined },
  {
    ...PAGE,
    pattern: '/{workspace}',
    sent: 0,
    answer: (site, request, { workspace }) => workspaceReply(site, request, workspace),
  },
]

/** Redirects to the path without its trailing slash, if it is otherwise valid. */
const OTHER_PATHS: SiteRow = {
  ...PAGE,
  pattern: '/{rest}',
  answer: ({ here }, { path, query }) => {
    const segments = path.endsWith('/') && decodeSegments(path.slice(0, -1))
    // Encoded again, because browsers would treat a leading backslash as the host of another site.
    return segments
      ? redirect(308, here(`/${segments.map(encodeURIComponent).join('/')}`) + (query && `?${query}`))
      : undefined
  },
}

/** The addresses of the website; the last row fits every path. */
export const SITE_ROUTES: readonly Route<{ site: Site }>[] = [
  ...ROOT_ROUTES,
  ...REVISION_ROUTES,
  ...GUIDE_ROUTES,
  OTHER_PATHS,
].map(row => ({ ...row, answer: ({ site }, request, ids) => replyOrNotFound(row, site, request, ids) }))

async function replyOrNotFound(row: SiteRow, site: Site, request: Request, ids: Ids): Promise<Reply> {
  try {
    return (await row.answer(site, request, ids)) ?? (await notFound(request, site))
  } catch (error) {
    // Child processes are overloaded, or failed.
    if (error instanceof QueueFull) return refusalReply(refuseUnavailable(), site.service.access.publicUrl)
    if (!(error instanceof ProcessFailed)) throw error
    return refusalReply(refuse('unavailable', ['Retry-After', '5']), site.service.access.publicUrl)
  }
}
