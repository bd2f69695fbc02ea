/** What a queue knows about a piece of work: whose it is, and how large. */
export type Work = { author: string; size: number }

/** What waits, and which of it is next. */
export type Queue<Item extends Work> = {
  /** Adds a piece of work; false if too much waits already. */
  add: (item: Item) => boolean
  /** Takes the next one that may run beside those under way; undefined if there is none. */
  take: (underWay: readonly Item[]) => Item | undefined
  /** Puts work that was taken and not begun back to the front. */
  putBack: (items: readonly Item[]) => void
  /** Takes everything. */
  clear: () => Item[]
}

/** First come, first served. */
export function inOrder<Item extends Work>(): Queue<Item> {
  const waiting: Item[] = []
  return {
    add: item => waiting.push(item) > 0,
    take: () => waiting.shift(),
    putBack: items => void waiting.unshift(...items),
    clear: () => waiting.splice(0),
  }
}

/**
 * Authors take turns, so that one with much work holds up nobody else. Of each author, at most `mostUnderWay` pieces run
 * at once. Those that wait may have a size of `mostWaiting` together; a single one may be larger.
 */
export function inTurns<Item extends Work>(limits: { mostUnderWay: number; mostWaiting: number }): Queue<Item> {
  /** By author, in the order of their turns; no list is empty. */
  const waiting = new Map<string, Item[]>()
  return {
    add: item => {
      const items = waiting.get(item.author) ?? []
      if (items.length > 0 && sizeOf(items) + item.size > limits.mostWaiting) return false
      items.push(item)
      waiting.set(item.author, items)
      return true
    },
    take: underWay => {
      for (const [author, items] of waiting) {
        if (underWay.filter(item => item.author === author).length >= limits.mostUnderWay) continue
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
