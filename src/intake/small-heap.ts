import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap of a process that reads brand folders near what is in use, for some 10% more processor time. By itself
 * V8 lets garbage grow to several times that. Called once, when the process starts: V8 looks at both flags whenever it
 * collects, and nothing sets them back.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=100')
}
