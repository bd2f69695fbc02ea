import assert from 'node:assert/strict'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { OPERATIONS } from '#brand/contract/operations.ts'
import { openTextEditor } from '#people/editor/edit/text-editor.ts'
import { headersOf, type Reply } from '#platform/exchange/message.ts'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import { splitTarget } from '#platform/exchange/target.ts'
import { readSettings, type Settings } from '#platform/settings/settings.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { openMetrics } from '#platform/telemetry/metrics.ts'
import { startService } from '#program/compose/compose.ts'
import { openService } from '#program/compose/open-service.ts'
import { nameInMetrics } from '#program/http/service/routes.ts'
import type { Service } from '#program/http/service/service.ts'
import type { Site } from '#site/site.ts'
import { assertDescribed, assertValid } from './openapi-validator.ts'
import type { Contents } from './temporary.ts'
import { publishedBrand, resultOf, type TemporaryStore } from './temporary-store.ts'
import { until } from './until.ts'
import { fieldsOf } from './visitor.ts'

/** The public URL of a service without a socket. */
export const URL_OF_SERVICE = 'http://brand.test'

/** A complete reply. */
export type Answer = { status: number; headers: Headers; bytes: Uint8Array; text: string }

/** The options of a request; default: GET without a token. */
export type Asking = {
  method?: string
  token?: string
  headers?: RequestHeaders
  authorizations?: number
  body?: string
  /** Does not ask again if an index is not ready in time. */
  isOnce?: boolean
}

/** A service without a socket; its clock only changes when a test sets it. */
export type TestService = {
  service: Service
  follow: () => Promise<void>
  /** Milliseconds, for the current time and for the rate limit. */
  clock: { now: number }
  /** Requests a target, and asserts that the reply matches the OpenAPI document. */
  ask: (target: string, asking?: Asking) => Promise<Answer>
  close: () => Promise<void>
}

/** The clock is ahead, so that tokens that a slow test issues later are not from its future. */
const SETUP_MS = 60_000

/** The settings that a test sets; the others have their defaults. */
export type TestSettings = Partial<Settings>

/** The default settings, but without a limit. */
export const DEFAULT_SETTINGS: Settings = readSettings({
  flags: { rate: 'off' },
  environment: {},
  file: {},
  trust: [],
  readSecret: String,
})

/** Opens the service of a store as `serve` does, at the time `now`, without a limit unless one is set. */
export async function testService(
  { store }: Pick<TemporaryStore, 'store'>,
  settings: TestSettings = {},
  now = Date.now() + SETUP_MS,
  log: Log = silent,
  book?: Site['book'],
): Promise<TestService> {
  const clock = { now }
  const time = () => clock.now
  const {
    service,
    handleChanges: follow,
    close,
  } = await openService({
    settings: { ...DEFAULT_SETTINGS, ...settings },
    store,
    log,
    metrics: openMetrics(),
    publicUrl: settings.publicUrl ?? URL_OF_SERVICE,
    clock: time,
    ticks: time,
    book,
    texts: openTextEditor(),
  })
  return { service, follow, clock, close, ask: (target, asking) => patientAsk(service, target, asking) }
}

/** A log that discards its lines. */
export const silent: Log = { error: ignore, warn: ignore, info: ignore, debug: ignore }

function ignore(): void {}

/** On a busy machine, the first search of a guide ends before its index is made, and clients search again. */
async function patientAsk(service: Service, target: string, asking: Asking = {}): Promise<Answer> {
  let answer = await ask(service, target, asking)
  const mayBeLate = !asking.isOnce && /\/-\/search(?:\?|$)/.test(target)
  if (mayBeLate && answer.status === 503)
    await until(async () => {
      answer = await ask(service, target, asking)
      return answer.status !== 503
    })
  return answer
}

async function ask(service: Service, target: string, asking: Asking): Promise<Answer> {
  const { method = 'GET', token } = asking
  const body = asking.body === undefined ? {} : { body: new TextEncoder().encode(asking.body) }
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...asking.headers }
  const authorizations = asking.authorizations ?? (headers.authorization === undefined ? 0 : 1)
  const split = splitTarget(target)
  assert.ok(split)
  const reply = await service({ method, ...split, headers, authorizations, address: '127.0.0.1', ...body })
  const answer = await read(reply, method === 'HEAD')
  assertAnswer(split.path, method, answer)
  return answer
}

