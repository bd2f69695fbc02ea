import { addressOn, OWN_PARTS, pathInside, pathOutside } from '#brand/contract/place.ts'
import { placeText } from '#brand/ids.ts'
import { canonicalOrigin } from '#platform/base/server-url.ts'
import { memoize } from '#platform/base/text.ts'
import { isOwnHost } from '#platform/exchange/ip-address.ts'
import type { Place } from '#platform/exchange/message.ts'
import { basePath } from '#platform/exchange/target.ts'
import type { HostTarget } from '#platform/settings/hosts.ts'
import type { DamagedRow } from '#store/store-error.ts'
import type { Roots } from './addresses.ts'

/** The hosts of workspaces and guides. The places are other objects after each change. */
export type Hosts = {
  /** The place of a `Host` field, which may have a port and any case; undefined for the service itself, and unknown hosts. */
  at: (field: string | undefined) => Place | undefined
  /**
   * Whether the service answers at a host: always without a public URL, else at the own name, `localhost`, and IP
   * addresses. Throws the damaged row of a host.
   */
  isKnown: (field: string | undefined) => boolean
  /** The place of a guide: its own host, or that of its workspace. Without a project, or for none, that of the workspace. */
  of: (target: HostTarget) => Place | undefined
  /** The path below the service of an absolute address of it or of a host; undefined for any other. */
  pathOf: (address: string) => string | undefined
}

/**
 * Creates the hosts of a service with this public URL, whose scheme and port they have. `set` gives them their targets,
 * and the rows that cannot be read.
 */
export function createHosts(publicUrl: string, isChecked: boolean): Hosts & { set: SetHosts } {
  const url = new URL(publicUrl)
  const isOwn = (field: string) => !isChecked || isOwnHost(field, url.hostname)
  let table = hostTable(url, isOwn, [])
  const at: Hosts['at'] = (field = '') => table.readField(field).place
  return {
    at,
    isKnown: (field = '') => {
      const { damagedRow, isOwn } = table.readField(field)
      if (damagedRow) throw damagedRow
      return isOwn
    },
    of: target => table.placeAt(rootOf(target)) ?? table.placeAt(rootOf({ workspace: target.workspace })),
    pathOf: address => {
      const canonical = canonicalOrigin(address)
      if (canonical.startsWith(`${publicUrl}/`)) return canonical.slice(publicUrl.length)
      const place = at(URL.parse(canonical)?.host)
      if (!place || !canonical.startsWith(`${place.url}/`)) return undefined
      return pathInside(place, canonical.slice(place.url.length))
    },
    set: (targets, damaged) => {
      table = hostTable(url, isOwn, targets, damaged)
    },
  }
}

type SetHosts = (targets: Iterable<readonly [host: string, HostTarget]>, damaged?: DamagedRow[]) => void

/** The hosts until the next change: what a `Host` field names, and the first host of a root, `/acme/web` or `/acme`. */
function hostTable(
  { protocol, port }: URL,
  isOwn: (field: string) => boolean,
  ...[targets, damaged = []]: Parameters<SetHosts>
) {
  const places = Array.from(targets, ([host, target]): Place => {
    return { ...target, host, root: rootOf(target), url: `${protocol}//${host}${port && `:${port}`}` }
  })
  const placeByHost = new Map(places.map(place => [place.host, place]))
  const placeByRoot = new Map(places.toReversed().map(place => [place.root, place]))
  const damagedByHost = new Map(damaged.map(row => [`${row.key.host}`.toLowerCase(), row]))
  // Requests repeat few fields, so each is read once.
  const readField = memoize(field => {
    const host = field.toLowerCase().replace(/\.?(?::\d*)?$/, '') // `Brand.Example.:443` names `brand.example`.
    return { place: placeByHost.get(host), damagedRow: damagedByHost.get(host), isOwn: isOwn(field) }
  })
  return { readField, placeAt: (root: string) => placeByRoot.get(root) }
}

/** The path of a guide or a workspace below the service: `/acme/web`, `/acme`. */
function rootOf(target: HostTarget): string {
  return `/${placeText(target)}`
}

/** The start of the addresses of pages and files: absolute, with pages at their own host and files at the public URL. */
export function absoluteRoots(publicUrl: string, hosts: Pick<Hosts, 'of'>): Roots {
  return { page: ref => addressOn(publicUrl, hosts.of(ref), rootOf(ref)), file: ref => publicUrl + rootOf(ref) }
}

/**
 * The links on pages of a place: paths, or absolute addresses for what is at another host. `at` links to a path below the
 * service; `here` gives the path at this place, even for what is at another host. Files, and paths such as
 * `/-/signin`, always stay at this place, because browsers load the parts of a page, and send its session, only to the
 * host of the page.
 */
export function linksAt(
  publicUrl: string,
  hosts: Pick<Hosts, 'of'>,
  place: Place | undefined,
): Roots & Record<'at' | 'here', (path: string) => string> {
  const base = basePath(publicUrl)
  const onThisHost = (path: string) => (place ? pathOutside(place, path) : base + path)
  const link = (other: Place | undefined, path: string) =>
    other === place ? onThisHost(path) : addressOn(publicUrl, other, path)
  return {
    page: ref => link(hosts.of(ref), rootOf(ref)),
    file: ref => onThisHost(rootOf(ref)),
    at: path => {
      // `/acme/web/-/colors`, `/acme/-/manage` or `/-/signin`.
      const [, workspace = '', project = '', part = ''] = path.split(/[/?]/)
      const staysHere = workspace === '-' || (project === '-' && OWN_PARTS.has(part))
      return (staysHere ? onThisHost(path) : link(hosts.of({ workspace, project }), path)) || '/'
    },
    here: path => onThisHost(path) || '/',
  }
}
