import { parseHostTarget } from '#platform/settings/hosts.ts'
import { addHost } from '#serving/access/hosts.ts'
import { accessTo } from './access-context.ts'
import type { TemporaryStore } from './temporary-store.ts'
import { cookieField, type Visit, type Visitor, visitor } from './visitor.ts'

/** Gives places their own hosts: `{ 'guide.test': 'acme/guide' }`. */
export async function addHosts(
  { store }: Pick<TemporaryStore, 'store'>,
  hosts: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [host, place] of Object.entries(hosts)) {
    const added = await addHost(accessTo(store), host, parseHostTarget(place) ?? { workspace: '' }, new Date())
    if (!added.ok) throw new Error(added.problem.message)
  }
}

/** A browser that sends the host of absolute addresses. Cookies are kept for each host. */
export function browserOf(service: Parameters<typeof visitor>[0]): Pick<Visitor, 'get' | 'post'> & {
  /** The cookies that it sends to an address. */
  cookieOf: (url: string) => string
  /** Asks an issuer, which listens on this machine. */
  fetched: (url: string) => Promise<Visit>
  /** Follows the redirects to an address, and gives the last reply. */
  follow: (visit: Visit, at: string) => Promise<Visit & { url: string }>
} {
  const visitors = new Map<string, Visitor>()
  const at = (url: string) => {
    const { host } = new URL(url)
    const own = visitors.get(host) ?? visitor(service)
    visitors.set(host, own)
    return { own, headers: { host } }
  }
  const get: Visitor['get'] = (url, headers = {}) => {
    const { own, headers: sent } = at(url)
    return own.get(url, { ...sent, ...headers })
  }
  return {
    get,
    fetched,
    cookieOf: url => cookieField(at(url).own.cookies, new URL(url).pathname),
    post: (url, fields, headers = {}) => {
      const { own, headers: sent } = at(url)
      return own.post(url, fields, { ...sent, ...headers })
    },
    follow: async (visit, from) => {
      let [last, url] = [visit, from]
      for (let hops = 0; hops < 10 && last.status >= 300 && last.status < 400; hops++) {
        url = new URL(last.headers.get('location') ?? '', url).href
        last = /^http:\/\/127\.0\.0\.1:(?!9\/)/.test(url) ? await fetched(url) : await get(url)
      }
      return { ...last, url }
    },
  }
}

async function fetched(url: string): Promise<Visit> {
  const reply = await fetch(url, { redirect: 'manual' })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}
