import { chunksOf } from './chunks.ts'
import { HousestyleError, isTemporary } from './error.ts'
import { eventsIn, type StreamEvent } from './event-stream.ts'
import { getOnce } from './get.ts'
import { type RequestOptions, segment } from './operations.ts'
import type { Platform } from './platform.ts'
import { type PollingClient, publishedPoll, type Version } from './published.ts'
import { withToken } from './replies.ts'
import { checkedMs } from './time.ts'
import type { TokenSource } from './token.ts'

/** A published revision, or the end of one. */
export type BrandEvent = {
  /** `state` for the revision at the start, and afterwards the change. */
  type: 'state' | 'published' | 'unpublished' | 'deleted'
  project: string
  /** The published revision; for `unpublished` and `deleted`, the last one. */
  revision: number
  /** The SHA-256 of its content. */
  snapshot: string
}

/** The rights to a published file end in 30 or 7 days, or they have ended. */
export type FileNotice = {
  type: 'file.expiring' | 'file.expired'
  project: string
  path: string
  /** The last day of the rights, in UTC: `2026-11-29`. */
  until: string
}

export type WatchOptions = RequestOptions & {
  /** Only events of this project. */
  project?: string
  /** Called with each notice about a file; the token also needs `files.read`. There is none without an event stream. */
  onNotice?: (notice: FileNotice) => void
  /** The pause between requests in milliseconds without an event stream; 60,000 by default. */
  interval?: number
}

type WatchParts = { platform: Platform; tokens: TokenSource; client: PollingClient; address: string }

/**
 * The published versions that the reader knows, by project, and whether there has been a complete list of them. `failures`
 * counts the attempts since the last event or list.
 */
type Known = { versions: Map<string, Version>; isComplete: boolean; lastId: string; failures: number }

const POLL_MS = 60_000
/** The service sends a comment every 15 seconds. */
const MAX_SILENCE_MS = 45_000
const MIN_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000

/**
 * The published versions, then every change. Reads the event stream, and reconnects with the id of the last event. If
 * the token or the service allows no stream, reads the versions every `interval`, and then tries the stream again.
 *
 * @throws {HousestyleError} for an error that is not temporary
 */
export async function* watch(
  parts: WatchParts,
  { project, interval, signal, onNotice }: WatchOptions = {},
): AsyncGenerator<BrandEvent, void, void> {
  const { platform, address } = parts
  const url = project === undefined ? address : `${address}/project/${segment(project)}`
  const known: Known = { versions: new Map(), isComplete: false, lastId: '', failures: 0 }
  const poll = publishedPoll(parts.client, project, signal)
  const pollMs = checkedMs('interval', interval ?? POLL_MS)
  for (;;) {
    let minPauseMs = 0
    try {
      const response = await openStream(parts, { url, lastId: known.lastId, signal })
      if (response) {
        const limits = { attempt: `cannot read ${url}`, ms: MAX_SILENCE_MS, signal }
        yield* readStream(known, eventsIn(chunksOf(response, limits)), onNotice)
      } else {
        yield* compare(known, await poll(known.isComplete))
        minPauseMs = pollMs * (0.9 + platform.random() / 5)
        known.failures = 0
      }
    } catch (error) {
      if (!isTemporary(error)) throw error
      minPauseMs = (error.retryAfterSeconds ?? 0) * 1000
    }
    const pauseMs = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** known.failures) * (1 + platform.random())
    await platform.sleep(Math.max(minPauseMs, pauseMs), signal)
    known.failures++
  }
}

type StreamRequest = { url: string; lastId: string; signal: AbortSignal | undefined }

/** Opens the stream; undefined if the token lacks `projects.read`, or if the service or the project has none. */
async function openStream({ platform, tokens }: WatchParts, { url, lastId, signal }: StreamRequest) {
  const headers = { accept: 'text/event-stream', ...(lastId !== '' && { 'last-event-id': lastId }) }
  try {
    const response = await withToken(tokens, signal, token =>
      getOnce(platform, { url, token, headers, signal }, async response => response),
    )
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response
    await response.body?.cancel()
    return undefined
  } catch (error) {
    if (error instanceof HousestyleError && (error.status === 403 || error.status === 404)) return undefined
    throw error
  }
}

/** Reads a stream to its end. */
async function* readStream(
  known: Known,
  events: AsyncIterable<StreamEvent>,
  onNotice: WatchOptions['onNotice'],
): AsyncGenerator<BrandEvent> {
  for await (const event of events) {
    if (event.type === 'file.expiring' || event.type === 'file.expired') onNotice?.(readNotice(event.type, event.data))
    yield* readEvent(known, event)
    known.lastId = event.id
    known.failures = 0
  }
}

/** Types of events that this client does not know, and events that the reader already knows, give nothing. */
function* readEvent(known: Known, { type, data }: StreamEvent): Generator<BrandEvent> {
  if (type === 'state') {
    const read = (value: { projects: (Version & { project: string })[] }) =>
      new Map(value.projects.map(({ project, revision, snapshot }) => [project, { revision, snapshot }]))
    yield* compare(known, parseData(data, read))
  } else if (type === 'published' || type === 'unpublished' || type === 'deleted') {
    const { project, revision, snapshot } = parseData(data, (value: BrandEvent) => value)
    const earlier = known.versions.get(project)
    if (type !== 'published') known.versions.delete(project)
    else if (isSame(earlier, { revision, snapshot })) return
    else known.versions.set(project, { revision, snapshot })
    yield { type, project, revision, snapshot }
  }
}

function readNotice(type: FileNotice['type'], data: string): FileNotice {
  const { project, path, until } = parseData(data, (value: FileNotice) => value)
  return { type, project, path, until }
}

/** The differences between the known versions and a complete list: after a long interruption, several at once. */
function* compare(known: Known, current: Map<string, Version>): Generator<BrandEvent> {
  const type = known.isComplete ? 'published' : 'state'
  const earlier = known.versions
  known.versions = current
  known.isComplete = true
  for (const [project, version] of earlier)
    if (!current.has(project)) yield { type: 'unpublished', project, ...version }
  for (const [project, version] of current)
    if (!isSame(earlier.get(project), version)) yield { type, project, ...version }
}

function isSame(one: Version | undefined, other: Version): boolean {
  return one?.revision === other.revision && one.snapshot === other.snapshot
}

/** Damaged data is like a lost connection: the stream is opened again. */
function parseData<Data, Value>(data: string, read: (data: Data) => Value): Value {
  try {
    return read(JSON.parse(data))
  } catch (cause) {
    const description = 'An event is malformed. Check proxies between the service and this program.'
    throw new HousestyleError('cannot read the event stream', { code: 'network_error', description, cause })
  }
}
