import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap near what is in use while a folder is read, for some 10% more processor time. V8 by itself lets what
 * is not needed any more pile up to several times that.
 */
export async function withSmallHeap<Value>(work: () => Promise<Value>): Promise<Value> {
  for (const flag of SMALL) setFlagsFromString(flag)
  try {
    return await work()
  } finally {
    for (const flag of AS_BEFORE) setFlagsFromString(flag)
  }
}

/** Both are looked at each time that V8 collects; the second is V8's own choice. */
const SMALL = ['--semi-space-growth-factor=1', '--heap-growing-percent=100']
const AS_BEFORE = ['--semi-space-growth-factor=2', '--heap-growing-percent=0']
