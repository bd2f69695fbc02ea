/** A time for people, local and relative: `2026-12-20 11:28 (in 30 days)`. */
export function dateText(iso: string, now: Date): string {
  const date = new Date(iso)
  return `${localText(iso)} (${distanceText((date.getTime() - now.getTime()) / 1000)})`
}

/** A local time: `2026-12-20 11:28`. Swedish dates have the format of ISO 8601. */
export function localText(iso: string): string {
  return new Date(iso).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })
}

/** `in 30 days`, `3 minutes ago`, `just now`. */
function distanceText(seconds: number): string {
  if (seconds <= 0 && seconds > -JUST_NOW_SECONDS) return 'just now'
  const [unit, size] = UNITS.find(([, size, limit]) => Math.abs(Math.round(seconds / size)) < limit) ?? DAY
  return DISTANCE.format(Math.round(seconds / size), unit)
}

const JUST_NOW_SECONDS = 10
const DAY = ['day', 86_400] as const
/** The units, each with its length in seconds and the number that make up the next unit. */
const UNITS = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3600, 24],
] as const
const DISTANCE = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
