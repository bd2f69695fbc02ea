import { percentDecode } from '#platform/base/text.ts'

const RAW = 'raw.githubusercontent.com'
const VIEWS = new Set(['blob', 'tree', 'raw'])

/** Reads an address such as `https://github.com/acme/brand/blob/main/logo.svg`, also of GitLab and of raw files; `path` begins with the branch. */
function placeOf(address: string): { repository: string; path: readonly string[] } | undefined {
  const { protocol, host = '', pathname } = URL.parse(address) ?? {}
  if (pathname === undefined || !/^https?:$/.test(protocol ?? '')) return undefined
  const [, ...parts] = pathname.split('/').map(part => percentDecode(part) ?? part)
  const view = host === RAW ? 2 : parts.findIndex((part, at) => at > 1 && VIEWS.has(part))
  if (view < 2) return undefined
  const names = [host === RAW ? 'github.com' : host, ...parts.slice(0, view).filter(part => part !== '-')]
  const path = parts.slice(host === RAW ? 2 : view + 1)
  return { repository: names.join('/').toLowerCase(), path }
}

/** The path of an address in its repository that a source has; a branch has up to three names. */
function pathIn(path: readonly string[], has: (path: string) => boolean): string | undefined {
  return [1, 2, 3].map(branch => path.slice(branch).join('/')).find(each => each !== '' && has(each))
}

/** Finds the repository of a source by the addresses on its pages: the one with the most that name one of its files. */
export function ownRepository(addresses: readonly string[], has: (path: string) => boolean): string | undefined {
  const counts = new Map<string, number>()
  for (const place of addresses.flatMap(address => placeOf(address) ?? [])) {
    const path = pathIn(place.path, has)
    // Most repositories have such a file.
    if (path === undefined || /^(?:readme|licen[cs]e|contributing|changelog)\b[^/]*$/i.test(path)) continue
    counts.set(place.repository, (counts.get(place.repository) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

/** The path from the root of a source that an address of its own repository names. */
export function pathInRepository(address: string, repository: string, has: (path: string) => boolean) {
  const place = placeOf(address)
  return place?.repository === repository ? pathIn(place.path, has) : undefined
}
