import { errorMessage } from '#platform/base/error.ts'
import { unlessDamaged } from '#store/database/damaged-row.ts'
import type { Queries } from '#store/database/database.ts'

/** Does the work for each item that no damaged row prevents, and throws after the others if one fails. */
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
