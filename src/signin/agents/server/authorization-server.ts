import { once } from '../../../base/promise.ts'
import { refusalReply, refuse } from '../../../contract/refusals.ts'
import type { HeaderList, Reply, Request } from '../../../exchange/message.ts'
import { noContent } from '../../../exchange/reply.ts'
import type { Assets } from '../../../site/assets.ts'
import { refusedPage } from '../../../site/pages/refused-authorization.ts'
import { knownParameters } from './authorization-parameters.ts'
import type { Exchanged, OpenProvider, ProviderParts } from './provider.ts'

export type AuthorizationServerParts = ProviderParts & {
  assets: Assets
  /** Whether an address may begin one more authorization now. */
  mayAuthorize: (address: string) => boolean
}

/** The authorization server as functions from requests to replies. It is loaded after the start, or on first use. */
export type AuthorizationServer = {
  /** Answers `/oauth/authorize` and its continuation, `/oauth/authorize/{uid}`. */
  authorize: (request: Request) => Promise<Reply>
  /** Passes a request of a program to the library, and returns its reply and, if it may have a token, what it is for. */
  exchange: (request: Request) => Promise<{ reply: Reply; exchanged: Exchanged | undefined }>
  load: () => Promise<OpenProvider>
}

export function openAuthorizationServer(parts: AuthorizationServerParts): AuthorizationServer {
  const load = once(async () => (await loadQuietly()).openProvider(parts))
  const exchange = async (request: Request) => {
    const { provider, exchanged, faults } = await load()
    const { passToNode } = await import('./bridge.ts')
    const handle = provider.callback()
    const done: { exchanged: Exchanged | undefined; fault: Error | undefined } = {
      exchanged: undefined,
      fault: undefined,
    }
    const reply = await passToNode(parts.publicUrl, request, async (incoming, outgoing) => {
      await handle(incoming, outgoing)
      Object.assign(done, { exchanged: exchanged.get(incoming), fault: faults.get(incoming) })
    })
    if (done.fault) throw done.fault
    return { reply, exchanged: done.exchanged }
  }
  return {
    load,
    exchange,
    authorize: async request => {
      if (request.method === 'OPTIONS') return noContent(['Allow', METHODS])
      if (request.method !== 'GET')
        return refusalReply(refuse('method-not-allowed', ['Allow', METHODS]), parts.publicUrl)
      const isNew = request.path === AUTHORIZE_PATH
      if (isNew && !parts.mayAuthorize(request.address)) return refusedPage(parts.assets, 429, TOO_MANY)
      const query = isNew ? knownParameters(request.query) : ''
      const { reply } = await exchange({ ...request, query })
      const problem = isNew && isPublishedByAnyone(query) ? problemForElsewhere(parts.publicUrl, reply) : undefined
      return problem === undefined ? forBrowser(parts.assets, reply) : refusedPage(parts.assets, 400, problem)
    },
  }
}

export const AUTHORIZE_PATH = '/oauth/authorize'
const METHODS = 'GET, OPTIONS'
const TOO_MANY = 'too many requests from your network in a minute'

/** The library warns on stderr about Node versions without long-term support; our log must only have our own lines. */
async function loadQuietly() {
  const { warn } = console
  console.warn = () => undefined
  try {
    return await import('./provider.ts')
  } finally {
    console.warn = warn
  }
}

/** Whether a program has no registration: anyone can publish the metadata of a program. */
function isPublishedByAnyone(query: string): boolean {
  return new URLSearchParams(query).get('client_id')?.startsWith('https://') === true
}

/**
 * The problem that a reply would report to the address of a program on another machine; undefined if the reply redirects
 * elsewhere. Before the person decides, such a redirect could lead from a link to this service to any site (RFC 9700
 * §4.11.2).
 */
function problemForElsewhere(publicUrl: string, { headers }: Reply): string | undefined {
  const location = headers[headers.indexOf('location') + 1] ?? ''
  if (!URL.canParse(location) || location.startsWith(`${publicUrl}/`)) return undefined
  const { protocol, search, hash } = new URL(location)
  const parameters = new URLSearchParams(`${search}&${hash.slice(1)}`)
  return protocol === 'http:' ? undefined : (parameters.get('error_description') ?? 'unknown')
}

/** A reply of the library for a browser: a redirect, or an error as a page. */
function forBrowser(assets: Assets, { status, headers, body }: Reply): Reply {
  if (status >= 400) return refusedPage(assets, status, problemIn(body))
  const kept: string[] = []
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2)
    const isKept = name === 'location' || (name === 'set-cookie' && !value.startsWith('housestyle-unused'))
    if (isKept) kept.push(name, value)
  }
  return { status, headers: [...kept, ...PRIVACY], hasOwnHeaders: true, body: new Uint8Array() }
}

const PRIVACY: HeaderList = ['Cache-Control', 'no-store', 'Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex']

/** The library's description of a problem. */
function problemIn(body: Reply['body']): string {
  try {
    const { error_description: description, error } = JSON.parse(
      body instanceof Uint8Array ? new TextDecoder().decode(body) : '{}',
    )
    return String(description ?? error ?? 'unknown')
  } catch {
    return 'unknown'
  }
}
