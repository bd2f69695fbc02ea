import type { RevisionRecord } from '../store/catalogue/history.ts'

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
