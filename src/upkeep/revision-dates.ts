import type { RevisionRecord } from '../store/catalogue/history.ts'
import { numberOf, type Queries, type Row, textOf } from '../store/database/database.ts'
import type { Problem } from './problem.ts'

/**
 * Gives the age of each revision in milliseconds, by number: at most its true age, even if a clock was wrong. Age counts
 * up to the latest publication of the project, because the clock may be ahead now. If the date of a revision is before
 * that of an earlier one, or in the future, the next revision with a plausible date says when it existed.
 *
 * @param history newest first
 */
export function revisionAges(history: readonly RevisionRecord[], now: Date): Map<number, number> {
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

/** Warns of each revision that is dated before the previous one. Revisions without content do not matter any more. */
export async function revisionDateProblems(queries: Queries): Promise<Problem[]> {
  return (await queries.all(OUT_OF_ORDER, LEEWAY_MS)).map(row => ({
    check: 'clock',
    severity: 'warning',
    subject: `${textOf(row, 'workspace')}/${textOf(row, 'project')}`,
    message: `has revisions dated out of order: revision ${datedRevision(row, 'number', 'published_at')} follows revision ${datedRevision(row, 'previous', 'previous_at')}`,
    fix: 'set the clock if it is still wrong, as with NTP; gc --keep with a time keeps revisions of doubtful age, so give it a number of revisions as well',
  }))
}

function datedRevision(row: Row, number: string, date: string): string {
  return `${numberOf(row, number)} of ${new Date(numberOf(row, date)).toISOString()}`
}

/** Clocks are set back by a little all the time. */
const LEEWAY_MS = 60_000

const OUT_OF_ORDER = `SELECT workspace, project, number, published_at, previous, previous_at FROM (
    SELECT workspace, project, number, published_at, freed_at,
      LAG(number) OVER (PARTITION BY workspace, project ORDER BY number) AS previous,
      LAG(published_at) OVER (PARTITION BY workspace, project ORDER BY number) AS previous_at
    FROM revision
  ) AS dated
  WHERE published_at + ? < previous_at AND freed_at IS NULL ORDER BY workspace, project, number`
