import { inSteps } from '../base/steps.ts'

/**
 * Estimates how many bytes plain data takes in memory, including strings, arrays, maps and sets. A part that is shared
 * counts each time. The constants were measured with the 64-bit V8 of Node.
 */
export function memoryOf(value: unknown): number {
  if (typeof value === 'string') return textBytes(value)
  if (typeof value === 'number') return Number.isInteger(value) ? 0 : NUMBER_BYTES
  if (typeof value !== 'object' || value === null) return 0
  if (ArrayBuffer.isView(value)) return VIEW_BYTES + value.buffer.byteLength
  if (value instanceof Date) return DATE_BYTES
  if (Array.isArray(value)) return sum(value, LIST_BYTES, SLOT_BYTES)
  if (value instanceof Set) return sum(value, TABLE_BYTES, SET_ENTRY_BYTES)
  if (value instanceof Map) return sum(value.keys(), sum(value.values(), TABLE_BYTES, MAP_ENTRY_BYTES), 0)
  return sum(Object.values(value), OBJECT_BYTES, SLOT_BYTES)
}

/** The same for a long list or map. Gives way to others between two entries. */
export async function memoryInSteps(value: readonly unknown[] | ReadonlyMap<unknown, unknown>): Promise<number> {
  const sizes =
    value instanceof Map
      ? await inSteps(value, ([key, entry]) => MAP_ENTRY_BYTES + memoryOf(key) + memoryOf(entry))
      : await inSteps(value, entry => SLOT_BYTES + memoryOf(entry))
  return sizes.reduce((all, each) => all + each, value instanceof Map ? TABLE_BYTES : LIST_BYTES)
}

function sum(parts: Iterable<unknown>, start: number, each: number): number {
  let bytes = start
  for (const part of parts) bytes += each + memoryOf(part)
  return bytes
}

/** A string takes one byte per character, or two if any of them is beyond Latin-1. */
function textBytes(text: string): number {
  return TEXT_BYTES + text.length * (BEYOND_LATIN_1.test(text) ? 2 : 1)
}

const BEYOND_LATIN_1 = /[^\0-\xff]/
const TEXT_BYTES = 20
const NUMBER_BYTES = 16
const VIEW_BYTES = 200
const DATE_BYTES = 90
const OBJECT_BYTES = 24
const LIST_BYTES = 32
const SLOT_BYTES = 8
const TABLE_BYTES = 100
const SET_ENTRY_BYTES = 24
const MAP_ENTRY_BYTES = 36
