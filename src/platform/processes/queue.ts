/** The author and size of a queued item; the caller chooses the unit of size. */
export type Work = {
  author: string
  size: number
  /** The sender of an author's item; senders take turns, too. */
  network?: string
  /** Whether it may use the processes that a share queue keeps. */
  hasShare?: boolean
  /** The time after which it is refused if it still waits. */
  maxWaitMs?: number
  /** Called if it lost its place to an item of a network with fewer places. */
  giveUp?: () => void
}

export type Queue<Item extends Work> = {
  /** Returns false if there is no place for the item. */
  add: (item: Item) => boolean
  /** Takes the next item that may run alongside the running ones; undefined if there is none. */
  take: (running: readonly Item[]) => Item | undefined
  /** Puts items that were taken but not started back at the front. */
  putBack: (items: readonly Item[]) => void
  /** Removes a waiting item; false if it was taken. */
  remove: (item: Item) => boolean
  count: () => number
  clear: () => Item[]
}

/** First come, first served. */
export function fifoQueue<Item extends Work>(): Queue<Item> {
  const waiting: Item[] = []
  return {
    add: item => {
      waiting.push(item)
      return true
    },
    take: () => waiting.shift(),
    putBack: items => void waiting.unshift(...items),
    remove: item => removeFrom(waiting, item),
    count: () => waiting.length,
    clear: () => waiting.splice(0),
  }
}

function removeFrom<Item>(items: Item[], item: Item): boolean {
  const at = items.indexOf(item)
  return at !== -1 && items.splice(at, 1).length > 0
}

/** The maximum number of running items per author, and the maximum total size of waiting ones of an author or network. */
export type FairQueueLimits = { maxRunning: number; maxWaiting: number; maxWaitingPerNetwork?: number }

/**
 * A fair queue: authors take turns, so that one with much work does not delay others, and so do the networks of an
 * author. At most `maxRunning` items per author run at once. Waiting items of an author may have a total size of
 * `maxWaiting`; a single item may be larger. If an author is full, a network takes the newest place of the one that holds
 * most, unless it would then hold as much itself.
 */
export function fairQueue<Item extends Work>(limits: FairQueueLimits): Queue<Item> {
  const { maxRunning, maxWaiting, maxWaitingPerNetwork = maxWaiting } = limits
  const waiting: Item[] = []
  const sizes = new Map<string, number>() // Of the waiting items, by author and by sender.
  const turns = lastTurns()
  const sizeOf = (key: string) => sizes.get(key) ?? 0
  const resize = (item: Item, by: number) => {
    for (const key of [item.author, senderOf(item)]) sizes.set(key, sizeOf(key) + by)
    if (waiting.length === 0) sizes.clear()
  }
  const isFull = (key: string, size: number, max: number) => sizeOf(key) > 0 && sizeOf(key) + size > max
  const remove = (item: Item) => {
    const isRemoved = removeFrom(waiting, item)
    if (isRemoved) resize(item, -item.size)
    return isRemoved
  }
  const takePlaceFor = (item: Item) => {
    const loser = newestOfLargest(waiting, item, sizeOf)
    if (loser && remove(loser)) loser.giveUp?.()
    return loser !== undefined
  }
  return {
    add: item => {
      const { author, size } = item
      if (isFull(senderOf(item), size, maxWaitingPerNetwork)) return false
      while (isFull(author, size, maxWaiting)) if (!takePlaceFor(item)) return false
      waiting.push(item)
      resize(item, size)
      return true
    },
    take: running => {
      const mayRun = waiting.filter(({ author }) => running.filter(item => item.author === author).length < maxRunning)
      const next = turns.longestWaiting(mayRun)
      if (next) remove(next)
      return next
    },
    putBack: items => {
      waiting.unshift(...items)
      for (const item of items) resize(item, item.size)
    },
    remove,
    count: () => waiting.length,
    clear: () => {
      sizes.clear()
      return waiting.splice(0)
    },
  }
}

/** The newest item of the author's network that holds most, if that is more than the network of `item` would hold. */
function newestOfLargest<Item extends Work>(waiting: readonly Item[], item: Item, sizeOf: (sender: string) => number) {
  const size = (other: Item) => sizeOf(senderOf(other))
  const newestFirst = waiting.filter(({ author }) => author === item.author).toReversed()
  const [largest] = newestFirst.toSorted((one, other) => size(other) - size(one))
  return largest && size(largest) > size(item) + item.size ? largest : undefined
}

/** The key of a network of an author. Neither contains a line end, so it is never the key of an author. */
function senderOf({ author, network = '' }: Work): string {
  return `${author}\n${network}`
}

/** Remembers when authors and senders last had a turn: turns are numbered from 1, and 0 means never. */
function lastTurns() {
  const turns = new Map<string, number>()
  const turnOf = (key: string) => turns.get(key) ?? 0
  let turn = 0
  return {
    /** Gives a turn to the item whose author, or else sender, has not had one for the longest time. */
    longestWaiting: <Item extends Work>(items: readonly Item[]): Item | undefined => {
      /** Negative if the first had its last turn earlier. */
      const compareTurns = (item: Item, other: Item) =>
        turnOf(item.author) - turnOf(other.author) || turnOf(senderOf(item)) - turnOf(senderOf(other))
      const [first, ...others] = items
      if (!first) return undefined
      const next = others.reduce((earliest, item) => (compareTurns(item, earliest) < 0 ? item : earliest), first)
      if (turns.size > MAX_TURNS) turns.clear()
      turn++
      for (const key of [next.author, senderOf(next)]) turns.set(key, turn)
      return next
    },
  }
}

const MAX_TURNS = 10_000

/**
 * Keeps a share of `maxProcesses` for items with `hasShare`: others take all except one, or the only one in turn. Each
 * of the two groups is a fair queue, and the group with fewer running items is next.
 */
export function shareQueue<Item extends Work>(
  maxProcesses: number,
  limitsWithShare: FairQueueLimits,
  limitsOfOthers: FairQueueLimits,
): Queue<Item> {
  const withShare = fairQueue<Item>(limitsWithShare)
  const others = fairQueue<Item>(limitsOfOthers)
  const queueOf = ({ hasShare }: Item) => (hasShare ? withShare : others)
  const maxOthers = Math.max(1, maxProcesses - 1)
  return {
    add: item => queueOf(item).add(item),
    take: running => {
      const runningWithShare = running.filter(({ hasShare }) => hasShare)
      const runningOthers = running.filter(({ hasShare }) => !hasShare)
      const takeWithShare = () => withShare.take(runningWithShare)
      const takeOther = () => (runningOthers.length < maxOthers ? others.take(runningOthers) : undefined)
      const areOthersFewer = runningOthers.length < runningWithShare.length
      return areOthersFewer ? (takeOther() ?? takeWithShare()) : (takeWithShare() ?? takeOther())
    },
    putBack: items => {
      for (const item of items.toReversed()) queueOf(item).putBack([item])
    },
    remove: item => queueOf(item).remove(item),
    count: () => withShare.count() + others.count(),
    clear: () => [...withShare.clear(), ...others.clear()],
  }
}
