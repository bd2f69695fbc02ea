import { randomBytes } from 'node:crypto'
import { hashOf } from '../base/text.ts'

/**
 * A set of any number of ids, in a mebibyte (a Bloom filter). A made-up id is therefore known for what it is
 * without a question to the database, except for one of a billion, or of fifty if there are a million ids.
 */
export type KnownIds = {
  add: (id: string) => void
  /** Never false for an id that was added. It takes some 100 ns, so that its time tells nothing. */
  mayHave: (id: string) => boolean
}

/** An empty set. Its hashes have a seed of their own, so that nobody can work out which made-up ids pass. */
export function knownIds(): KnownIds {
  const bits = new Uint8Array(BITS / 8)
  const [seed, otherSeed] = new Uint32Array(new Uint8Array(randomBytes(8)).buffer)
  const positionOf = (id: string, at: number): number => {
    const step = hashOf(id, otherSeed ?? 0) | 1
    return ((hashOf(id, seed ?? 0) + Math.imul(at, step)) >>> 0) % BITS
  }
  return {
    add: id => {
      for (let at = 0; at < HASHES; at++) {
        const position = positionOf(id, at)
        bits[position >> 3] = (bits[position >> 3] ?? 0) | (1 << (position & 7))
      }
    },
    mayHave: id => {
      for (let at = 0; at < HASHES; at++) {
        const position = positionOf(id, at)
        if (((bits[position >> 3] ?? 0) & (1 << (position & 7))) === 0) return false
      }
      return true
    },
  }
}

const BITS = 1 << 23
const HASHES = 4
