import { dayOf, type LastDay, noticeOf } from '#brand/file.ts'
import type { Hash } from '#brand/ids.ts'
import { addMail } from '#store/access/mail.ts'
import { findProject, type ServedSnapshot, servedSince } from '#store/catalogue/catalogue.ts'
import { latestChange } from '#store/catalogue/changes.ts'
import { listNotices, recordNotice } from '#store/catalogue/notices.ts'
import { readLastDays } from '#store/catalogue/snapshots.ts'
import type { Store } from '#store/store.ts'
import { attemptEach } from './attempt-each.ts'

/** The last days in published snapshots that have any, by instance of the project, and the day whose notices are recorded. */
type Known = Map<string, { snapshot: Hash; files: readonly LastDay[]; day: string }>

/**
 * Returns a function that records each notice that is due about the rights to a published file. It looks only at projects
 * that have changed, or at all on a new day, and keeps the last days that it has read. Several processes record each
 * notice once, with one mail for all files of a project whose rights end soon. It throws after the others if one project
 * fails, and tries that one again.
 */
export function noticeRecorder(store: Store): () => Promise<void> {
  const known: Known = new Map()
  let done = { day: '', change: 0 }
  return async () => {
    const now = store.clock.date()
    const latest = { day: dayOf(now), change: await latestChange(store.database) }
    if (latest.day === done.day && latest.change === done.change) return
    // Only an older database has a lower number.
    const isOlder = latest.change < done.change
    if (isOlder) known.clear()
    const isAll = isOlder || latest.day !== done.day
    const gone = new Set(isAll ? known.keys() : [])
    await attemptEach(
      store.database,
      servedSince(store.database, isAll ? 0 : done.change),
      'some notices failed',
      record => {
        gone.delete(projectKey(record))
        return recordDue(store, known, record, now)
      },
    )
    for (const key of gone) known.delete(key)
    done = latest
  }
}

async function recordDue({ database }: Store, known: Known, record: ServedSnapshot, now: Date): Promise<void> {
  const { workspace, project, instance, snapshot } = record
  const [key, day] = [projectKey(record), dayOf(now)]
  const earlier = known.get(key)
  if (earlier?.snapshot === snapshot && earlier.day === day) return
  const files = earlier?.snapshot === snapshot ? earlier.files : await readLastDays(database, workspace, snapshot)
  const due = files.flatMap(file => {
    const days = noticeOf(file, day)
    return days === undefined ? [] : [{ ...file, days }]
  })
  const notices = due.length > 0 ? await listNotices(database, record) : []
  const latest = new Map(notices.toReversed().map(notice => [lastDayKey(notice), notice.days]))
  const fresh = due.filter(notice => notice.days < (latest.get(lastDayKey(notice)) ?? Number.POSITIVE_INFINITY))
  for (let at = 0; at < fresh.length; at += MAX_AT_ONCE)
    await database.transaction(async queries => {
      const current = await findProject(queries, workspace, project)
      // After another publication, the next call reads its files.
      if (current?.instance !== instance || current.published?.snapshot !== snapshot) return
      let first: number | undefined
      for (const notice of fresh.slice(at, at + MAX_AT_ONCE)) {
        const number = await recordNotice(queries, current, notice, now)
        if (notice.days > 0) first ??= number
      }
      if (first !== undefined) await addMail(queries, 'rights', current, { now, reason: `${first}` })
    })
  if (files.length > 0) known.set(key, { snapshot, files, day })
  else known.delete(key)
}

/** Other processes can write between two transactions. */
const MAX_AT_ONCE = 100

function projectKey({ workspace, project, instance }: ServedSnapshot): string {
  return `${workspace}/${project} ${instance}`
}

function lastDayKey({ until, path }: LastDay): string {
  return `${until} ${path}`
}
