import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Limit } from './access/allowance.ts'
import { countAttempts } from './access/attempts.ts'
import { type Audience, audienceOf } from './access/audience.ts'
import type { ClientParts } from './access/clients.ts'
import { openGate } from './access/gate.ts'
import type { Mint } from './access/issue.ts'
import { fetchJson } from './access/key-set.ts'
import { memoryLimit } from './access/limit-memory.ts'
import { ownIssuerReader } from './access/own-issuer.ts'
import { openSigner, publicKeySet } from './access/signing.ts'
import { trustEntries, trustedIssuers } from './access/trust.ts'
import { ownPages } from './http/own-pages.ts'
import { type Listening, listen } from './http/server.ts'
import { BASE, makeService, type Service } from './http/service.ts'
import { keepUndoingCopies, undoAbandonedCopies } from './publishing/place.ts'
import { addressesBelow } from './serving/addresses.ts'
import { openDownloads } from './serving/downloads.ts'
import { followStore } from './serving/following.ts'
import { openPointers } from './serving/pointers.ts'
import { keepPrepared } from './serving/prepared.ts'
import { openPublications } from './serving/publications.ts'
import { servedRevisions } from './serving/revisions.ts'
import type { Settings } from './settings.ts'
import { homePage } from './site/home.ts'
import { assertFree, hasStore, openStore, type Store } from './store/store.ts'
import { StoreError, withWords } from './store/store-error.ts'
import { type Record, recordIn } from './telemetry/access-event.ts'
import { type Log, openLog } from './telemetry/log.ts'
import { type Metrics, openMetrics } from './telemetry/metrics.ts'

/** A service that answers. */
export type Running = { url: string; baseUrl: string; stop: () => Promise<void> }

/** Opens the store that the settings name, for as long as the work takes; copies that were left behind are undone first. */
export async function withStore<Value>(settings: Settings, work: (store: Store) => Promise<Value>): Promise<Value> {
  const store = await openStore(settings.data)
  try {
    await undoAbandonedCopies(store)
    return await work(store)
  } catch (error) {
    throw withWords(error, settings.data)
  } finally {
    await store.close()
  }
}

/** The same for work on a store that has to be there. */
export async function withKnownStore<Value>(
  settings: Settings,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  if (hasStore(settings.data)) return withStore(settings, work)
  throw new StoreError(`there is no store in ${settings.data}: name its folder with --data`)
}

/** The same for work that makes no store: where there is none yet, with an empty one that is gone afterwards. */
export async function withStoreAsItIs<Value>(
  settings: Settings,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  if (hasStore(settings.data)) return withStore(settings, work)
  await assertFree(settings.data)
  return withEmptyStore(settings, work)
}

/** The same with a store of its own in a temporary folder, which is gone afterwards; the settings name it. */
export async function withEmptyStore<Value>(
  settings: Settings,
  work: (store: Store, settings: Settings) => Promise<Value>,
): Promise<Value> {
  const own = { ...settings, data: await mkdtemp(join(tmpdir(), 'housestyle-')) }
  try {
    return await withStore(own, store => work(store, own))
  } finally {
    await rm(own.data, { recursive: true })
  }
}

/** The log that the settings ask for, on stderr. */
export function logFor(settings: Settings, isTerminal: boolean): Promise<Log> {
  return openLog(settings.log, isTerminal)
}

/** Takes down what a command does to access, in the log that the settings ask for. */
export async function recordFor(settings: Settings, isTerminal: boolean): Promise<Record> {
  return recordIn(await logFor(settings, isTerminal))
}

/** What tokens of this store are issued with, under these settings. */
export function mintFor(settings: Pick<Settings, 'publicUrl' | 'keySecret'>, store: Store, record: Record): Mint {
  const { database } = store
  const signer = openSigner(database, settings.keySecret)
  return { database, audience: audienceFor(settings, store), signer, record }
}

/** What clients of this store are kept with. */
export function clientsOf({ database, identity }: Store, record: Record): ClientParts {
  return { database, secret: identity.clientSecret, record }
}

function audienceFor({ publicUrl }: Pick<Settings, 'publicUrl'>, { identity }: Store): Audience {
  return audienceOf(publicUrl, identity.urn)
}

