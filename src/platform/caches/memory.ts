/**
 * Estimates the memory of plain data in bytes, including strings, arrays, maps and sets. A shared part counts each
 * time. The constants were measured with the 64-bit V8 that Node uses.
 */
export function memoryOf(value: unknown): number {
  if (typeof value === 'string') return stringBytes(value)
  // A list of pending values instead of recursion, which V8 would inline into itself and compile for 20 ms.
  const pending = [value]
  let bytes = 0
  while (pending.length > 0) bytes += ownMemory(pending.pop(), pending)
  return bytes
}

/** The memory of a value with the strings directly in it. Its other parts are added to `pending`. */
function ownMemory(value: unknown, pending: unknown[]): number {
  if (typeof value === 'string') return stringBytes(value)
  if (typeof value === 'number') return Number.isInteger(value) ? 0 : NUMBER_BYTES
  if (typeof value !== 'object' || value === null) return 0
  if (ArrayBuffer.isView(value)) return VIEW_BYTES + value.buffer.byteLength
  if (value instanceof Date) return DATE_BYTES
  if (Array.isArray(value)) return addParts(value, pending, LIST_BYTES, SLOT_BYTES)
  if (value instanceof Set) return addParts(value, pending, TABLE_BYTES, SET_ENTRY_BYTES)
  if (value instanceof Map) {
    return addParts(value.keys(), pending, 0, 0) + addParts(value.values(), pending, TABLE_BYTES, MAP_ENTRY_BYTES)
  }
  return isPlain(value) ? addFields(value, pending) : OBJECT_BYTES
}

/** The memory of a collection without its parts: of an empty one, and of a place for each part. */
function addParts(parts: Iterable<unknown>, pending: unknown[], emptyBytes: number, placeBytes: number): number {
  let bytes = emptyBytes
  for (const part of parts) {
    bytes += placeBytes
    pending.push(part)
  }
  return bytes
}

type Plain = { readonly [key: string]: unknown }

function isPlain(value: object): value is Plain {
  return !Array.isArray(value)
}

/** The memory of an object without its fields that are not strings. Makes no list of its values, which would take long. */
function addFields(value: Plain, pending: unknown[]): number {
  let bytes = OBJECT_BYTES
  for (const key in value) {
    const part = value[key]
    bytes += SLOT_BYTES
    if (typeof part === 'string') bytes += stringBytes(part)
    else pending.push(part)
  }
  return bytes
}

/** A string takes one byte per character, or two if any character is outside Latin-1. */
function stringBytes(text: string): number {
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
