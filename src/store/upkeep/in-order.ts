import { settleAll } from '#platform/base/promise.ts'

/** The limit of concurrent work: `slots` in total, of which an item takes `slotsOf(item)`, or one. */
type Room<Item> = { slots: number; slotsOf?: (item: Item) => number }

/** Works on items concurrently, and yields results in order. Throws the first error once all running work has ended. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  { slots, slotsOf = () => 1 }: Room<Item>,
): AsyncGenerator<Result, void> {
  /** In order. If an item finds no free slot, the first ones are yielded until it does. */
  const underWay: { result: Promise<Result>; ownSlots: number }[] = []
  let usedSlots = 0
  try {
    for await (const item of items) {
      const ownSlots = slotsOf(item)
      for (let [first] = underWay; first && usedSlots + ownSlots > slots; [first] = underWay) {
        yield await first.result
        usedSlots -= first.ownSlots
        underWay.shift()
      }
      const result = work(item)
      result.catch(ignore) // The error is thrown when the item's turn comes.
      underWay.push({ result, ownSlots })
      usedSlots += ownSlots
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
