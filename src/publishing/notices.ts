import { dayOf, type LastDay, noticeOf } from '#brand/file.ts'
import type { Hash } from '#brand/ids.ts'
import { addMail } from '#store/access/mail.ts'
import { findProject, type ServedSnapshot, servedSince } from '#store/catalogue/catalogue.ts'
import { latestChange } from '#store/catalogue/changes.ts'
import { listNotices, recordNotice } from '#store/catalogue/notices.ts'
import { readLastDays } from '#store/catalogue/snapshots.ts'
import type { Queries } from '#store/database/database.ts'
import type { Store } from '#store/store.ts'
import { attemptEach } from './attempt-each.ts'

/** The last days in published snapshots that have any, by `projectKey`, and the day whose notices are recorded. */
type Known = Map<string, { snapshot: Hash; files: readonly LastDay[]; day: string }>

/**
 * Returns a function that records each notice that is due about the rights to a published file. It looks only at projects
 * that have changed, or at all on a new day, and keeps the last days that it has read. Several processes record each
 * notice once, with one mail for all files of a project whose rights end soon. It throws after the others if one project
 * fails, and tries that one again.
 */
export function noticeRecorder(store: Store): () => Promise<void> {
  const known: Known = new Map()
  let lastRun = { day: '', change: 0 }
  return async () => {
    const now = store.clock.date()
    const latest = { day: dayOf(now), change: await latestChange(store.database) }
    if (latest.day === lastRun.day && latest.change === lastRun.change) return
    // Only an older database, after a restored backup, has a lower number.
    const isOlder = latest.change < lastRun.change
    if (isOlder) known.clear()
    const readsAll = isOlder || latest.day !== lastRun.day
    /** The known projects that this run does not find. */
    const gone = new Set(readsAll ? known.keys() : [])
    await attemptEach(
      store.database,
      servedSince(store.database, readsAll ? 0 : lastRun.change),
      'some notices failed',
      record => {
        gone.delete(projectKey(record))
        return recordDue(store, known, record, now)
      },
    )
    for (const key of gone) known.delete(key)
    lastRun = latest
  }
}

/** Records the notices that are due about the files of a project. Does nothing if it has done so today. */
async function recordDue({ database }: Store, known: Known, record: ServedSnapshot, now: Date): Promise<void> {
  const { workspace, snapshot } = record
  const key = projectKey(record)
  const day = dayOf(now)
  const earlier = known.get(key)
  if (earlier?.snapshot === snapshot && earlier.day === day) return
  const files = earlier?.snapshot === snapshot ? earlier.files : await readLastDays(database, workspace, snapshot)
  const due = files.flatMap(file => {
    const days = noticeOf(file, day)
    return days === undefined ? [] : [{ ...file, days }]
  })
  const recorded = due.length > 0 ? await listNotices(database, record) : []
  // Notices come 30, 7 and 0 days before the last one. The newest of each file and day counts.
  const recordedDays = new Map(recorded.toReversed().map(notice => [lastDayKey(notice), notice.days]))
  const newNotices = due.filter(
    notice => notice.days < (recordedDays.get(lastDayKey(notice)) ?? Number.POSITIVE_INFINITY),
  )
  for (let at = 0; at < newNotices.length; at += MAX_AT_ONCE) {
    const batch = newNotices.slice(at, at + MAX_AT_ONCE)
    await database.transaction(queries => recordNotices(queries, record, batch, now))
  }
  if (files.length > 0) known.set(key, { snapshot, files, day })
  else known.delete(key)
}

/** Records notices, with one mail for those of rights that have not ended yet. */
async function recordNotices(
  queries: Queries,
  { workspace, project, instance, snapshot }: ServedSnapshot,
  notices: readonly (LastDay & { days: number })[],
  now: Date,
): Promise<void> {
  const current = await findProject(queries, workspace, project)
  // After another publication, the next call reads its files.
  if (current?.instance !== instance || current.published?.snapshot !== snapshot) return
  /** The number of the first notice for the mail. */
  let firstNumber: number | undefined
  for (const notice of notices) {
    const number = await recordNotice(queries, current, notice, now)
    if (notice.days > 0) firstNumber ??= number
  }
  if (firstNumber !== undefined) await addMail(queries, 'rights', current, { now, reason: `${firstNumber}` })
}

/** Notices per transaction. Other processes can write between two transactions. */
const MAX_AT_ONCE = 100

/** A deleted project that is made again has another instance. */
function projectKey({ workspace, project, instance }: ServedSnapshot): string {
  return `${workspace}/${project} ${instance}`
}

function lastDayKey({ until, path }: LastDay): string {
  return `${until} ${path}`
}
