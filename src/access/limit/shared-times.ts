import { NUMBERS_WORDS, openNumbers } from '../../threads/numbers.ts'

/**
 * Times of requests in memory that threads share, in a queue for each row. A queue is a chain of blocks, so that it takes
 * what it holds. Only who holds the lock of the limit may use them.
 */
export type SharedTimes = {
  count: (row: number) => number
  /** Of a queue that is not empty; the same holds for `newest` and `shift`. */
  oldest: (row: number) => number
  newest: (row: number) => number
  /** Removes the oldest. */
  shift: (row: number) => void
  /** Adds the newest; false if there is no room. */
  push: (row: number, ms: number) => boolean
  clear: (row: number) => void
  clearAll: () => void
}

export type TimesMemory = {
  blocks: number
  /** Which blocks are free; for each block the next one of its chain; `FIELDS` for each row; the newest time of each row. */
  numbers: SharedArrayBuffer
  links: SharedArrayBuffer
  rows: SharedArrayBuffer
  newest: SharedArrayBuffer
  times: SharedArrayBuffer
}

/** Memory for the queues of so many rows, each of `most` times at most: as many blocks as all may need, or as `MOST_BYTES` hold. */
export function timesMemory(rows: number, most: number): TimesMemory {
  const blocksEach = Math.ceil(most / BLOCK) + 1
  const blocks = Math.max(
    blocksEach,
    Math.min(rows * blocksEach, MOST_BYTES / (BLOCK * Float64Array.BYTES_PER_ELEMENT)),
  )
  const words = (count: number) => new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT)
  const times = (count: number) => new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT)
  return {
    blocks,
    numbers: words(NUMBERS_WORDS),
    links: words(blocks + 1),
    rows: words(FIELDS * (rows + 1)),
    newest: times(rows + 1),
    times: times(BLOCK * (blocks + 1)),
  }
}

/** What is kept of each row: its first and its last block, where its oldest time stands in the first, and how many it has. */
const [FIRST, LAST, START, COUNT, FIELDS] = [0, 1, 2, 3, 4]

/** The queues in this memory. */
export function openTimes({ blocks, ...memory }: TimesMemory): SharedTimes {
  const { state, links, rows, newest, times } = viewsOf(memory)
  const numbers = openNumbers(state, links, blocks)
  const get = (row: number, field: number) => rows[row * FIELDS + field] ?? 0
  const set = (row: number, field: number, value: number) => {
    rows[row * FIELDS + field] = value
  }
  /** Removes so many of the times in the first block. */
  const remove = (row: number, count: number) => {
    const [block, start, left] = [get(row, FIRST), get(row, START) + count, get(row, COUNT) - count]
    const isUsed = start < BLOCK && left > 0
    set(row, COUNT, left)
    set(row, START, isUsed ? start : 0)
    if (isUsed) return
    set(row, FIRST, links[block] ?? 0)
    numbers.free(block)
  }
  const addBlock = (row: number) => {
    const block = numbers.take()
    if (block === 0) return false
    if (get(row, COUNT) === 0) set(row, FIRST, block)
    else links[get(row, LAST)] = block
    set(row, LAST, block)
    return true
  }
  return {
    count: row => get(row, COUNT),
    oldest: row => times[get(row, FIRST) * BLOCK + get(row, START)] ?? 0,
    newest: row => newest[row] ?? 0,
    shift: row => remove(row, 1),
    push: (row, ms) => {
      const count = get(row, COUNT)
      const at = (get(row, START) + count) % BLOCK
      if ((count === 0 || at === 0) && !addBlock(row)) return false
      times[get(row, LAST) * BLOCK + at] = ms
      newest[row] = ms
      set(row, COUNT, count + 1)
      return true
    },
    clear: row => {
      while (get(row, COUNT) > 0) remove(row, Math.min(get(row, COUNT), BLOCK - get(row, START)))
    },
    clearAll: () => {
      state.fill(0)
      rows.fill(0)
    },
  }
}

function viewsOf(memory: Omit<TimesMemory, 'blocks'>) {
  return {
    state: new Int32Array(memory.numbers),
    links: new Int32Array(memory.links),
    rows: new Int32Array(memory.rows),
    newest: new Float64Array(memory.newest),
    times: new Float64Array(memory.times),
  }
}

/** Times in a block: few enough for those who ask once. */
const BLOCK = 16

/** The most that times take, unless those of one row need more. */
const MOST_BYTES = 32 << 20