/**
 * Starts the service on a store, and follows what other processes publish until it is stopped.
 *
 * @throws {TrustError} before it listens, where an issuer cannot be trusted as it is written.
 */
export async function startService(settings: Settings, store: Store, log: Log): Promise<Running> {
  trustEntries(settings.trust, audienceFor(settings, store))
  await undoAbandonedCopies(store)
  const metrics = openMetrics()
  const server = await listen(settings.host, settings.port, log, metrics.countRequest)
  try {
    const url = settings.publicUrl ?? addressOf(server)
    const clocks = { clock: () => Date.now(), ticks: () => performance.now() }
    const { service, follow, close } = await openService({ settings, store, log, metrics, url, ...clocks })
    const failed = (error: unknown) => log.error({ err: error }, 'the store cannot be read')
    const unfollow = followStore(store.database, follow, failed)
    const stopUndoing = keepUndoingCopies(store, failed)
    server.answerWith(service, url)
    const stop = async () => {
      await server.stop()
      await unfollow()
      await stopUndoing()
      close()
    }
    return { url, baseUrl: `${url}${BASE}`, stop }
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
}

/** The most that prepared replies take, in bytes. */
const PREPARED_BYTES = 128 << 20

/** A service without a socket; `follow` has it notice what has moved in the store. */
export type OpenService = { service: Service; follow: () => Promise<void>; close: () => void }

/** Opens the service without a socket. */
export async function openService(source: ServiceSource): Promise<OpenService> {
  const { settings, store, log, metrics, url, clock, ticks } = source
  const { database } = store
  const record = recordIn(log, metrics)
  const mint = mintFor(settings, store, record)
  await mint.signer(new Date(clock()))
  const gate = await openGateOf(source, record)
  const pointers = await openPointers(database)
  const addresses = addressesBelow(url, store.identity.fileSecret)
  const openPublication = openPublications(database)
  const revisions = servedRevisions(database, openPublication)
  const shared = { pointers, openPublication, publicUrl: url, gate, clock, ticks, record }
  const limit = await openLimit(settings, log, metrics)
  const service = makeService({
    api: { ...shared, prepared: keepPrepared(PREPARED_BYTES), addresses, revisions, ...(limit && { limit }) },
    tokens: {
      ...{ mint, clients: clientsOf(store, record) },
      ...{ attempts: countAttempts(ticks), baseUrl: `${url}${BASE}`, publicUrl: url, clock, log },
    },
    site: { ...shared, downloads: openDownloads({ database, files: store.files, addresses, revisions }) },
    own: ownPages({
      publicUrl: url,
      home: () => homePage(pointers),
      isReady: () => isReadable(store),
      keySet: () => publicKeySet(database),
      metrics: metrics.text,
    }),
    origins: new Set(settings.cors),
  })
  let isAccessDue = false
  const follow = async () => {
    const { access } = await pointers.follow()
    isAccessDue ||= access
    if (isAccessDue) await gate.refresh()
    isAccessDue = false
  }
  return { service, follow, close: () => limit?.close?.() }
}

/** The limit where one is set; what it takes to share it is loaded only where it is shared. */
async function openLimit(
  { rate, limits }: Pick<Settings, 'rate' | 'limits'>,
  log: Log,
  metrics: Metrics,
): Promise<(Limit & { close?: () => void }) | undefined> {
  if (!rate || !limits) return rate && memoryLimit(rate)
  const { openSharedLimit } = await import('./access/limit-shared.ts')
  return openSharedLimit(rate, limits, change => {
    metrics.setLimitShared(change.isShared)
    if (change.isShared) log.info({}, 'the limit is shared with the other processes')
    else log.warn({ reason: change.reason }, 'the limit cannot be shared: until it can, this process counts on its own')
  })
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

async function isReadable({ database }: Store): Promise<boolean> {
  try {
    return (await database.get('SELECT 1 AS ready')) !== undefined
  } catch {
    return false
  }
}

function addressOf({ host, port }: Listening): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  return `http://${local.includes(':') && !local.startsWith('[') ? `[${local}]` : local}:${port}`
}
