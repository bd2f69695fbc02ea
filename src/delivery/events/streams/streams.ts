import { refusalReply, refuse, refuseUnavailable } from '#brand/contract/refusals.ts'
import type { Call } from '#brand/contract/route.ts'
import { addTo } from '#platform/base/object.ts'
import type { MinRate, Reply, Request, StreamedBody } from '#platform/exchange/message.ts'
import { content } from '#platform/exchange/reply.ts'
import type { Log } from '#platform/telemetry/log.ts'
import type { ServiceContext } from '#serving/access/service-context.ts'
import {
  coversProject,
  findCovered,
  type Grant,
  listCovered,
  type Permit,
  permit,
} from '#serving/access/token/grant.ts'
import {
  type EventBatch,
  findEventNumber,
  isNotice,
  latestEventId,
  listEvents,
  reportOf,
  type StreamedRecord,
} from '#store/catalogue/events.ts'
import type { DamagedRow } from '#store/store-error.ts'

export type EventStreams = {
  /** Opens a stream for a permitted request, or refuses it: the token may have too many, or the process is stopping. */
  open: (request: Request, permitted: Permit) => Reply
  /** Sends the events of all changes that the pointers include. */
  deliver: () => Promise<void>
  /** Ends the streams whose tokens are no longer valid. Call this after keys, clients or revocations have changed. */
  recheck: () => Promise<void>
  count: () => number
  /** Ends all streams, whose clients then read the state again, because the database is an older one. */
  restart: () => void
  /** Ends all streams, and opens no more. */
  close: () => void
}

type StreamsParts = {
  service: Pick<ServiceContext, 'access' | 'pointers' | 'verifier'>
  log: Log
  /** Milliseconds between two comments on an idle stream. */
  commentMs?: number
}

type Stream = {
  call: Call
  grant: Grant
  /** The part of its request that has the token. */
  request: Request
  /** The number of the latest event that it includes. */
  after: number
  /** When something was last sent, by `performance.now`. */
  sentMs: number
  outbox: Outbox
}

type State = {
  parts: StreamsParts
  streams: Set<Stream>
  perToken: Map<string, number>
  /** The number up to which events are delivered. */
  delivered: number
  timer: NodeJS.Timeout | undefined
  isClosed: boolean
}

/** Opens the event streams. One timer serves all of them. */
export function openEventStreams(parts: StreamsParts): EventStreams {
  const state: State = {
    parts,
    streams: new Set(),
    perToken: new Map(),
    delivered: parts.service.pointers.version(),
    timer: undefined,
    isClosed: false,
  }
  return {
    open: (request, permitted) =>
      refusalOf(state, permitted.grant) ??
      content('text/event-stream', bodyOf(state, request, permitted), { headers: STREAM_HEADERS }),
    deliver: () => deliver(state),
    recheck: () => recheckTokens(state),
    count: () => state.streams.size,
    restart: () => finishAll(state),
    close: () => {
      state.isClosed = true
      finishAll(state)
    },
  }
}

function finishAll({ streams }: State): void {
  for (const { outbox } of streams) outbox.finish()
}

/** nginx must not buffer a stream. The connection closes with it, so that shutdown need not wait for it. */
const STREAM_HEADERS = ['X-Accel-Buffering', 'no', 'Connection', 'close'] as const

/** The refusal of a stream; undefined if it may be opened. */
function refusalOf({ parts, perToken, isClosed }: State, grant: Grant): Reply | undefined {
  const { publicUrl } = parts.service.access
  if (isClosed) return refusalReply(refuseUnavailable(), publicUrl)
  if ((perToken.get(tokenKey(grant)) ?? 0) < MAX_PER_TOKEN) return undefined
  return refusalReply(refuse('too-many-streams', ['Retry-After', '60']), publicUrl)
}

/** Streams per token. */
const MAX_PER_TOKEN = 127

/** Tokens of other issuers may have no id; then their client stands for them. */
function tokenKey({ workspace, client, jti }: Grant): string {
  return JSON.stringify([workspace, client, jti])
}

/** The body of a stream, which is added when its first bytes are asked for, and removed when it ends. */
function bodyOf(state: State, { headers, address }: Request, { call, grant }: Permit): StreamedBody {
  const outbox = openOutbox()
  const { 'last-event-id': lastEventId, authorization } = headers
  const request = { method: 'GET', path: '', query: '', headers: { authorization }, authorizations: 1, address }
  return {
    length: undefined,
    isEndless: true,
    // Other streams may have been opened since the reply was made.
    admit: async () => refusalOf(state, grant),
    minRate: () => (outbox.isCut() ? ENDED_RATE : MIN_RATE),
    chunks: async function* (gone) {
      const upTo = state.parts.service.pointers.version()
      const stream: Stream = { call, grant, request, after: upTo, sentMs: performance.now(), outbox }
      const remove = add(state, stream)
      gone.addEventListener('abort', outbox.cut)
      try {
        yield* readPreface(state.parts, { call, grant, lastEventId, upTo })
        yield* outbox.read()
      } finally {
        remove()
      }
    },
  }
}

