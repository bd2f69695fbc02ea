import type { Place } from '#platform/exchange/message.ts'

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
  const own = /^\/-\/(?:(assets\/.*)|(?:signin|signed-in|signout)(?:\/.*)?)$/.exec(path)
  if (own) return own[1] === undefined ? path : `/${own[1]}`
  if (path === '/' || path === '*') return path === '/' ? root : path
  const isBrand = path === `${WELL_KNOWN}brand.json`
  if (path === '/robots.txt' || (project === undefined && (isBrand || path === '/sitemap.xml'))) return path
  if (isBrand) return `${root}/-/exports/brand.json`
  if (path.startsWith(`${RESOURCE}/`)) return RESOURCE + root + path.slice(RESOURCE.length)
  if (path.startsWith(WELL_KNOWN)) return `${root}/-${path}`
  const [, name = '', part = ''] = path.split('/')
  if (project !== undefined && name === '-' && OWN_PARTS.test(part)) return `/${workspace}${path}`
  return root + path
}

/** The parts of pages, sessions and the editor of a workspace, which each of its guides has at its own host. */
export const OWN_PARTS = /^(?:theme|logo|font|sessions|edit)$/

const WELL_KNOWN = '/.well-known/'
const RESOURCE = `${WELL_KNOWN}oauth-protected-resource`
