import { hash } from 'node:crypto'
import { hashOf } from '../base/text.ts'
import { NUMBERS_WORDS, openNumbers } from './numbers.ts'

/**
 * Names in memory that threads share, each with the number of a row, from 1 on: what the caller keeps for a name stands in
 * its own arrays, at that place. Only a thread that holds the caller's lock may use them.
 */
export type SharedNames = {
  /** The row of a name; 0 if it has none. */
  find: (name: string) => number
  /** Gives a name that has no row one; 0 if all are taken. */
  add: (name: string) => number
  /** Frees the row of a name. */
  remove: (row: number) => void
  /** The highest row that was ever taken. */
  used: () => number
  clear: () => void
}

export type NamesMemory = {
  rows: number
  seed: number
  /** Which rows are free; for each bucket its first row; for each row the next one of its bucket; for each row its key. */
  numbers: SharedArrayBuffer
  firsts: SharedArrayBuffer
  next: SharedArrayBuffer
  keys: SharedArrayBuffer
}

/** Memory for so many names; the system provides each part of it when that is first used. `seed` should be random. */
export function namesMemory(rows: number, seed: number): NamesMemory {
  const words = (count: number) => new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT)
  // A power of two, and about twice as many as rows.
  const buckets = 2 ** Math.ceil(Math.log2(rows + 1) + 1)
  return {
    rows,
    seed,
    numbers: words(NUMBERS_WORDS),
    firsts: words(buckets),
    next: words(rows + 1),
    keys: new SharedArrayBuffer((rows + 1) * KEY_BYTES),
  }
}

/** The names in this memory. */
export function openNames({ rows, seed, ...memory }: NamesMemory): SharedNames {
  const [state, firsts, next] = [
    new Int32Array(memory.numbers),
    new Int32Array(memory.firsts),
    new Int32Array(memory.next),
  ]
  const keys = new Uint8Array(memory.keys)
  const numbers = openNumbers(state, next, rows)
  const bucketOf = (key: string) => hashOf(key, seed) & (firsts.length - 1)
  const rowOf = (key: string) => {
    let row = firsts[bucketOf(key)] ?? 0
    while (row !== 0 && !isKey(keys, row, key)) row = next[row] ?? 0
    return row
  }
  return {
    find: name => rowOf(name) || (isKeptWhole(name) ? 0 : rowOf(keyFor(name))),
    add: name => {
      const row = numbers.take()
      if (row === 0) return 0
      const key = keyFor(name)
      writeKey(keys, row, key)
      const bucket = bucketOf(key)
      next[row] = firsts[bucket] ?? 0
      firsts[bucket] = row
      return row
    },
    remove: row => {
      const bucket = bucketOf(keyAt(keys, row))
      let before = firsts[bucket] ?? 0
      if (before === row) firsts[bucket] = next[row] ?? 0
      else {
        while (next[before] !== row) before = next[before] ?? 0
        next[before] = next[row] ?? 0
      }
      numbers.free(row)
    },
    used: numbers.used,
    clear: () => {
      state.fill(0)
      firsts.fill(0)
    },
  }
}

/** A length, and as many characters of one byte: enough for ids of workspaces and networks of addresses. */
const KEY_BYTES = 64

function isKeptWhole(name: string): boolean {
  return name.length < KEY_BYTES && !/[^\0-\xff]/.test(name)
}

function keyFor(name: string): string {
  return isKeptWhole(name) ? name : hash('sha256', name, 'base64url')
}

function isKey(bytes: Uint8Array, row: number, key: string): boolean {
  const start = row * KEY_BYTES
  if (bytes[start] !== key.length) return false
  for (let at = 0; at < key.length; at++) if (bytes[start + 1 + at] !== key.charCodeAt(at)) return false
  return true
}

function writeKey(bytes: Uint8Array, row: number, key: string): void {
  const start = row * KEY_BYTES
  bytes[start] = key.length
  for (let at = 0; at < key.length; at++) bytes[start + 1 + at] = key.charCodeAt(at)
}

function keyAt(bytes: Uint8Array, row: number): string {
  const start = row * KEY_BYTES
  return String.fromCharCode(...bytes.subarray(start + 1, start + 1 + (bytes[start] ?? 0)))
}