/** The system buffers much, so a client that reads nothing for five minutes is probably gone. */
const MIN_RATE: MinRate = { bytes: 1 << 20, milliseconds: 300_000 }
/** A stream that was cut does not wait for its reader. */
const ENDED_RATE: MinRate = { bytes: 1, milliseconds: 0 }

/** Adds a stream; returns a function that removes it. The timer runs while there are streams. */
function add(state: State, stream: Stream): () => void {
  const { streams, perToken } = state
  const key = tokenKey(stream.grant)
  streams.add(stream)
  addTo(perToken, key, 1)
  state.timer ??= everySecond(() => maintain(state), state.parts.log)
  if (state.isClosed) stream.outbox.finish()
  return () => {
    streams.delete(stream)
    addTo(perToken, key, -1)
    if (streams.size > 0) return
    clearInterval(state.timer)
    state.timer = undefined
  }
}

/** Does a work every second, but not while it is still being done. */
function everySecond(work: () => Promise<void>, log: Log): NodeJS.Timeout {
  let isBusy = false
  const run = async () => {
    if (isBusy) return
    isBusy = true
    await work().catch(error => log.error({ err: error }, 'the event streams cannot be checked'))
    isBusy = false
  }
  return setInterval(() => void run(), 1000).unref()
}

/** Ends streams whose token is no longer valid, and sends comments on idle ones. */
async function maintain(state: State): Promise<void> {
  await recheckTokens(state)
  const { commentMs = COMMENT_MS } = state.parts
  const nowMs = performance.now()
  for (const stream of state.streams)
    if (nowMs - stream.sentMs >= commentMs && stream.outbox.isEmpty()) push(stream, COMMENT)
}

const COMMENT_MS = 15_000

/** Checks the token of each stream again, once for all streams that have it. Verified tokens are cached, so it is quick. */
async function recheckTokens({ parts, streams }: State): Promise<void> {
  const { access, verifier } = parts.service
  const openStreams = [...streams].filter(({ outbox }) => !outbox.isCut())
  for (const withSameToken of Map.groupBy(openStreams, ({ request }) => request.headers.authorization).values()) {
    const nowMs = access.clock()
    const [first] = withSameToken
    const verified = first && (await verifier.verify(first.request, nowMs))
    for (const stream of withSameToken) {
      const permitted = verified?.ok ? permit(verified.value, stream.call) : undefined
      if (permitted?.ok && permitted.value.grant.expiresAt > nowMs) stream.grant = permitted.value.grant
      else stream.outbox.cut()
    }
  }
}

/** Sends the events up to the current pointers, so that clients who then read content see the change. */
async function deliver(state: State): Promise<void> {
  const { access, pointers } = state.parts.service
  const upTo = pointers.version()
  state.delivered = Math.min(state.delivered, upTo) // An older database has a lower number.
  while (state.delivered < upTo) {
    // Without streams, nobody waits for the events, and none are read.
    const range = { after: state.delivered, upTo }
    const batch = state.streams.size > 0 ? await listEvents(access.database, range, BATCH_SIZE) : undefined
    for (const event of batch?.records ?? []) send(state.streams, event)
    for (const row of batch?.damaged ?? []) cutStreams(state.streams, row)
    state.delivered = batch?.next ?? upTo
  }
}

/** Ends the streams of a workspace with a damaged event, rather than leaving it out. */
function cutStreams(streams: ReadonlySet<Stream>, { key }: DamagedRow): void {
  for (const { call, outbox } of streams) if (call.workspace === key.workspace) outbox.cut()
}

const BATCH_SIZE = 200

/** Sends an event to the streams that report it. The stream of a deleted project ends with it. */
function send(streams: ReadonlySet<Stream>, event: StreamedRecord): void {
  const bytes = encodeEvent(event)
  for (const stream of streams) {
    if (event.number <= stream.after || !isVisible(stream.call, stream.grant, event)) continue
    stream.after = event.number
    push(stream, bytes)
    if (!isNotice(event) && event.type === 'deleted' && stream.call.project !== '') stream.outbox.finish()
  }
}

function push(stream: Stream, bytes: Uint8Array): void {
  stream.sentMs = performance.now()
  stream.outbox.push(bytes)
}

/** The bytes that wait to be sent on a stream. Streams share the bytes of an event. */
type Outbox = {
  /** Adds bytes. A reader that falls too far behind is cut off instead; it can continue with `Last-Event-ID`. */
  push: (bytes: Uint8Array) => void
  isEmpty: () => boolean
  finish: () => void
  /** Ends the stream without the waiting bytes. */
  cut: () => void
  isCut: () => boolean
  read: () => AsyncGenerator<Uint8Array>
}

