import { randomBytes } from 'node:crypto'
import type { LastDay, NoticeDays } from '../../brand/file.ts'
import type { Readable } from '../database/damaged-row.ts'
import type { Queries } from '../database/database.ts'
import { date, defineTable, number, type RecordOf, text } from '../database/table.ts'
import type { ProjectRecord } from './catalogue.ts'
import { latestChange, recordChange } from './changes.ts'
import { addDeliveries, messageOf } from './webhooks.ts'

/** Events about files whose rights end soon or have ended. They stay, so that each happens once. */
export const NOTICES = defineTable('notice', {
  workspace: text('workspace'),
  project: text('project'),
  instance: text('instance'),
  createdAt: date('created_at'),
  path: text('path'),
  until: text('until'),
  /** The days before `until` for which it is; 0: the rights have ended. */
  days: number('days'),
  number: number('number'),
  id: text('id'),
  happenedAt: date('happened_at'),
})

export type NoticeRecord = RecordOf<typeof NOTICES>

/** A notice that is due. */
export type DueNotice = LastDay & { days: NoticeDays }

type Instance = Pick<ProjectRecord, 'workspace' | 'project' | 'instance'>

/** Records a notice, its change and its deliveries, inside a transaction, unless it has happened. */
export async function recordNotice(
  queries: Queries,
  { workspace, project, instance, createdAt }: ProjectRecord,
  due: DueNotice,
  now: Date,
): Promise<void> {
  const number = (await latestChange(queries)) + 1
  const about = { workspace, project, number, id: randomBytes(12).toString('hex') }
  const notice = { ...about, instance, createdAt, ...due, happenedAt: now }
  const isNew = 'ON CONFLICT (workspace, project, instance, path, until, days) DO NOTHING'
  if ((await NOTICES.add(queries, notice, isNew)) === 0) return
  await recordChange(queries, workspace, project)
  const message = { ...about, createdAt: now, type: noticeType(notice) }
  await addDeliveries(queries, messageOf(message, noticeData(notice)))
}

/** The type of a notice for clients. */
export function noticeType({ days }: Pick<NoticeRecord, 'days'>): 'file.expiring' | 'file.expired' {
  return days === 0 ? 'file.expired' : 'file.expiring'
}

/** The content of a notice for clients. */
export function noticeData({ workspace, project, path, until }: NoticeRecord): object {
  return { workspace, project, path, until }
}

/** The notices of a project, newest first; only the latest ones if there is a limit. */
export function listNotices(
  queries: Queries,
  { workspace, project, instance }: Instance,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<Readable<NoticeRecord>> {
  const rest = 'WHERE workspace = ? AND project = ? AND instance = ? ORDER BY number DESC LIMIT ?'
  return NOTICES.readable(queries, rest, workspace, project, instance, limit)
}
