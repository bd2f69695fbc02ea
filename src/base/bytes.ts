import { timingSafeEqual } from 'node:crypto'

/** Whether two secrets are equal, in a time that depends on their lengths alone. */
export function equalsInConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
