import type { RevisionRecord } from '../store/catalogue/history.ts'
import { numberOf, type Queries, type Row, textOf } from '../store/database/database.ts'
import type { Problem } from './problem.ts'

/**
 * The age of each revision in milliseconds, keyed by number: at most its true age, even if a clock was wrong. The age is
 * relative to the project's latest publication, because the clock may be ahead now. A revision whose date is implausible
 * (in the future, or before an earlier revision's date) takes the date of the next revision with a plausible one.
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

/** Warns of each revision dated before the previous one. Ignores revisions without content. */
export async function revisionDateProblems(queries: Queries): Promise<Problem[]> {
  return (await queries.all(OUT_OF_ORDER, LEEWAY_MS)).map(row => ({
    check: 'clock',
    severity: 'warning',
    subject: `${textOf(row, 'workspace')}/${textOf(row, 'project')}`,
    message: `has revisions dated out of order: revision ${datedRevision(row, 'number', 'published_at')} follows revision ${datedRevision(row, 'previous', 'previous_at')}`,
    fix: 'set the clock if it is still wrong, for example with NTP; gc --keep with a time keeps revisions of doubtful age, so also give it a number of revisions',
  }))
}

function datedRevision(row: Row, number: string, date: string): string {
  return `${numberOf(row, number)} of ${new Date(numberOf(row, date)).toISOString()}`
}

/** Tolerates small corrections of the clock. */
const LEEWAY_MS = 60_000

const OUT_OF_ORDER = `SELECT workspace, project, number, published_at, previous, previous_at FROM (
    SELECT workspace, project, number, published_at, freed_at,
      LAG(number) OVER (PARTITION BY workspace, project ORDER BY number) AS previous,
      LAG(published_at) OVER (PARTITION BY workspace, project ORDER BY number) AS previous_at
    FROM revision
  ) AS dated
  WHERE published_at + ? < previous_at AND freed_at IS NULL ORDER BY workspace, project, number`
