import { errorMessage } from '#platform/base/error.ts'

/** Does the work for each item, and throws after the others if one fails. */
export async function attemptEach<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  problem: string,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for await (const item of items) await work(item).catch(error => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, `${problem}: ${failures.map(errorMessage).join('; ')}`)
}
