import { timingSafeEqual } from 'node:crypto'

/** Compares two secrets in a time that depends only on their lengths. */
export function equalsInConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
