/** Numbers from 1 on, of rows or blocks in memory that threads share, that are taken and given back. */
export type SharedNumbers = {
  /** A number that is free; 0 if there is none. */
  take: () => number
  free: (number: number) => void
  /** The highest that was ever taken. */
  used: () => number
}

/** How many words `openNumbers` needs for its state. */
export const NUMBERS_WORDS = 2

/**
 * The numbers up to `most`. `state` keeps which are free, and is 0 at first; a number that is free uses its place in
 * `links`, for that of the next one.
 */
export function openNumbers(state: Int32Array, links: Int32Array, most: number): SharedNumbers {
  return {
    take: () => {
      const freed = state[FREED] ?? 0
      if (freed > 0) {
        state[FREED] = links[freed] ?? 0
        return freed
      }
      const used = state[USED] ?? 0
      if (used === most) return 0
      state[USED] = used + 1
      return used + 1
    },
    free: number => {
      links[number] = state[FREED] ?? 0
      state[FREED] = number
    },
    used: () => state[USED] ?? 0,
  }
}

const USED = 0
const FREED = 1
