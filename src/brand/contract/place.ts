import { wordSet } from '#platform/base/text.ts'
import type { Place } from '#platform/exchange/message.ts'

/*
 * A place is a host of its own for a guide or a workspace, such as `brand.acme.com` for `/acme/guidelines`, its root in the
 * service.
 */

/** The absolute address of a path of the service at a place. */
export function addressOn(publicUrl: string, place: Place | undefined, path: string): string {
  return place ? place.url + pathOutside(place, path) : publicUrl + path
}

/** The path at a host for a path below the service. */
export function pathOutside({ root, workspace }: Place, path: string): string {
  for (const start of [root, `/${workspace}`])
    if (path === start || path.startsWith(`${start}/`)) return path.slice(start.length)
  return path
}

/**
 * The path below the service for a path at a host. Everything there is below the workspace or the guide, except what
 * browsers load for every page, and signing in. A guide's own names below `/-/` never begin like those of its workspace.
 */
export function pathInside({ root, workspace, project }: Place, path: string): string {
  const [, name = '', part = ''] = path.split('/')
  /** `theme` of `/-/theme/…`; empty for other paths. */
  const dashPart = name === '-' ? part : ''
  const samePaths = project === undefined ? OF_WORKSPACES : OF_GUIDES
  if (SIGN_IN_PARTS.has(dashPart) || samePaths.has(path)) return path
  if (path === '/') return root
  if (path === BRAND) return `${root}/-/exports/brand.json`
  if (project !== undefined && OWN_PARTS.has(dashPart)) return `/${workspace}${path}`
  const moved = [
    ['/-/assets/', '/assets/'],
    [`${RESOURCE}/`, `${RESOURCE}${root}/`],
    [WELL_KNOWN, `${root}/-${WELL_KNOWN}`],
  ] as const
  for (const [start, target] of moved) if (path.startsWith(start)) return target + path.slice(start.length)
  return root + path
}

const SIGN_IN_PARTS = wordSet('signin signed-in signout')

/** The parts of pages, sessions and the editor of a workspace, which each of its guides has at its own host. */
export const OWN_PARTS = wordSet('theme logo font sessions edit')

const WELL_KNOWN = '/.well-known/'
const RESOURCE = `${WELL_KNOWN}oauth-protected-resource`
const BRAND = `${WELL_KNOWN}brand.json`

/** Paths that are the same at the host of a guide as in the service. */
const OF_GUIDES: ReadonlySet<string> = new Set(['*', '/robots.txt'])

/** Paths that are the same at the host of a workspace as in the service. */
const OF_WORKSPACES: ReadonlySet<string> = new Set([...OF_GUIDES, '/sitemap.xml', BRAND])
