import { readFile } from 'node:fs/promises'
import { type MaybePromise, once } from '../../base/promise.ts'
import { nextTurn } from '../../base/steps.ts'
import { SCOPES } from '../../contract/operations.ts'
import { RETRY_SOON } from '../../contract/refusals.ts'
import type { HeaderList, Reply } from '../../exchange/message.ts'
import { content, json } from '../../exchange/reply.ts'
import { basePath } from '../../exchange/target.ts'
import type { Assets } from '../../site/assets.ts'

/** The service's own paths, and what each answers to GET. */
export type ServiceRoutes = Readonly<Record<string, () => MaybePromise<Reply>>>

export type ServiceRoutesParts = {
  publicUrl: string
  assets: Assets
  /** Whether requests can be answered, and why not, in words. */
  readiness: () => Promise<{ isReady: boolean; text: string }>
  keySet: () => Promise<object>
  metrics: () => Promise<{ contentType: string; text: string }>
}

const OPENAPI = new URL('../../../openapi.json', import.meta.url)
const METADATA_PATH = '/.well-known/oauth-authorization-server'
const FOR_A_MINUTE: HeaderList = ['Cache-Control', 'public, max-age=60']
const FOR_A_WHILE: HeaderList = ['Cache-Control', 'public, max-age=300']

/** Makes the service's own pages. What does not change is made once, on first use. */
export function serviceRoutes({ publicUrl, assets, readiness, keySet, metrics }: ServiceRoutesParts): ServiceRoutes {
  const base = basePath(publicUrl)
  const metadata = () => json(serverMetadata(publicUrl), { caching: FOR_A_WHILE })
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
    [METADATA_PATH]: metadata,
    // Where a client looks for an issuer whose URL has a path (RFC 8414 §3.1).
    [METADATA_PATH + base]: metadata,
    '/openapi.json': once(async () => content('application/json', await openApiText(base), { caching: FOR_A_WHILE })),
    '/docs': once(() => docsPage(publicUrl, assets)),
  }
}

async function openApiText(base: string): Promise<string> {
  const document = await readFile(OPENAPI, 'utf8')
  return base === '' ? document : (await import('../../contract/openapi.ts')).openApiBelow(base, document)
}

/** Others are answered between each two steps, since most services never need this code, and it is loaded only here. */
async function docsPage(publicUrl: string, assets: Assets): Promise<Reply> {
  await import('../../contract/guide.ts')
  await nextTurn()
  const { replyExamples } = await import('../../contract/openapi.ts')
  await nextTurn()
  const { apiDocsPage } = await import('../../site/api-docs.ts')
  await nextTurn()
  const examples = replyExamples(await readFile(OPENAPI, 'utf8'))
  await nextTurn()
  return apiDocsPage(publicUrl, assets, examples)
}

/** Where and how clients get tokens (RFC 8414 §2). */
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
