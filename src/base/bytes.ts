import { timingSafeEqual } from 'node:crypto'

/** Whether a secret that was given is the right one, in a time that depends on nothing but their lengths. */
export function equalsInConstantTime(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Pieces as one, in memory of its own: what `Buffer.concat` gives may be a part of 64 KiB, all of which would be kept. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** A size for people, in powers of ten: `1 byte`, `512 bytes`, `2.1 kB`, `14 MB`. Its space does not break. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1\u00a0byte' : `${bytes}\u00a0bytes`
  let [value, unit] = [bytes / 1000, 0]
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1]
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}\u00a0${UNITS[unit]}`
}

const UNITS = ['kB', 'MB', 'GB', 'TB']
