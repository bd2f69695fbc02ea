import { settleAll } from '../base/promise.ts'

/** How much work may be under way: `slots` in all, of which an item takes as many as `slotsOf` says, or one. */
type Room<Item> = { slots: number; slotsOf?: (item: Item) => number }

/**
 * Does work for items at the same time, and gives the results in the order of the items. An item that takes more slots than
 * there are has them to itself. The first error, in the order of the items, ends it, once nothing is under way any more.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  { slots, slotsOf = () => 1 }: Room<Item>,
): AsyncGenerator<Result, void> {
  const underWay: { result: Promise<Result>; taken: number }[] = []
  let used = 0
  try {
    for await (const item of items) {
      const taken = slotsOf(item)
      for (let [first] = underWay; first && used + taken > slots; [first] = underWay) {
        yield await first.result
        used -= first.taken
        underWay.shift()
      }
      const result = work(item)
      result.catch(ignore) // It is thrown when its turn comes.
      underWay.push({ result, taken })
      used += taken
    }
    for (let [first] = underWay; first; [first] = underWay) {
      yield await first.result
      underWay.shift()
    }
  } finally {
    await settleAll(underWay.map(({ result }) => result))
  }
}

function ignore(): void {}
