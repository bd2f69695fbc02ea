import { randomBytes } from 'node:crypto'
import type { Readable } from '../database/damaged-row.ts'
import type { Queries } from '../database/database.ts'
import { choice, date, defineRows, defineTable, number, type RecordOf, text, whole } from '../database/table.ts'
import { type ProjectRecord, snapshot } from './catalogue.ts'
import { latestChange } from './changes.ts'
import { NOTICES, type NoticeRecord, noticeReport } from './notices.ts'
import { addDeliveries, messageOf, removeDeliveries } from './webhooks.ts'

export const EVENT_TYPES = ['published', 'unpublished', 'deleted'] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Publications, and the ends of publications, as events and webhooks report them. */
export const EVENTS = defineTable('event', {
  /** The number of its change. */
  number: whole('number'),
  id: text('id'),
  type: choice('type', ...EVENT_TYPES),
  workspace: text('workspace'),
  project: text('project'),
  instance: text('instance'),
  /** When the project was created. */
  createdAt: date('created_at'),
  /** The published revision; for the other types, the last one. */
  revision: whole('revision', 1),
  snapshot: snapshot('snapshot'),
  publishedAt: date('published_at'),
  happenedAt: date('happened_at'),
})

type EventRecord = RecordOf<typeof EVENTS>

/** The revision that an event is about. */
type EventRevision = Pick<EventRecord, 'revision' | 'snapshot' | 'publishedAt'>

/**
 * Records an event and its deliveries, inside the transaction that has moved the pointer, right after its change.
 * Deletes some events and ended deliveries that are older than 30 days.
 */
export async function recordEvent(
  queries: Queries,
  type: EventType,
  { workspace, project, instance, createdAt }: ProjectRecord,
  { revision, snapshot, publishedAt }: EventRevision,
  now: Date,
): Promise<void> {
  const about = { number: await latestChange(queries), id: randomBytes(12).toString('hex'), workspace, project }
  const event = { ...about, type, instance, createdAt, revision, snapshot, publishedAt, happenedAt: now }
  await EVENTS.add(queries, event)
  await addDeliveries(queries, messageOf({ ...about, createdAt: now, type: `project.${type}` }, eventData(event)))
  const before = now.getTime() - RETENTION_MS
  await removeEvents(queries, before)
  await removeDeliveries(queries, before)
}

const RETENTION_MS = 30 * 24 * 3600 * 1000

/** Deletes some events from before this time, so that a write after a long time is not slow. */
async function removeEvents(queries: Queries, before: number): Promise<void> {
  await queries.run(
    'DELETE FROM event WHERE number IN (SELECT number FROM event WHERE happened_at < ? ORDER BY number LIMIT 100)',
    before,
  )
}

/** The content of an event for clients. */
function eventData({ workspace, project, revision, snapshot, publishedAt }: EventRecord): object {
  return { workspace, project, revision, snapshot, publishedAt: publishedAt.toISOString() }
}

/** What streams report. */
export type StreamedRecord = EventRecord | NoticeRecord

/** Whether it is about a file. */
export function isNotice(event: StreamedRecord): event is NoticeRecord {
  return 'path' in event
}

/** The type and the content of an event or a notice for clients. */
export function reportOf(event: StreamedRecord): { type: string; data: object } {
  return isNotice(event) ? noticeReport(event) : { type: event.type, data: eventData(event) }
}

/** Events and notices in the order of their numbers, and damaged rows. More may follow after the number `next`, if it has one. */
export type EventBatch = Readable<StreamedRecord> & { next: number | undefined }

/** Events and notices in order, with numbers above `after` and up to `upTo`: of a workspace, or of all. */
export async function listEvents(
  queries: Queries,
  { after, upTo, workspace }: { after: number; upTo: number; workspace?: string },
  limit: number,
): Promise<EventBatch> {
  const where = `WHERE ${workspace === undefined ? '' : 'workspace = ? AND '}number > ? AND number <= ?`
  const values = (last: number) => [...(workspace === undefined ? [] : [workspace]), after, last]
  // The last number of the batch, so that both tables are read up to the same one.
  const numbers = await NUMBERS.all(queries, `${where} ORDER BY number LIMIT ?`, ...values(upTo), limit)
  const next = numbers.length === limit ? numbers.at(-1)?.number : undefined
  const batch = values(next ?? upTo)
  const events = await EVENTS.readable(queries, where, ...batch)
  const notices = await NOTICES.readable(queries, where, ...batch)
  const records = [...events.records, ...notices.records].sort((one, other) => one.number - other.number)
  return { records, damaged: [...events.damaged, ...notices.damaged], next }
}

const BOTH = `(SELECT number, id, workspace, happened_at FROM event
  UNION ALL SELECT number, id, workspace, happened_at FROM notice) AS event`
const NUMBERS = defineRows(BOTH, { number: number('number') })
/** SQLite merges both tables by their indexes only if the number is one of the columns. */
const IDS = defineRows(BOTH, { number: number('number'), id: text('id') })

/** The number of an event or notice of a workspace; undefined if the store has no such one of the last 30 days. */
export async function findEventNumber(
  queries: Queries,
  { workspace, id, now }: { workspace: string; id: string; now: number },
): Promise<number | undefined> {
  const where = 'WHERE workspace = ? AND id = ? AND happened_at >= ?'
  return (await NUMBERS.one(queries, where, workspace, id, now - RETENTION_MS))?.number
}

/** The id of the latest event or notice of a workspace up to this number; undefined if there is none. */
export async function latestEventId(queries: Queries, workspace: string, upTo: number): Promise<string | undefined> {
  const latest = 'WHERE workspace = ? AND number <= ? ORDER BY number DESC LIMIT 1'
  return (await IDS.one(queries, latest, workspace, upTo))?.id
}
