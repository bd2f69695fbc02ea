import { readFile } from 'node:fs/promises'
import { type MaybePromise, once } from '../base/promise.ts'
import { SCOPES } from '../contract/operations.ts'
import { RETRY_SOON } from '../contract/refusals.ts'
import { type Reply, withHeaders } from '../exchange/message.ts'
import type { Assets } from '../site/assets.ts'

/** The addresses that belong to the service itself, by path: what they answer to GET. */
export type ServiceRoutes = Readonly<Record<string, () => MaybePromise<Reply>>>

/** What the service says of itself. */
export type ServiceRoutesParts = {
  publicUrl: string
  assets: Assets
  /** Whether requests can be answered, and what is said of that. */
  readiness: () => Promise<{ isReady: boolean; text: string }>
  keySet: () => Promise<object>
  metrics: () => Promise<{ contentType: string; text: string }>
}

const PACKAGE = new URL('../../', import.meta.url)
const FOR_A_WHILE = 'public, max-age=300'

/** Makes the service's own pages; what does not change is made once, when it is first asked for. */
export function serviceRoutes({ publicUrl, assets, readiness, keySet, metrics }: ServiceRoutesParts): ServiceRoutes {
  const metadata = JSON.stringify(serverMetadata(publicUrl))
  return {
    '/healthz': () => page('text/plain', 'ok\n'),
    '/readyz': async () => {
      const { isReady, text } = await readiness()
      const reply = page('text/plain', text)
      return isReady ? reply : withHeaders({ ...reply, status: 503 }, RETRY_SOON)
    },
    '/metrics': async () => {
      const { contentType, text } = await metrics()
      return page(contentType, text)
    },
    '/.well-known/jwks.json': async () =>
      page('application/jwk-set+json', JSON.stringify(await keySet()), 'public, max-age=60'),
    '/.well-known/oauth-authorization-server': () => page('application/json', metadata, FOR_A_WHILE),
    '/openapi.json': asset(new URL('openapi.json', PACKAGE), 'application/json'),
    '/docs': once(async () => (await import('../site/api-docs.ts')).apiDocsPage(publicUrl, assets)),
  }
}

function asset(path: URL, contentType: string): () => Promise<Reply> {
  return once(async () => page(contentType, await readFile(path), FOR_A_WHILE))
}

function page(contentType: string, content: string | Uint8Array, caching = 'no-store'): Reply {
  return {
    status: 200,
    headers: ['Content-Type', contentType, 'Cache-Control', caching, 'X-Content-Type-Options', 'nosniff'],
    body: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  }
}

/** Where and how tokens are given (RFC 8414 §2). */
function serverMetadata(issuer: string): object {
  return {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    service_documentation: `${issuer}/docs`,
  }
}
