import { countAttempts } from './access/attempts.ts'
import { openGate } from './access/gate.ts'
import { fetchJson } from './access/key-set.ts'
import { ownIssuerReader } from './access/own-issuer.ts'
import { openShares } from './access/share-gate.ts'
import { publicKeySet } from './access/signing.ts'
import { trustEntries, trustedIssuers } from './access/trust.ts'
import { audienceFor, clientsOf, mintFor, sharesOf } from './compose/access.ts'
import { openLimit } from './compose/limit.ts'
import { openWebsite } from './compose/website.ts'
import { forOwnHosts } from './http/own-hosts.ts'
import { ownPages } from './http/own-pages.ts'
import { type Listening, listen } from './http/server.ts'
import { BASE, makeService, type Service } from './http/service.ts'
import { keepUndoingCopies, undoAbandonedCopies } from './publishing/place.ts'
import { followerOf, followStore } from './serving/following.ts'
import { openPointers } from './serving/pointers.ts'
import { keepPrepared } from './serving/prepared.ts'
import { openPublications } from './serving/publications.ts'
import { servedRevisions } from './serving/revisions.ts'
import type { Settings } from './settings.ts'
import type { FolderState, Live } from './site/live.ts'
import { isReadable, type Store } from './store/store.ts'
import { type Record, recordIn } from './telemetry/access-event.ts'
import type { Log } from './telemetry/log.ts'
import { type Metrics, openMetrics } from './telemetry/metrics.ts'

/** A service that answers. */
export type Running = {
  url: string
  baseUrl: string
  /** Once all that was published is served, has the pages that are open show it, and how their folder stands. */
  tell: (folder: FolderState) => void
  stop: () => Promise<void>
}

/**
 * Starts the service on a store, and follows what other processes publish until it is stopped. Where it is live, pages
 * listen to what they are told, and change as it does.
 *
 * @throws {TrustError} before it listens, where an issuer cannot be trusted as it is written.
 */
export async function startService(settings: Settings, store: Store, log: Log, isLive = false): Promise<Running> {
  trustEntries(settings.trust, audienceFor(settings, store))
  await undoAbandonedCopies(store)
  const metrics = openMetrics()
  const server = await listen(settings.host, settings.port, log, metrics.countRequest)
  try {
    const url = settings.publicUrl ?? addressOf(server)
    const clocks = { clock: () => Date.now(), ticks: () => performance.now() }
    const source = { settings, store, log, metrics, url, isLive, ...clocks }
    const { service, follow, live, close } = await openService(source)
    const failed = (error: unknown) => log.error({ err: error }, 'the store cannot be read')
    const following = followStore(store.database, follow, failed)
    const stopUndoing = keepUndoingCopies(store, failed)
    server.answerWith(isLive ? forOwnHosts(settings.host, service) : service, url)
    const tell = (folder: FolderState) => void following.now().then(() => live?.tell(folder))
    const stop = async () => {
      live?.close()
      await server.stop()
      await following.end()
      await stopUndoing()
      await close()
    }
    return { url, baseUrl: `${url}${BASE}`, tell, stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** What the service is opened on. */
export type ServiceSource = {
  settings: Pick<Settings, 'publicUrl' | 'rate' | 'limits' | 'cors' | 'keySecret' | 'trust'>
  store: Store
  log: Log
  metrics: Metrics
  /** The service's own address, without a slash at its end. */
  url: string
  /** The time of day, in milliseconds. */
  clock: () => number
  /** Milliseconds that never go back. */
  ticks: () => number
  /** Whether pages listen to what changes. */
  isLive?: boolean
}

/** The most that prepared replies take, in bytes. */
const PREPARED_BYTES = 128 << 20

/** A service without a socket; `follow` has it notice what has moved in the store. */
export type OpenService = {
  service: Service
  follow: () => Promise<void>
  live: Live | undefined
  close: () => Promise<void>
}

/** Opens the service without a socket. */
export async function openService(source: ServiceSource): Promise<OpenService> {
  const { settings, store, log, metrics, url, clock, ticks, isLive = false } = source
  const { database } = store
  const record = recordIn(log, metrics)
  const mint = mintFor(settings, store, record)
  await mint.signer(new Date(clock()))
  const gate = await openGateOf(source, record)
  const pointers = await openPointers(database)
  const shares = await openShares({ ...sharesOf(store, record), publicUrl: url, clock }) // After the pointers, so that none is missed.
  const openPublication = openPublications(database)
  const revisions = servedRevisions(database, openPublication)
  const shared = { pointers, openPublication, publicUrl: url, gate, clock, ticks, record }
  const site = openWebsite({ ...shared, store, shares, revisions, isLive })
  const limit = await openLimit(settings, log, metrics)
  const service = makeService({
    api: {
      ...shared,
      prepared: keepPrepared(PREPARED_BYTES),
      addresses: site.urls,
      revisions,
      ...(limit && { limit }),
    },
    tokens: {
      ...{ mint, clients: clientsOf(store, record) },
      ...{ attempts: countAttempts(ticks), baseUrl: `${url}${BASE}`, publicUrl: url, clock, log },
    },
    site,
    own: ownPages({
      ...{ publicUrl: url, assets: site.assets },
      isReady: () => isReadable(store),
      keySet: () => publicKeySet(database),
      metrics: metrics.text,
    }),
    origins: new Set(settings.cors),
  })
  const follow = followerOf(pointers, () => Promise.all([gate.refresh(), shares.refresh()]))
  const close = async () => {
    limit?.close?.()
    await site.close()
  }
  return { service, follow, live: site.live, close }
}

async function openGateOf({ settings, store, log, clock }: ServiceSource, record: Record) {
  const { database } = store
  const audience = audienceFor(settings, store)
  const others = trustedIssuers(trustEntries(settings.trust, audience), {
    ...{ fetchJson, clock },
    changed: () => gate.forget(),
    failed: error => log.warn({ err: error }, 'the keys of an issuer cannot be read'),
  })
  const gate = await openGate({ readOwn: ownIssuerReader(database, audience, clock), others, record })
  return gate
}

/** The service's own address under these settings, before it is known which port a free one is. */
export function addressFor({ publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? addressOf({ host, port })
}

function addressOf({ host, port }: Pick<Listening, 'host' | 'port'>): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  return `http://${local.includes(':') && !local.startsWith('[') ? `[${local}]` : local}:${port}`
}
