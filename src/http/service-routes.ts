import { readFile } from 'node:fs/promises'
import { type MaybePromise, once } from '../base/promise.ts'
import { SCOPES } from '../contract/operations.ts'
import { RETRY_SOON } from '../contract/refusals.ts'
import type { HeaderList, Reply } from '../exchange/message.ts'
import { content, json } from '../exchange/reply.ts'
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

const OPENAPI = new URL('../../openapi.json', import.meta.url)
const FOR_A_MINUTE: HeaderList = ['Cache-Control', 'public, max-age=60']
const FOR_A_WHILE: HeaderList = ['Cache-Control', 'public, max-age=300']

/** Makes the service's own pages; what does not change is made once, when it is first asked for. */
export function serviceRoutes({ publicUrl, assets, readiness, keySet, metrics }: ServiceRoutesParts): ServiceRoutes {
  return {
    '/healthz': () => content('text/plain', 'ok\n'),
    '/readyz': async () => {
      const { isReady, text } = await readiness()
      return content('text/plain', `${text}\n`, isReady ? {} : { status: 503, headers: RETRY_SOON })
    },
    '/metrics': async () => {
      const { contentType, text } = await metrics()
      return content(contentType, text)
    },
    '/.well-known/jwks.json': async () =>
      content('application/jwk-set+json', JSON.stringify(await keySet()), { caching: FOR_A_MINUTE }),
    '/.well-known/oauth-authorization-server': () => json(serverMetadata(publicUrl), { caching: FOR_A_WHILE }),
    '/openapi.json': once(async () => content('application/json', await readFile(OPENAPI), { caching: FOR_A_WHILE })),
    '/docs': once(async () => (await import('../site/api-docs.ts')).apiDocsPage(publicUrl, assets)),
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
