import { dayOf } from './file.ts'

/** The kinds of requests that are counted. */
export const USAGE_KINDS = ['page', 'file', 'export', 'missed', 'api', 'agent'] as const

export type UsageKind = (typeof USAGE_KINDS)[number]

/** How often an item was requested on a day in UTC, such as `2026-11-29`. */
export type UsageRow = { day: string; kind: UsageKind; item: string; count: number }

/** The maximum number of different searches without a result that are kept for a project and day. */
export const MAX_MISSED = 200

/** Counts are removed after so many days. */
export const KEPT_DAYS = 400

/** Days in UTC, the oldest first, and as many before them; none if the counts of those are not kept. */
export type UsagePeriod = { days: readonly string[]; before: readonly string[] }

/** The last days until now, today included. */
export function usagePeriod(now: Date, count: number): UsagePeriod {
  const daysUntil = (end: number) =>
    Array.from({ length: count }, (_, at) => dayOf(new Date(end - (count - 1 - at) * DAY_MS)))
  const end = now.getTime()
  return { days: daysUntil(end), before: 2 * count > KEPT_DAYS ? [] : daysUntil(end - count * DAY_MS) }
}

/** Reads the number of days of a period; undefined if counts are not kept for so many. */
export function parseDays(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return days >= 1 && days <= KEPT_DAYS ? days : undefined
}

const DAY_MS = 86_400_000
