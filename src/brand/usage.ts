/** The kinds of requests that are counted. */
export const USAGE_KINDS = ['page', 'file', 'export', 'missed', 'api', 'agent'] as const

export type UsageKind = (typeof USAGE_KINDS)[number]

/** How often an item was requested on a day in UTC, such as `2026-11-29`. */
export type UsageRow = { day: string; kind: UsageKind; item: string; count: number }

/** The maximum number of different searches without a result that are kept for a project and day. */
export const MAX_MISSED = 200
