import { randomBytes } from 'node:crypto'
import { hashOf } from '../base/text.ts'

/**
 * A Bloom filter: a set of any number of ids in one mebibyte. It recognizes invented ids without a database query. One
 * in a billion passes by mistake, or one in fifty if there are a million ids.
 */
export type KnownIds = {
  add: (id: string) => void
  /** Never false for an added id. It takes about 100 ns, too little to reveal anything by its duration. */
  mayHave: (id: string) => boolean
}

/** Creates an empty set. Its hashes have random seeds, so that attackers cannot compute which invented ids pass. */
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