export function openOutbox(): Outbox {
  let waiting: Uint8Array[] = []
  let isEnded = false
  let isCut = false
  /** Resolves the wait of the reader, if it waits. */
  let wake: (() => void) | undefined
  const finish = () => {
    isEnded = true
    wake?.()
  }
  const cut = () => {
    waiting = []
    isCut = true
    finish()
  }
  return {
    push: bytes => {
      if (isEnded) return
      if (waiting.length >= MAX_WAITING) return cut()
      waiting.push(bytes)
      wake?.()
    },
    isEmpty: () => waiting.length === 0,
    finish,
    cut,
    isCut: () => isCut,
    read: async function* () {
      for (;;) {
        const next = waiting.shift()
        if (next) yield next
        else if (isEnded) return
        else
          await new Promise<void>(resolve => {
            wake = resolve
          })
      }
    },
  }
}

/** The most events that wait: more than the projects of a workspace that are usually published at once. */
const MAX_WAITING = 1000

/** A stream that begins: its grant, and the number up to which the preface includes changes. */
type Beginning = { call: Call; grant: Grant; lastEventId: string | undefined; upTo: number }

/** The missed events after a known event, or else the current state. The first query may still be refused. */
async function* readPreface(parts: StreamsParts, beginning: Beginning): AsyncGenerator<Uint8Array> {
  const { call, lastEventId: id } = beginning
  const { database, clock } = parts.service.access
  const { workspace } = call
  const lastNumber = id === undefined ? undefined : await findEventNumber(database, { workspace, id, now: clock() })
  const missed = lastNumber === undefined ? undefined : missedEvents(parts, beginning, lastNumber)
  // Read before anything is sent, so that a failure of the store can still give another reply.
  const first = missed ? (await missed.next()).value : await readState(parts, beginning)
  yield encodeFields({ retry: String(MIN_RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)) })
  if (first) yield first
  if (missed) yield* missed
}

/** Clients of a stopped process must not all return in the same moment. */
const MIN_RETRY_MS = 1000
const RETRY_SPREAD_MS = 2000

/** The `state` event. Without an event so far, the empty id makes clients forget an earlier one. */
async function readState(
  { service: { access, pointers } }: StreamsParts,
  { call, grant, upTo }: Pick<Beginning, 'call' | 'grant' | 'upTo'>,
): Promise<Uint8Array> {
  const id = await latestEventId(access.database, call.workspace, upTo)
  const state = await pointers.workspace(call.workspace)
  const listed = call.project === '' ? listCovered(state, grant) : [findCovered(state, grant, call.project)]
  const projects = listed
    .filter(record => record !== undefined)
    .map(({ project, published: { revision, snapshot } }) => ({ project, revision, snapshot }))
  const data = JSON.stringify({ workspace: call.workspace, projects })
  return encodeFields({ id: id ?? '', event: 'state', data })
}

/** The events that a reader missed. Throws if one of them is damaged. */
async function* missedEvents(
  parts: StreamsParts,
  { call, grant, upTo }: Beginning,
  lastNumber: number,
): AsyncGenerator<Uint8Array, undefined> {
  const { workspace } = call
  for (let after: number | undefined = lastNumber; after !== undefined; ) {
    const batch: EventBatch = await listEvents(parts.service.access.database, { after, upTo, workspace }, BATCH_SIZE)
    for (const row of batch.damaged) throw row
    for (const event of batch.records) if (isVisible(call, grant, event)) yield encodeEvent(event)
    after = batch.next
  }
}

/** Notices name files, so their readers need the right to list them. */
function isVisible(call: Call, grant: Grant, event: StreamedRecord): boolean {
  if (isNotice(event) && !grant.scopes.has('files.read')) return false
  return event.workspace === call.workspace && isFor(call, event) && coversProject(grant, event)
}

/** Whether a call, which is for one project or for the whole workspace (`''`), is for a project. */
function isFor(call: Call, { project }: { project: string }): boolean {
  return call.project === '' || call.project === project
}

/** A comment, which keeps connections open (HTML Standard §9.2.7). */
const COMMENT = encode(':\n\n')

/** An event as a stream sends it (HTML Standard §9.2.5). */
function encodeEvent(event: StreamedRecord): Uint8Array {
  const { type, data } = reportOf(event)
  return encodeFields({ id: event.id, event: type, data: JSON.stringify(data) })
}

/** A block of fields. Values must not contain line breaks. */
function encodeFields(fields: Readonly<Record<string, string>>): Uint8Array {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  return encode(`${lines.join('')}\n`)
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
