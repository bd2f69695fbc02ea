import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryLimit } from './access/allowance.ts'
import { type Audience, audienceOf } from './access/audience.ts'
import { openGate } from './access/gate.ts'
import { publicKeySet, signingKey } from './access/signing.ts'
import { once } from './brand/once.ts'
import { refusalReply, refuse } from './contract/refusals.ts'
import type { Reply } from './exchange/message.ts'
import { type Listening, listen } from './http/server.ts'
import { BASE, makeService, type OwnPages, type Service } from './http/service.ts'
import { addressesBelow } from './serving/addresses.ts'
import { openDownloads } from './serving/downloads.ts'
import { openPointers, type Pointers } from './serving/pointers.ts'
import { keepPrepared } from './serving/prepared.ts'
import { openPublications } from './serving/publications.ts'
import type { Settings } from './settings.ts'
import { homePage } from './site/home.ts'
import { hasStore, openStore, type Store } from './store/store.ts'
import { type Log, openLog } from './telemetry/log.ts'
import { type Metrics, openMetrics } from './telemetry/metrics.ts'

/** A service that answers. */
export type Running = { url: string; baseUrl: string; stop: () => Promise<void> }

/** Opens the store that the settings name, for as long as the work takes. */
export async function withStore<Value>(settings: Settings, work: (store: Store) => Promise<Value>): Promise<Value> {
  const store = await openStore(settings.data)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** The same for work that keeps nothing: where there is no store yet, with an empty one that is gone afterwards. */
export async function withStoreAsItIs<Value>(
  settings: Settings,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  if (hasStore(settings.data)) return withStore(settings, work)
  const data = await mkdtemp(join(tmpdir(), 'housestyle-'))
  try {
    return await withStore({ ...settings, data }, work)
  } finally {
    await rm(data, { recursive: true })
  }
}

/** Whom tokens of this store are from and for, under these settings. */
export function audienceFor(settings: Settings, store: Store): Audience {
  return audienceOf(settings.publicUrl, store.identity.urn)
}

/** The log that the settings ask for, on stderr. */
export function logFor(settings: Settings, isTerminal: boolean): Promise<Log> {
  return openLog(settings.log, isTerminal)
}

/** Starts the service on a store, and follows what other processes publish until it is stopped. */
export async function startService(settings: Settings, store: Store, log: Log): Promise<Running> {
  const metrics = openMetrics()
  const server = await listen(settings.host, settings.port, log, metrics.countRequest)
  try {
    const url = settings.publicUrl ?? addressOf(server)
    const clocks = { clock: () => Date.now(), ticks: () => performance.now() }
    const { service, follow } = await openService({ settings, store, log, metrics, url, ...clocks })
    const following = inTurn(follow, error => log.error({ err: error }, 'the store cannot be read'))
    const unwatch = store.database.watch(following.soon)
    following.soon()
    server.answerWith(service, url)
    const stop = async () => {
      await server.stop()
      unwatch()
      await following.end()
    }
    return { url, baseUrl: `${url}${BASE}`, stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** What the service is opened on. */
export type ServiceSource = {
  settings: Pick<Settings, 'publicUrl' | 'rate' | 'cors'>
  store: Store
  log: Log
  metrics: Metrics
  /** The service's own address, without a slash at its end. */
  url: string
  /** The time of day, in milliseconds. */
  clock: () => number
  /** Milliseconds that never go back. */
  ticks: () => number
}

/** The most that prepared replies take, in bytes. */
const PREPARED_BYTES = 128 << 20

/** Opens the service without a socket; `follow` has it notice what has moved in the store. */
export async function openService(source: ServiceSource): Promise<{ service: Service; follow: () => Promise<void> }> {
  const { settings, store, log, metrics, url, clock, ticks } = source
  const { database } = store
  await signingKey(database, new Date(clock()))
  const gate = await openGate(database, audienceOf(settings.publicUrl, store.identity.urn), reason => {
    metrics.countRefusedToken(reason)
    log.info({ reason }, 'a token was refused')
  })
  const pointers = await openPointers(database)
  const addresses = addressesBelow(url, store.identity.fileSecret)
  const shared = { pointers, openPublication: openPublications(database), publicUrl: url, gate, clock }
  const limit = settings.rate && memoryLimit(settings.rate, ticks)
  const service = makeService({
    api: { ...shared, prepared: keepPrepared(PREPARED_BYTES), addresses, ...(limit && { limit }) },
    site: { ...shared, downloads: openDownloads(store.files, addresses) },
    own: ownPages(url, store, pointers, metrics),
    origins: new Set(settings.cors),
  })
  let isAccessDue = false
  const follow = async () => {
    const { access } = await pointers.follow()
    isAccessDue ||= access
    if (isAccessDue) await gate.refresh()
    isAccessDue = false
  }
  return { service, follow }
}

/** Runs the work again and again, never twice at once; what comes while it runs makes one more run, as a failure does. */
function inTurn(work: () => Promise<void>, failed: (error: unknown) => void) {
  const ending = new AbortController()
  let running: Promise<void> | undefined
  let isDue = false
  const run = async () => {
    while (isDue && !ending.signal.aborted) {
      isDue = false
      try {
        await work()
      } catch (error) {
        failed(error)
        isDue = true
        await sleep(RETRY_MS, undefined, ending).catch(() => undefined)
      }
    }
    running = undefined
  }
  return {
    soon: () => {
      isDue = true
      running ??= run()
    },
    end: async () => {
      ending.abort()
      await running
    },
  }
}

const RETRY_MS = 500

function addressOf({ host, port }: Listening): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  return `http://${local.includes(':') && !local.startsWith('[') ? `[${local}]` : local}:${port}`
}

const PACKAGE = new URL('../', import.meta.url)

function ownPages(url: string, store: Store, pointers: Pointers, metrics: Metrics): OwnPages {
  const text = (contentType: string, content: string | Uint8Array, caching = 'no-store'): Reply => ({
    status: 200,
    headers: ['Content-Type', contentType, 'Cache-Control', caching, 'X-Content-Type-Options', 'nosniff'],
    body: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  })
  const asset = (path: URL, contentType: string) =>
    once(async () => text(contentType, await readFile(path), 'public, max-age=300'))
  return {
    '/': () => homePage(pointers),
    '/healthz': () => text('text/plain', 'ok\n'),
    '/readyz': async () => ((await isReadable(store)) ? text('text/plain', 'ready\n') : notReady(url)),
    '/metrics': async () => {
      const { contentType, text: lines } = await metrics.text()
      return text(contentType, lines)
    },
    '/.well-known/jwks.json': async () =>
      text('application/jwk-set+json', JSON.stringify(await publicKeySet(store.database)), 'public, max-age=60'),
    '/openapi.json': asset(new URL('openapi.json', PACKAGE), 'application/json'),
    '/docs': once(async () => (await import('./site/api-docs.ts')).apiDocsPage(url)),
    '/assets/site.css': asset(new URL('./site/site.css', import.meta.url), 'text/css; charset=utf-8'),
  }
}

async function isReadable({ database }: Store): Promise<boolean> {
  try {
    return (await database.get('SELECT 1 AS ready')) !== undefined
  } catch {
    return false
  }
}

function notReady(url: string): Reply {
  return refusalReply(refuse('unavailable', ['Retry-After', '1']), url)
}
