import { fieldText } from '../base/text.ts'
import { type Log, onceAMinute } from './log.ts'

/** Compares the clock of the service with clocks of other machines, and warns if it seems to be wrong. */
export type ClockWatch = {
  /** Compares it with the date of a reply (RFC 9110 §6.6.1), whose age in a cache counts. */
  compare: (headers: Headers) => void
  /** Reports a signed token of an issuer that begins in the future, by this many milliseconds. */
  early: (issuer: string, aheadMs: number) => void
  /** The last measured lead of another clock, in milliseconds; undefined before the first reply. */
  offsetMs: () => number | undefined
}

export function openClockWatch(clock: () => number, { warn }: Pick<Log, 'warn'>): ClockWatch {
  let lastMs: number | undefined
  const warnOffset = onceAMinute((offsetMs: number) => warn({ offsetMs }, `${offsetText(offsetMs)}: ${FIX}`))
  const warnEarly = onceAMinute((issuer: string, aheadMs: number) =>
    warn({ issuer, aheadMs }, `tokens of an issuer are refused because they begin in the future: ${FIX}`),
  )
  return {
    compare: headers => {
      const date = Date.parse(fieldText(headers, 'date'))
      const age = Number(headers.get('age') ?? 0)
      if (Number.isNaN(date) || Number.isNaN(age)) return
      lastMs = date + age * 1000 - clock()
      if (Math.abs(lastMs) > MAX_OFFSET_MS) warnOffset(lastMs)
    },
    early: warnEarly,
    offsetMs: () => lastMs,
  }
}

const MAX_OFFSET_MS = 60_000
const FIX = 'the clock of this machine may be wrong; compare it, and set it, for example with NTP'

function offsetText(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  return `the clock of this service is ${seconds} s ${offsetMs > 0 ? 'behind' : 'ahead of'} that of an issuer`
}
