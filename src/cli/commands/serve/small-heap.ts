import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap of a service close to what is in use (decisions 401 and 427): V8 collects when the heap has grown by a
 * third, by 16 MB or to 48 MB, whichever is most, and the space for new objects stays at some 4 to 8 MB, where it would
 * take 64 MB for good once a large guide was read. V8 reads both flags at every collection. Set them once the code is
 * loaded: V8 takes no code from a cache that other flags have made. Gives a function that stops
 * watching.
 */
export function keepHeapSmall(): () => void {
  let [growth, isBounded] = [0, false]
  const look = () => {
    const { used, forNew } = heapBytes()
    const wanted = growthPercent(used)
    if (Math.abs(wanted - growth) > growth / 10) {
      growth = wanted
      setFlagsFromString(`--heap-growing-percent=${growth}`)
    }
    if (forNew >= BOUND === isBounded) return
    isBounded = !isBounded
    setFlagsFromString(`--semi-space-growth-factor=${isBounded ? 1 : 2}`)
  }
  look()
  const watch = setInterval(look, WATCH_MS)
  watch.unref()
  return () => clearInterval(watch)
}

/** The space grows in a collection, of which there are few in this time. Looking takes some microseconds. */
const WATCH_MS = 50
const BOUND = 3 << 20

/** By how much a heap of this size may grow before it is collected. A small one would be collected again and again. */
function growthPercent(bytes: number): number {
  return Math.max(30, Math.round((100 * Math.max(LEAST_GROWTH, LEAST_LIMIT - bytes)) / bytes))
}

const LEAST_GROWTH = 16 << 20
/** V8 begins to collect some 18 MB before the limit, so that nothing is held up in the end. */
const LEAST_LIMIT = 48 << 20

function heapBytes(): { used: number; forNew: number } {
  let [used, forNew] = [0, 0]
  for (const { space_name, space_size, space_used_size } of getHeapSpaceStatistics()) {
    if (space_name === 'new_space') forNew = space_size
    else used += space_used_size
  }
  return { used, forNew }
}
