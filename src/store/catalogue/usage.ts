import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ProjectRef } from '#brand/ids.ts'
import { MAX_MISSED, USAGE_KINDS, type UsageKind, type UsageRow } from '#brand/usage.ts'
import type { Database, Queries } from '../database/database.ts'
import { choice, defineRows, number, text, whole } from '../database/table.ts'

/** The requests for an item of a project on a day. */
export type UsageCount = UsageRow & ProjectRef

/**
 * Adds counts in one transaction, and removes days before `firstDay`. No process needs to know, so this records no
 * change, and a power failure may lose it.
 */
export async function addUsage(database: Database, counts: readonly UsageCount[], firstDay: string): Promise<void> {
  await database.transaction(
    async queries => {
      const newCounts = [...counts.filter(({ kind }) => kind !== 'missed'), ...(await keptSearches(queries, counts))]
      for (let at = 0; at < newCounts.length; at += BATCH_SIZE) {
        const batch = newCounts.slice(at, at + BATCH_SIZE)
        await queries.run(
          `INSERT INTO usage (workspace, project, day, kind, item, count)
           VALUES ${batch.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}
           ON CONFLICT (workspace, project, day, kind, item) DO UPDATE SET count = usage.count + excluded.count`,
          ...batch.flatMap(({ workspace, project, day, kind, item, count }) => [
            workspace,
            project,
            day,
            kind,
            item,
            count,
          ]),
        )
        await nextTurn()
      }
      await queries.run('DELETE FROM usage WHERE day < ?', firstDay)
      await removeDeletedProjects(queries, [...new Set(counts.map(({ day }) => day))])
    },
    { durable: false },
  )
}

const BATCH_SIZE = 100

/**
 * Selects the searches without a result that a project keeps of a day: the most frequent ones, of the stored and the new
 * ones together. Removes stored ones that are rarer.
 */
async function keptSearches(queries: Queries, counts: readonly UsageCount[]): Promise<UsageCount[]> {
  const missed = counts.filter(({ kind }) => kind === 'missed')
  const placeOf = ({ workspace, project, day }: UsageCount) => `${workspace}/${project}/${day}`
  const keptCounts: UsageCount[] = []
  for (const searches of Map.groupBy(missed, placeOf).values()) {
    const [first] = searches
    if (!first) continue
    const place = [first.workspace, first.project, first.day]
    const stored = await COUNTS.all(queries, OF_MISSED, ...place)
    const totals = new Map(stored.map(({ item, count }) => [item, count]))
    for (const { item, count } of searches) totals.set(item, (totals.get(item) ?? 0) + count)
    const byFrequency = [...totals].toSorted(([, a], [, b]) => b - a).map(([item]) => item)
    const frequentItems = new Set(byFrequency.slice(0, MAX_MISSED))
    for (const { item } of stored.filter(({ item }) => !frequentItems.has(item)))
      await queries.run(`DELETE FROM usage ${OF_MISSED} AND item = ?`, ...place, item)
    keptCounts.push(...searches.filter(({ item }) => frequentItems.has(item)))
  }
  return keptCounts
}

/** The searches without a result of a project on a day. */
const OF_MISSED = "WHERE workspace = ? AND project = ? AND day = ? AND kind = 'missed'"

/** Removes counts of projects that were deleted after their last request. */
async function removeDeletedProjects(queries: Queries, days: readonly string[]): Promise<void> {
  await queries.run(
    `DELETE FROM usage WHERE day IN (${days.map(() => '?').join()}) AND NOT EXISTS
       (SELECT 1 FROM project WHERE project.workspace = usage.workspace AND project.id = usage.project)`,
    ...days,
  )
}

/** The usage of a project since a day: by day and kind, the most requested items first. */
export async function listUsage(
  queries: Queries,
  { workspace, project }: ProjectRef,
  firstDay: string,
): Promise<UsageRow[]> {
  const rest = 'WHERE workspace = ? AND project = ? AND day >= ? ORDER BY day, kind, count DESC, item'
  return ofKnownKinds(await COUNTS.all(queries, rest, workspace, project, firstDay))
}

/** The sum of the counts of a kind for a day, an item or a project. */
export type UsageSum = { kind: UsageKind; key: string; count: number }

/** Adds up the counts of a project or a workspace from one day to another. The highest sums come first. */
export async function sumUsage(
  queries: Queries,
  { workspace, project }: Pick<ProjectRef, 'workspace'> & Partial<ProjectRef>,
  by: keyof typeof SUMS,
  [first, last]: readonly [first: string, last: string],
): Promise<UsageSum[]> {
  const [place, values] = project === undefined ? ['', []] : ['AND project = ?', [project]]
  const rest = `WHERE workspace = ? ${place} AND day BETWEEN ? AND ? GROUP BY kind, ${by} ORDER BY SUM(count) DESC, ${by}`
  return ofKnownKinds(await SUMS[by].all(queries, rest, workspace, ...values, first, last))
}

/** The counts without those of kinds that only a newer version knows. */
function ofKnownKinds<Counted extends { kind: string }>(counts: readonly Counted[]): (Counted & { kind: UsageKind })[] {
  return counts.flatMap(count => {
    const kind = USAGE_KINDS.find(each => each === count.kind)
    return kind ? { ...count, kind } : []
  })
}

/** The requests for items. A wrong row is only left out or shown. */
export const USAGE = defineRows(
  'usage',
  {
    workspace: text('workspace'),
    project: text('project'),
    day: text('day', 'a day as in 2026-11-24', isDay),
    kind: choice('kind', ...USAGE_KINDS),
    item: text('item'),
    count: whole('count'),
  },
  'usage',
)

/** Whether a text is a day as in 2026-11-24. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text)
}

const COUNTS = defineRows('usage', { day: text('day'), kind: text('kind'), item: text('item'), count: number('count') })

const SUM = { kind: text('kind'), count: number('SUM(count) AS count') }
const SUMS = {
  day: defineRows('usage', { ...SUM, key: text('day') }),
  item: defineRows('usage', { ...SUM, key: text('item') }),
  project: defineRows('usage', { ...SUM, key: text('project') }),
}
