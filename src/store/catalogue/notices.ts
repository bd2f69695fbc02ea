import { randomBytes } from 'node:crypto'
import type { ProjectRef } from '#brand/ids.ts'
import type { Queries } from '../database/database.ts'
import { date, defineTable, type RecordOf, text, whole } from '../database/table.ts'
import type { ProjectInstance, ProjectRecord } from './catalogue.ts'
import { latestChange, recordChange } from './changes.ts'
import { isDay } from './usage.ts'
import { addDeliveries, messageOf } from './webhooks.ts'

/** Events about files whose rights end soon or have ended. They stay, so that each happens once. */
export const NOTICES = defineTable('notice', {
  workspace: text('workspace'),
  project: text('project'),
  instance: text('instance'),
  createdAt: date('created_at'),
  path: text('path'),
  until: text('until', 'a day as in 2026-11-24', isDay),
  /** The days before `until` at which it is sent: 30 or 7; or 0 after `until`, when the rights have ended. */
  days: whole('days', 0, 30, '30, 7 or 0'),
  number: whole('number'),
  id: text('id'),
  happenedAt: date('happened_at'),
})

export type NoticeRecord = RecordOf<typeof NOTICES>

/** Records a notice, its change and its deliveries, inside a transaction. Returns its number; undefined if it has happened before. */
export async function recordNotice(
  queries: Queries,
  { workspace, project, instance, createdAt }: ProjectRecord,
  due: Pick<NoticeRecord, 'path' | 'until' | 'days'>,
  now: Date,
): Promise<number | undefined> {
  const number = (await latestChange(queries)) + 1
  const about = { workspace, project, number, id: randomBytes(12).toString('hex') }
  const notice = { ...about, instance, createdAt, ...due, happenedAt: now }
  const isNew = 'ON CONFLICT (workspace, project, instance, path, until, days) DO NOTHING'
  if ((await NOTICES.add(queries, notice, isNew)) === 0) return undefined
  await recordChange(queries, workspace, project)
  const { type, data } = noticeReport(notice)
  await addDeliveries(queries, messageOf({ ...about, createdAt: now, type }, data))
  return number
}

/** The type and the content of a notice for clients. */
export function noticeReport({ workspace, project, path, until, days }: NoticeRecord): {
  type: `file.${'expired' | 'expiring'}`
  data: object
} {
  return { type: days === 0 ? 'file.expired' : 'file.expiring', data: { workspace, project, path, until } }
}

/** The notices of a project, newest first; at most `limit`. */
export function listNotices(
  queries: Queries,
  { workspace, project, instance }: ProjectRef & ProjectInstance,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<NoticeRecord[]> {
  const where = 'WHERE workspace = ? AND project = ? AND instance = ? ORDER BY number DESC LIMIT ?'
  return NOTICES.all(queries, where, workspace, project, instance, limit)
}
