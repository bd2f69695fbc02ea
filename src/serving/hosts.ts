import { memoize } from '../base/text.ts'
import { addressOn, OWN_PARTS, pathInside, pathOutside } from '../contract/place.ts'
import { isOwnHost } from '../exchange/ip-address.ts'
import type { Place } from '../exchange/message.ts'
import { basePath } from '../exchange/target.ts'
import type { HostTarget } from '../settings/hosts.ts'
import type { Roots } from './addresses.ts'

/** The hosts of workspaces and guides. The places are other objects after each change. */
export type Hosts = {
  /** The place of a `Host` field, which may have a port and any case; undefined for the service itself, and unknown hosts. */
  at: (field: string | undefined) => Place | undefined
  /** Whether the service answers at a host: always without a public URL, else at the own name, `localhost`, and IP addresses. */
  isKnown: (field: string | undefined) => boolean
  /** The place of a guide: its own host, or that of its workspace. Without a project, that of the workspace. */
  of: (target: HostTarget) => Place | undefined
  /** The path below the service of an absolute address of it or of a host; undefined for any other. */
  pathOf: (address: string) => string | undefined
}

/** Creates the hosts of a service with this public URL, whose scheme and port they have. `set` gives them their targets. */
export function createHosts(
  publicUrl: string,
  isChecked: boolean,
): Hosts & { set: (targets: Iterable<readonly [host: string, HostTarget]>) => void } {
  const { protocol, port, hostname: own } = new URL(publicUrl)
  const byRoot = new Map<string, Place>()
  const places = new Map<string, Place>()
  const reader = () =>
    memoize(field => ({
      place: places.get(field.toLowerCase().replace(/\.?(?::\d*)?$/, '')),
      isOwn: !isChecked || isOwnHost(field, own),
    }))
  let read = reader()
  const at: Hosts['at'] = (field = '') => read(field).place
  return {
    at,
    isKnown: (field = '') => read(field).isOwn,
    of: target => byRoot.get(rootOf(target)) ?? byRoot.get(rootOf({ workspace: target.workspace })),
    pathOf: address => {
      if (address.startsWith(`${publicUrl}/`)) return address.slice(publicUrl.length)
      const place = at(URL.parse(address)?.host)
      return place && address.startsWith(`${place.url}/`)
        ? pathInside(place, address.slice(place.url.length))
        : undefined
    },
    set: targets => {
      for (const map of [places, byRoot]) map.clear()
      for (const [host, target] of targets) {
        const root = rootOf(target)
        const place = { ...target, host, root, url: `${protocol}//${host}${port && `:${port}`}` }
        places.set(host, place)
        if (!byRoot.has(root)) byRoot.set(root, place)
      }
      read = reader()
    },
  }
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
  if (workspace === '-' || (project === '-' && OWN_PARTS.test(part))) return pathAt(publicUrl, here, path)
  const place = hosts.of({ workspace, ...(project !== '' && project !== '-' && { project }) })
  return addressAt(publicUrl, place, here, path) || '/'
}

/** The path at a place for a path below the service, which does not tell whether its target is at another host. */
export function pathAt(publicUrl: string, here: Place | undefined, path: string): string {
  return addressAt(publicUrl, here, here, path) || '/'
}

/** The address of a path of the service at its place, as seen at another: empty for the root of `here`. */
function addressAt(publicUrl: string, place: Place | undefined, here: Place | undefined, path: string): string {
  if (place === here) return place ? pathOutside(place, path) : basePath(publicUrl) + path
  return addressOn(publicUrl, place, path)
}
