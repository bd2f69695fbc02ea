import { errorMessage } from '#platform/base/error.ts'
import { unlessDamaged } from '#store/database/damaged-row.ts'
import type { Queries } from '#store/database/database.ts'

/**
 * Does the work for each item, one after the other. Skips an item whose row in the database is damaged, which is reported
 * elsewhere. If the work of some fails, does the others first, and then throws an error with all reasons.
 *
 * @param problem the beginning of its message: `some books failed`
 */
export async function attemptEach<Item>(
  queries: Pick<Queries, 'listeners'>,
  items: Iterable<Item> | AsyncIterable<Item>,
  problem: string,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for await (const item of items) await unlessDamaged(queries, () => work(item)).catch(error => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, `${problem}: ${failures.map(errorMessage).join('; ')}`)
}
