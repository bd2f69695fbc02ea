import { timingSafeEqual } from 'node:crypto'

/** Whether two secrets are equal, in a time that depends on their lengths alone. */
export function equalsInConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A size for people, in powers of ten: `1 byte`, `512 bytes`, `2.1 kB`, `14 MB`. Its space does not break. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1\u00a0byte' : `${bytes}\u00a0bytes`
  let [value, unit] = [bytes / 1000, 0]
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1]
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}\u00a0${UNITS[unit]}`
}

const UNITS = ['kB', 'MB', 'GB', 'TB']