async function read(reply: Reply, isHead: boolean): Promise<Answer> {
  const { status, body } = reply
  const fields = fieldsOf(headersOf(reply))
  if (body?.length !== undefined) fields.set('Content-Length', String(body.length))
  const bytes =
    isHead || !body
      ? new Uint8Array()
      : body instanceof Uint8Array
        ? body
        : await readAll(body.chunks(new AbortController().signal))
  return { status, headers: fields, bytes, text: new TextDecoder().decode(decode(bytes, fields)) }
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk.slice())
  return Buffer.concat(chunks)
}

function decode(bytes: Uint8Array, headers: Headers): Uint8Array {
  const coding = bytes.length > 0 && headers.get('content-encoding')
  return coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes
}

/** Asserts that an API reply matches the OpenAPI document, and that any other JSON error has the standard body. */
export function assertAnswer(path: string, method: string, { status, headers, text }: Omit<Answer, 'bytes'>): void {
  const operation = OPERATIONS.find(({ id }) => id === nameInMetrics(path))
  const body = method === 'HEAD' ? undefined : text
  if (operation && (method === 'GET' || method === 'HEAD'))
    assertDescribed(operation.id, status, withoutOrigin(headers), body)
  else if (status >= 400 && body !== undefined && headers.get('content-type') === 'application/json')
    assertValid('Error', JSON.parse(body))
}

/** Removes the `Vary` value for CORS, which the OpenAPI document omits. */
function withoutOrigin(headers: Headers): Headers {
  const fields = new Headers(headers)
  const rest = fields.get('vary')?.replace(/(^|, )Origin$/, '')
  if (rest === '') fields.delete('vary')
  else if (rest !== undefined) fields.set('vary', rest)
  return fields
}

/** Serves the workspace of `publishedBrand`. */
export async function servedBrand(contents: Contents): Promise<TestService & { temporary: TemporaryStore }> {
  const temporary = await publishedBrand(contents)
  return { temporary, ...(await testService(temporary)) }
}

/** A service in this process on a free port; it stops with the tests. */
export type RunningService = { url: string; port: number; stop: () => Promise<void> }

/** Starts the service of a store as `serve` does. */
export async function runningService(
  { store, data, beforeEnd }: Pick<TemporaryStore, 'store' | 'data' | 'beforeEnd'>,
  flags: Readonly<Record<string, string>> = {},
  log: Log = silent,
): Promise<RunningService> {
  const sources = { environment: {}, file: {}, trust: [], readSecret: () => '' }
  const settings = readSettings({ ...sources, flags: { port: '0', rate: 'off', data, ...flags } })
  const { url, localUrl, stop } = await startService(settings, store, log, {
    environment: { PATH: process.env.PATH },
    kill: (id, name) => void process.kill(id, name),
  })
  let stopping: Promise<void> | undefined
  const stopOnce = () => {
    stopping ??= stop()
    return stopping
  }
  beforeEnd(stopOnce)
  return { url, port: Number(new URL(localUrl).port), stop: stopOnce }
}

/** Waits until the guide at an address can be searched: on a busy machine, the first searches get 503. */
export async function searchable(guide: string): Promise<void> {
  await until(async () => (await fetch(`${guide}/-/search?q=a`)).ok)
}

/** Makes a share link by the command line, in a folder whose store is in it. */
export async function share(folder: string, ...args: readonly string[]): Promise<{ id: string; path: string }> {
  const { id, url } = await resultOf(folder, ['share', ...args])
  return { id, path: new URL(url).pathname }
}

/** The Cookie header that a browser sends for the first Set-Cookie header. */
export function cookieOf({ headers }: Pick<Answer, 'headers'>): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** The cookie of a new share link. */
export async function sharedCookie(
  { ask, follow }: Pick<TestService, 'ask' | 'follow'>,
  folder: string,
  ...args: readonly string[]
): Promise<string> {
  const { path } = await share(folder, ...args)
  await follow()
  return cookieOf(await ask(path))
}
