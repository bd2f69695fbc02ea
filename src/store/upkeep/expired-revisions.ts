import type { ProjectRef } from '#brand/ids.ts'
import { listSoundProjects, type ProjectRecord } from '../catalogue/catalogue.ts'
import { listRevisions, type RevisionRecord } from '../catalogue/history.ts'
import { unlessDamaged } from '../database/damaged-row.ts'
import type { Queries } from '../database/database.ts'

/** The newest `count`, and those at most `seconds` older than their project's latest publication; by default all. */
export type Retention = { count?: number; seconds?: number }

type RevisionRef = ProjectRef & { number: number }

/** The revisions that are not kept. A project with a damaged row keeps all. */
export async function expiredRevisions(queries: Queries, keep: Retention, now: Date): Promise<RevisionRef[]> {
  const expired: RevisionRef[] = []
  if (keep.count === undefined && keep.seconds === undefined) return expired
  for (const record of await listSoundProjects(queries)) {
    const { workspace, project } = record
    const history = (await unlessDamaged(queries, () => listRevisions(queries, workspace, project))) ?? []
    const ages = revisionAges(history, now)
    for (const [at, revision] of history.entries()) {
      const { number } = revision
      if (!isKept(revision, { at, ageMs: ages.get(number) ?? 0 }, record, keep))
        expired.push({ workspace, project, number })
    }
  }
  return expired
}

/**
 * The age of each revision in milliseconds, keyed by number: at most its true age, even if a clock was wrong. The age is
 * relative to the project's latest publication, because the clock may be ahead now. A revision whose date is implausible
 * (in the future, or before an earlier revision's date) takes the date of the next revision with a plausible one.
 *
 * @param history newest first
 */
function revisionAges(history: readonly RevisionRecord[], now: Date): Map<number, number> {
  const plausible = plausibleDates(history, now)
  const latest = Math.max(0, ...plausible.values())
  const ages = new Map<number, number>()
  let publishedBefore = latest
  for (const { number } of history) {
    publishedBefore = plausible.get(number) ?? publishedBefore
    ages.set(number, latest - publishedBefore)
  }
  return ages
}

/** The dates of revisions that are neither in the future nor before the date of an earlier revision. */
function plausibleDates(history: readonly RevisionRecord[], now: Date): Map<number, number> {
  const dates = new Map<number, number>()
  let latest = Number.NEGATIVE_INFINITY
  for (const { number, publishedAt } of history.toReversed()) {
    const date = publishedAt.getTime()
    if (date < latest || date > now.getTime()) continue
    dates.set(number, date)
    latest = date
  }
  return dates
}

function isKept(
  { number, freedAt }: RevisionRecord,
  { at, ageMs }: { at: number; ageMs: number },
  { published }: ProjectRecord,
  { count = 0, seconds }: Retention,
): boolean {
  return (
    freedAt !== undefined ||
    number === published?.revision ||
    at < count ||
    (seconds !== undefined && ageMs < seconds * 1000)
  )
}
