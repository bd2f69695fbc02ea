import type { ProjectRef } from '#brand/ids.ts'
import { USAGE_KINDS, type UsageKind, type UsagePeriod, type UsageRow } from '#brand/usage.ts'
import { ok } from '#platform/base/result.ts'
import { listUsage, sumUsage, type UsageSum } from '#store/catalogue/usage.ts'
import type { Queries } from '#store/database/database.ts'
import { knownProject, type Outcome } from './project-ref.ts'

/** How often the content of a project was requested, from a day on: oldest day first. */
export async function usage(queries: Queries, ref: ProjectRef, firstDay: string): Outcome<UsageRow[]> {
  const record = await knownProject(queries, ref)
  return record.ok ? ok(await listUsage(queries, ref, firstDay)) : record
}

/** The counts of a kind in a period, and in the one before; 0 there if its counts are not kept. */
export type KindUsage = {
  kind: UsageKind
  total: number
  before: number
  /** For each day of the period. */
  daily: readonly number[]
  dailyBefore: readonly number[]
  /** The most requested ones first. Items that were requested only before are left out. */
  items: readonly UsedItem[]
}

type UsedItem = { item: string; count: number; before: number }

/** Adds up the usage of a project: an entry for each kind, in their order. */
export async function usageReport(queries: Queries, ref: ProjectRef, period: UsagePeriod): Promise<KindUsage[]> {
  const sums = async (by: 'day' | 'item', days: readonly string[]) =>
    days.length === 0 ? [] : sumUsage(queries, ref, by, [days[0] ?? '', days.at(-1) ?? ''])
  const byDay = [...(await sums('day', period.before)), ...(await sums('day', period.days))]
  const items = await sums('item', period.days)
  const itemsBefore = await sums('item', period.before)
  return USAGE_KINDS.map(kind => {
    const countOfDay = countsOf(byDay, kind)
    const countBefore = countsOf(itemsBefore, kind)
    const daily = period.days.map(countOfDay)
    const dailyBefore = period.before.map(countOfDay)
    return {
      kind,
      total: total(daily),
      before: total(dailyBefore),
      daily,
      dailyBefore,
      items: items
        .filter(sum => sum.kind === kind)
        .map(({ key: item, count }) => ({ item, count, before: countBefore(item) })),
    }
  })
}

/** A function that gives the count of a day or item of one kind; 0 without one. */
function countsOf(sums: readonly UsageSum[], kind: UsageKind): (key: string) => number {
  const counts = new Map(sums.filter(sum => sum.kind === kind).map(sum => [sum.key, sum.count]))
  return key => counts.get(key) ?? 0
}

export function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
