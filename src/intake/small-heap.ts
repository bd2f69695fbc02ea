import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap of a process that reads brand folders close to what is in use, for some 10% more processor time. By
 * default V8 lets garbage grow to several times that. Call it once, when the process starts: V8 reads both flags at
 * every collection, and nothing resets them.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=100')
}
