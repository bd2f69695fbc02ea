import { addressOn, OWN_PARTS, pathInside, pathOutside } from '../contract/place.ts'
import { isOwnHost } from '../exchange/ip-address.ts'
import type { Place } from '../exchange/message.ts'
import { basePath } from '../exchange/target.ts'
import type { HostTarget } from '../settings/hosts.ts'
import type { Roots } from './addresses.ts'

/** The hosts of workspaces and guides. The places are other objects after each change. */
export type Hosts = {
  /**
   * The place of a `Host` field, which may have a port and any case; undefined for the service itself. `unknown`: for a
   * service with a public URL, any other name than its own, `localhost` and IP addresses.
   */
  at: (field: string | undefined) => Place | 'unknown' | undefined
  /** The path below the service of a path at a `Host` field. */
  inside: (path: string, field: string | undefined) => string
  /** The place of a guide: its own host, or that of its workspace. Without a project, that of the workspace. */
  of: (target: HostTarget) => Place | undefined
  /** The path below the service of an absolute address of it or of a host; undefined for any other. */
  pathOf: (address: string) => string | undefined
}

/** Makes the hosts of a service with this public URL, whose scheme and port they have. */
export function makeHosts(
  publicUrl: string,
  targets: ReadonlyMap<string, HostTarget>,
  { isChecked }: { isChecked: boolean },
): Hosts {
  const { protocol, port, hostname: own } = new URL(publicUrl)
  const places = new Map<string, Place>()
  const byRoot = new Map<string, Place>()
  for (const [host, target] of targets) {
    const root = rootOf(target)
    const place = { ...target, host, root, url: `${protocol}//${host}${port && `:${port}`}` }
    places.set(host, place)
    if (!byRoot.has(root)) byRoot.set(root, place)
  }
  const find = (name: string) => {
    const place = places.get(name)
    return place || !isChecked || isOwnHost(name, own) ? place : 'unknown'
  }
  // Nearly all requests repeat a few fields.
  const fields = new Map<string, Place | undefined>()
  const at: Hosts['at'] = (field = '') => {
    if (fields.has(field)) return fields.get(field)
    const place = find(hostName(field))
    if (place !== 'unknown' && fields.size < MAX_FIELDS) fields.set(field, place)
    return place
  }
  return {
    at,
    inside: (path, field) => {
      const place = at(field)
      return place && place !== 'unknown' ? pathInside(place, path) : path
    },
    of: target => byRoot.get(rootOf(target)) ?? byRoot.get(rootOf({ workspace: target.workspace })),
    pathOf: address => {
      if (address.startsWith(`${publicUrl}/`)) return address.slice(publicUrl.length)
      const url = URL.parse(address)
      const place = url && places.get(url.hostname)
      return place && address.startsWith(`${place.url}/`)
        ? pathInside(place, address.slice(place.url.length))
        : undefined
    },
  }
}

const MAX_FIELDS = 1000

/** The name in a `Host` field: in lower case, without port and final dot. */
function hostName(field: string): string {
  return field.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

function rootOf({ workspace, project }: HostTarget): string {
  return project === undefined ? `/${workspace}` : `/${workspace}/${project}`
}

/** The start of the addresses of pages and files: absolute, with pages at their own host and files at the public URL. */
export function absoluteRoots(publicUrl: string, hosts: Pick<Hosts, 'of'>): Roots {
  return { page: ref => addressOn(publicUrl, hosts.of(ref), rootOf(ref)), file: ref => publicUrl + rootOf(ref) }
}

/** The same for links on pages of a place: paths, except to pages that are at another host. */
export function rootsAt(publicUrl: string, hosts: Pick<Hosts, 'of'>, here: Place | undefined): Roots {
  return {
    page: ref => addressAt(publicUrl, hosts.of(ref), here, rootOf(ref)),
    file: ref => addressAt(publicUrl, here, here, rootOf(ref)),
  }
}

/**
 * The address of a path below the service, for links on pages of a place: a path, or absolute if it is at another host.
 * Browsers load the parts of a page, and send its session, only to the host of the page.
 */
export function linkAt(publicUrl: string, hosts: Pick<Hosts, 'of'>, here: Place | undefined, path: string): string {
  const [, workspace = '', project = '', part = ''] = path.split(/[/?]/)
  if (workspace === '-' || (project === '-' && OWN_PARTS.test(part)))
    return addressAt(publicUrl, here, here, path) || '/'
  const place = hosts.of({ workspace, ...(project !== '' && project !== '-' && { project }) })
  return addressAt(publicUrl, place, here, path) || '/'
}

/** The address of a path of the service at its place, as seen at another: empty for the root of `here`. */
function addressAt(publicUrl: string, place: Place | undefined, here: Place | undefined, path: string): string {
  if (place === here) return place ? pathOutside(place, path) : basePath(publicUrl) + path
  return addressOn(publicUrl, place, path)
}
