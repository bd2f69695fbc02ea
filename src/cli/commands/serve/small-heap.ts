import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap of a service close to what is in use (decision 401): V8 collects when the heap has grown by a third, and
 * the space for new objects stays at some 4 to 8 MB, where it would take 64 MB for good once a large guide was read. V8 reads both
 * flags at every collection. Set them once the code is loaded: V8 takes no code from a cache that other flags have made.
 * Gives a function that stops watching.
 */
export function keepHeapSmall(): () => void {
  setFlagsFromString('--heap-growing-percent=30')
  let isBounded = false
  const watch = setInterval(() => {
    if (newSpaceBytes() >= BOUND === isBounded) return
    isBounded = !isBounded
    setFlagsFromString(`--semi-space-growth-factor=${isBounded ? 1 : 2}`)
  }, WATCH_MS)
  watch.unref()
  return () => clearInterval(watch)
}

/** The space grows in a collection, of which there are few in this time. Looking takes some microseconds. */
const WATCH_MS = 50
const BOUND = 3 << 20

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}
