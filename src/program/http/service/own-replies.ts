import { readFile } from 'node:fs/promises'
import { RETRY_SOON } from '#brand/contract/refusals.ts'
import { PACKAGE } from '#platform/base/own-files.ts'
import { type MaybePromise, once } from '#platform/base/promise.ts'
import type { HeaderList, Reply } from '#platform/exchange/message.ts'
import { content } from '#platform/exchange/reply.ts'
import { basePath } from '#platform/exchange/target.ts'
import type { Assets } from '#site/assets.ts'

/** The replies that describe the service itself. */
export type OwnReplies = Record<'readiness' | 'keySet' | 'metrics' | 'openApi' | 'docs', () => MaybePromise<Reply>>

type Source = {
  publicUrl: string
  assets: Assets
  /** Whether the service is ready, and a message that names what it lacks. Everyone may read it. */
  readiness: () => Promise<{ isReady: boolean; text: string }>
  keySet: () => Promise<object>
  metrics: () => string
}

/** Makes these replies. Unchanging pages are made once, on first use. */
export function ownReplies({ publicUrl, assets, readiness, keySet, metrics }: Source): OwnReplies {
  return {
    readiness: async () => {
      const { isReady, text } = await readiness()
      return content('text/plain', `${text}\n`, isReady ? {} : { status: 503, headers: RETRY_SOON })
    },
    metrics: () => content('text/plain; version=0.0.4; charset=utf-8', metrics()),
    keySet: async () =>
      content('application/jwk-set+json', JSON.stringify(await keySet()), { caching: CACHE_ONE_MINUTE }),
    openApi: once(async () =>
      content('application/json', await openApiText(basePath(publicUrl)), { caching: CACHE_FIVE_MINUTES }),
    ),
    docs: once(() => docsPage(publicUrl, assets)),
  }
}

const OPENAPI = new URL('openapi.json', PACKAGE)
const CACHE_ONE_MINUTE: HeaderList = ['Cache-Control', 'public, max-age=60']
export const CACHE_FIVE_MINUTES: HeaderList = ['Cache-Control', 'public, max-age=300']

async function openApiText(base: string): Promise<string> {
  const document = await readFile(OPENAPI, 'utf8')
  return base === '' ? document : (await import('#brand/contract/openapi.ts')).openApiBelow(base, document)
}

async function docsPage(publicUrl: string, assets: Assets): Promise<Reply> {
  const { replyExamples } = await import('#brand/contract/openapi.ts')
  const { apiDocsPage } = await import('#site/api-docs.ts')
  return apiDocsPage(publicUrl, assets, replyExamples(await readFile(OPENAPI, 'utf8')))
}
