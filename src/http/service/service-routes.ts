import { readFile } from 'node:fs/promises'
import {
  AGENTS_PATH,
  guideAgentsPath,
  METADATA_PATH as RESOURCE_PATH,
  resourceMetadata,
} from '../../agents/metadata.ts'
import { type MaybePromise, once } from '../../base/promise.ts'
import { nextTurn } from '../../base/steps.ts'
import { RETRY_SOON } from '../../contract/refusals.ts'
import type { HeaderList, Reply } from '../../exchange/message.ts'
import { content, json } from '../../exchange/reply.ts'
import { basePath, decodeSegments, withoutBase } from '../../exchange/target.ts'
import { serverMetadata } from '../../signin/agents/server/server-metadata.ts'
import type { Assets } from '../../site/assets.ts'

/** The service's own paths, each with its reply to GET. */
export type ServiceRoutes = Readonly<Record<string, () => MaybePromise<Reply>>>

export type ServiceRoutesParts = {
  publicUrl: string
  assets: Assets
  /** Whether the service is ready, and a message that names what it lacks. Everyone may read it. */
  readiness: () => Promise<{ isReady: boolean; text: string }>
  keySet: () => Promise<object>
  metrics: () => string
}

const OPENAPI = new URL('../../../openapi.json', import.meta.url)
const METADATA_PATH = '/.well-known/oauth-authorization-server'
const CACHE_ONE_MINUTE: HeaderList = ['Cache-Control', 'public, max-age=60']
const CACHE_FIVE_MINUTES: HeaderList = ['Cache-Control', 'public, max-age=300']

/** Makes the service's own pages. Unchanging pages are made once, on first use. */
export function serviceRoutes({ publicUrl, assets, readiness, keySet, metrics }: ServiceRoutesParts): ServiceRoutes {
  const base = basePath(publicUrl)
  const metadata = () => json(serverMetadata(publicUrl), { caching: CACHE_FIVE_MINUTES })
  const resource = () => json(resourceMetadata(publicUrl), { caching: CACHE_FIVE_MINUTES })
  return {
    '/healthz': () => content('text/plain', 'ok\n'),
    '/readyz': async () => {
      const { isReady, text } = await readiness()
      return content('text/plain', `${text}\n`, isReady ? {} : { status: 503, headers: RETRY_SOON })
    },
    '/metrics': () => content('text/plain; version=0.0.4; charset=utf-8', metrics()),
    '/.well-known/jwks.json': async () =>
      content('application/jwk-set+json', JSON.stringify(await keySet()), { caching: CACHE_ONE_MINUTE }),
    [METADATA_PATH]: metadata,
    // The place for an issuer whose URL has a path (RFC 8414 §3.1).
    [METADATA_PATH + base]: metadata,
    [RESOURCE_PATH + AGENTS_PATH]: resource,
    // The place for a resource below a path (RFC 9728 §3.1).
    [RESOURCE_PATH + base + AGENTS_PATH]: resource,
    '/openapi.json': once(async () =>
      content('application/json', await openApiText(base), { caching: CACHE_FIVE_MINUTES }),
    ),
    '/docs': once(() => docsPage(publicUrl, assets)),
  }
}

/** The metadata of the endpoint of a guide, which may not exist; undefined for any other path. */
export function guideMetadata(publicUrl: string, path: string): (() => Reply) | undefined {
  if (!path.startsWith(`${RESOURCE_PATH}/`) || !path.endsWith(`/-${AGENTS_PATH}`)) return undefined
  const below = withoutBase(path.slice(RESOURCE_PATH.length), basePath(publicUrl))
  const [workspace = '', project = '', ...rest] = decodeSegments(below) ?? []
  const resource = rest.length === 2 ? guideAgentsPath({ workspace, project }) : undefined
  if (resource === undefined) return undefined
  return () => json(resourceMetadata(publicUrl, resource), { caching: CACHE_FIVE_MINUTES })
}

async function openApiText(base: string): Promise<string> {
  const document = await readFile(OPENAPI, 'utf8')
  return base === '' ? document : (await import('../../contract/openapi.ts')).openApiBelow(base, document)
}

/** Yields to other requests between steps. */
async function docsPage(publicUrl: string, assets: Assets): Promise<Reply> {
  const { replyExamples } = await import('../../contract/openapi.ts')
  const { apiDocsPage } = await import('../../site/api-docs.ts')
  await nextTurn()
  const examples = replyExamples(await readFile(OPENAPI, 'utf8'))
  await nextTurn()
  return apiDocsPage(publicUrl, assets, examples)
}
