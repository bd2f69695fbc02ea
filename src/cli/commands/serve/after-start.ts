/**
 * Does what can wait until a service has answered its first requests: keeps the code that V8 has made for the next start,
 * and then keeps the heap small, since V8 takes no code that other flags have made. Gives the function that ends it.
 */
export function afterStart(): () => void {
  let end: (() => void) | undefined
  let isEnded = false
  const begin = async () => {
    const { keepCode } = await import('../../../code-cache.ts')
    await keepCode()
    const { keepHeapSmall } = await import('./small-heap.ts')
    if (!isEnded) end = keepHeapSmall()
  }
  const timer = setTimeout(() => void begin(), STARTED_MS)
  timer.unref()
  return () => {
    isEnded = true
    clearTimeout(timer)
    end?.()
  }
}

const STARTED_MS = 1000
