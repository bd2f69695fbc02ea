import { errorMessage } from '../base/error.ts'
import { dayOf, type LastDay, noticeOf } from '../brand/file.ts'
import type { Hash, ProjectRef } from '../brand/ids.ts'
import { findProject, listProjects, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { changesSince, latestChange } from '../store/catalogue/changes.ts'
import { type DueNotice, listNotices, recordNotice } from '../store/catalogue/notices.ts'
import { readLastDays } from '../store/catalogue/snapshots.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'

type State = {
  /** The day and the change for which `due` has been filled. */
  day: string
  upTo: number
  /** The projects to look at, by place. */
  due: Map<string, ProjectRef>
  /** The files with a last day in the published snapshots, by place. */
  known: Map<string, { snapshot: Hash; files: readonly LastDay[] }>
}

/**
 * Returns a function that records each notice that is due about the rights to a published file. Call it often: it looks
 * only at projects that have changed, and on a new day at all, but reads the files of a snapshot only once. Several
 * processes record each notice once. It throws after the others if one project fails, and tries that one again.
 */
export function noticeRecorder(store: Store): () => Promise<void> {
  const state: State = { day: '', upTo: 0, due: new Map(), known: new Map() }
  return async () => {
    const now = store.clock.date()
    await addDue(store.database, state, dayOf(now))
    const failures: unknown[] = []
    for (const [place, ref] of state.due)
      try {
        await recordDue(store, state, ref, now)
        state.due.delete(place)
      } catch (error) {
        failures.push(error)
      }
    if (failures.length > 0)
      throw new AggregateError(failures, `some notices failed: ${failures.map(errorMessage).join('; ')}`)
  }
}

async function addDue(queries: Queries, state: State, day: string): Promise<void> {
  const latest = await latestChange(queries)
  // Only an older database has a lower number.
  const isAll = day !== state.day || latest < state.upTo
  if (!isAll && latest === state.upTo) return
  const { workspaces, upTo } = await changesSince(queries, isAll ? latest : state.upTo)
  const refs: ProjectRef[] = isAll ? (await listProjects(queries)).records : []
  for (const [workspace, projects] of workspaces)
    if (projects === 'all') refs.push(...(await listProjects(queries, workspace)).records)
    else for (const project of projects) refs.push({ workspace, project })
  for (const ref of refs) state.due.set(placeOf(ref), ref)
  if (isAll) for (const place of state.known.keys()) if (!state.due.has(place)) state.known.delete(place)
  Object.assign(state, { day, upTo })
}

function placeOf({ workspace, project }: ProjectRef): string {
  return `${workspace}/${project}`
}

async function recordDue({ database }: Store, { known }: State, ref: ProjectRef, now: Date): Promise<void> {
  const record = await findProject(database, ref.workspace, ref.project)
  const snapshot = record?.published?.snapshot
  if (!record || snapshot === undefined) {
    known.delete(placeOf(ref))
    return
  }
  const earlier = known.get(placeOf(ref))
  const files = earlier?.snapshot === snapshot ? earlier.files : await readLastDays(database, ref.workspace, snapshot)
  known.set(placeOf(ref), { snapshot, files })
  const fresh = await withoutEarlier(database, record, dueOn(dayOf(now), files))
  for (let at = 0; at < fresh.length; at += MAX_AT_ONCE)
    await database.transaction(async queries => {
      const current = await findProject(queries, ref.workspace, ref.project)
      // After another publication, the next call reads its files.
      if (current?.instance !== record.instance || current.published?.snapshot !== snapshot) return
      for (const notice of fresh.slice(at, at + MAX_AT_ONCE)) await recordNotice(queries, current, notice, now)
    })
}

/** Other processes can write between two transactions. */
const MAX_AT_ONCE = 100

function dueOn(today: string, files: readonly LastDay[]): DueNotice[] {
  return files.flatMap(file => {
    const days = noticeOf(file, today)
    return days === undefined ? [] : [{ ...file, days }]
  })
}

/** The notices after the latest recorded ones. */
async function withoutEarlier(queries: Queries, record: ProjectRecord, due: DueNotice[]): Promise<DueNotice[]> {
  if (due.length === 0) return due
  const latest = new Map<string, number>()
  for (const { path, until, days } of (await listNotices(queries, record)).records) {
    const key = `${until} ${path}`
    latest.set(key, Math.min(days, latest.get(key) ?? days))
  }
  return due.filter(({ path, until, days }) => days < (latest.get(`${until} ${path}`) ?? Number.POSITIVE_INFINITY))
}
