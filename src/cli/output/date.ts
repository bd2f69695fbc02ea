/** A time for people: in local time, and how far away it is, as in `2026-12-20 11:28 (in 30 days)`. */
export function dateText(iso: string, now: Date): string {
  const date = new Date(iso)
  return `${LOCAL.format(date)} (${distanceText((date.getTime() - now.getTime()) / 1000)})`
}

/** Swedes write dates as ISO 8601 does. */
const LOCAL = { format: (date: Date) => date.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' }) }

/** `in 30 days`, `3 minutes ago`, `just now`. */
function distanceText(seconds: number): string {
  if (seconds <= 0 && seconds > -JUST_NOW_SECONDS) return 'just now'
  const [unit, size] = UNITS.find(([, size, limit]) => Math.abs(Math.round(seconds / size)) < limit) ?? DAY
  return DISTANCE.format(Math.round(seconds / size), unit)
}

const JUST_NOW_SECONDS = 10
const DAY = ['day', 86_400] as const
/** Each with its seconds, and how many of it are one of the next. */
const UNITS = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3600, 24],
] as const
const DISTANCE = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
