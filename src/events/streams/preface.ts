import { coversProject, type Grant } from '../../access/token/grant.ts'
import type { Call } from '../../contract/route.ts'
import type { Pointers } from '../../serving/pointers/pointers.ts'
import {
  type EventBatch,
  type EventRecord,
  eventData,
  findEventNumber,
  latestEventId,
  listEvents,
} from '../../store/catalogue/events.ts'
import { type ReportRows, reportDamaged } from '../../store/database/damaged-row.ts'
import type { Queries } from '../../store/database/database.ts'

/** A stream that begins: its grant, and the number up to which the preface includes changes. */
export type Beginning = { call: Call; grant: Grant; lastEventId: string | undefined; upTo: number }

type PrefaceContext = {
  database: Queries
  pointers: Pick<Pointers, 'workspace'>
  /** Receives damaged events. A `state` event takes their place. */
  reportRows?: ReportRows
}

/**
 * Reads the start of a stream: the missed events after a known event, or else the current state. The first piece follows
 * the first query, so that a failure can still become an error reply.
 */
export async function* readPreface(parts: PrefaceContext, beginning: Beginning): AsyncGenerator<Uint8Array> {
  const { call, lastEventId } = beginning
  const lastNumber =
    lastEventId === undefined ? undefined : await findEventNumber(parts.database, call.workspace, lastEventId)
  const first = lastNumber === undefined ? await readState(parts, beginning) : undefined
  yield encodeFields({ retry: String(MIN_RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)) })
  if (first) yield first
  if (lastNumber !== undefined) yield* missedEvents(parts, beginning, lastNumber)
}

/** Clients of a stopped process must not all return in the same moment. */
const MIN_RETRY_MS = 1000
const RETRY_SPREAD_MS = 2000

/** The `state` event. Without an event so far, the empty id makes clients forget an earlier one. */
export async function readState(
  { database, pointers }: PrefaceContext,
  { call, grant, upTo }: Pick<Beginning, 'call' | 'grant' | 'upTo'>,
): Promise<Uint8Array> {
  const id = await latestEventId(database, call.workspace, upTo)
  const { published = [] } = (await pointers.workspace(call.workspace)) ?? {}
  const projects = published
    .filter(record => isFor(call, record) && coversProject(grant, record))
    .map(({ project, published: { revision, snapshot } }) => ({ project, revision, snapshot }))
  const data = JSON.stringify({ workspace: call.workspace, projects })
  return encodeFields({ id: id ?? '', event: 'state', data })
}

/** The missed events, and the current state if one of them is damaged. */
async function* missedEvents(
  parts: PrefaceContext,
  { call, grant, upTo }: Beginning,
  lastNumber: number,
): AsyncGenerator<Uint8Array> {
  const { workspace } = call
  let isDamaged = false
  for (let after: number | undefined = lastNumber; after !== undefined; ) {
    const batch: EventBatch = await listEvents(parts.database, { after, upTo, workspace }, BATCH_SIZE)
    for (const event of reportDamaged(batch, parts.reportRows))
      if (isVisible(call, grant, event)) yield encodeEvent(event)
    isDamaged ||= batch.damaged.length > 0
    after = batch.next
  }
  if (isDamaged) yield await readState(parts, { call, grant, upTo })
}

const BATCH_SIZE = 200

/** Whether a stream reports an event. */
export function isVisible(call: Call, grant: Grant, event: EventRecord): boolean {
  return event.workspace === call.workspace && isFor(call, event) && coversProject(grant, event)
}

function isFor(call: Call, { project }: { project: string }): boolean {
  return call.project === '' || call.project === project
}

/** A comment, which keeps connections open (HTML Standard §9.2.7). */
export const COMMENT = encode(':\n\n')

/** An event as a stream sends it (HTML Standard §9.2.5). */
export function encodeEvent(event: EventRecord): Uint8Array {
  return encodeFields({ id: event.id, event: event.type, data: JSON.stringify(eventData(event)) })
}

/** A block of fields. Values must not contain line breaks. */
function encodeFields(fields: Readonly<Record<string, string>>): Uint8Array {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  return encode(`${lines.join('')}\n`)
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
