import { groupsOf } from './text.ts'
/** Parses a duration such as `30s`, `15m`, `1h` or `30d` into seconds; undefined if it is malformed. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit] = groupsOf(/^(\d{1,9})([smhd])$/, text)
  const seconds = Number(number) * (UNITS[unit ?? ''] ?? Number.NaN)
  return seconds > 0 ? seconds : undefined
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
