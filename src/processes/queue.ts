/** What a queue knows of a piece of work: whose it is, and how large. */
export type Work = { author: string; size: number }

/** What waits, and which of it is next. */
export type Queue<Item extends Work> = {
  /** Lets a piece of work wait; false where too much waits already. */
  add: (item: Item) => boolean
  /** Takes what is next, beside what is being worked on; undefined where nothing may begin. */
  take: (underWay: readonly Item[]) => Item | undefined
  /** Puts first what was taken and not begun. */
  putBack: (items: readonly Item[]) => void
  /** Takes everything. */
  clear: () => Item[]
}

/** First come, first served, whoever it is for. */
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
 * Authors take turns, so that much work of one holds up nobody else: of each, no more than `mostUnderWay` are worked on
 * at once, and no more than `mostWaiting` wait together by their sizes, but always one.
 */
export function inTurns<Item extends Work>(limits: { mostUnderWay: number; mostWaiting: number }): Queue<Item> {
  /** By their authors, in the order in which these have their turn; none of the lists is empty. */
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
