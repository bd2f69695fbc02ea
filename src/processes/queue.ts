/** The author and size of a queued item; the caller chooses the unit of size. */
export type Work = { author: string; size: number }

export type Queue<Item extends Work> = {
  /** Adds an item; false if the queue is full. */
  add: (item: Item) => boolean
  /** Takes the next item that may run alongside the running ones; undefined if there is none. */
  take: (running: readonly Item[]) => Item | undefined
  /** Puts items that were taken but not started back at the front. */
  putBack: (items: readonly Item[]) => void
  /** The number of waiting items. */
  count: () => number
  /** Takes all items. */
  clear: () => Item[]
}

/** First come, first served. */
export function fifoQueue<Item extends Work>(): Queue<Item> {
  const waiting: Item[] = []
  return {
    add: item => waiting.push(item) > 0,
    take: () => waiting.shift(),
    putBack: items => void waiting.unshift(...items),
    count: () => waiting.length,
    clear: () => waiting.splice(0),
  }
}

/** The maximum number of running items per author, and the maximum total size of waiting ones. */
export type FairQueueLimits = { maxRunning: number; maxWaiting: number }

/**
 * A fair queue: authors take turns, so that one with much work does not delay others. At most `maxRunning` items per
 * author run at once. Waiting items of an author may have a total size of `maxWaiting`; a single item may be larger.
 */
export function fairQueue<Item extends Work>(limits: FairQueueLimits): Queue<Item> {
  // Keyed by author, in turn order. No list is empty.
  const waiting = new Map<string, Item[]>()
  return {
    add: item => {
      const items = waiting.get(item.author) ?? []
      if (items.length > 0 && sizeOf(items) + item.size > limits.maxWaiting) return false
      items.push(item)
      waiting.set(item.author, items)
      return true
    },
    take: running => {
      for (const [author, items] of waiting) {
        if (running.filter(item => item.author === author).length >= limits.maxRunning) continue
        const item = items.shift()
        waiting.delete(author)
        if (items.length > 0) waiting.set(author, items)
        return item
      }
      return undefined
    },
    putBack: items => {
      for (const item of items.toReversed()) waiting.set(item.author, [item, ...(waiting.get(item.author) ?? [])])
    },
    count: () => waiting.values().reduce((sum, items) => sum + items.length, 0),
    clear: () => {
      const items = [...waiting.values()].flat()
      waiting.clear()
      return items
    },
  }
}

function sizeOf(items: readonly Work[]): number {
  return items.reduce((sum, { size }) => sum + size, 0)
}
