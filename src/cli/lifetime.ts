import { LONGEST_LIFETIME_SECONDS } from '../access/issue.ts'
import { type Given, textOption } from './command.ts'
import { parseDuration } from './duration.ts'
import { CommandFailure, UsageFailure } from './failure.ts'

/** The seconds that `--expires` names, which are at most 366 days. */
export function lifetimeOf(given: Given, what: 'token' | 'share'): number {
  const expires = textOption(given, 'expires') ?? ''
  const seconds = parseDuration(expires)
  if (seconds === undefined)
    throw new UsageFailure(`--expires: ${JSON.stringify(expires)} is no duration: write 30s, 15m, 1h or 30d`)
  if (seconds <= LONGEST_LIFETIME_SECONDS) return seconds
  const message = `--expires: a ${what === 'share' ? 'share link' : what} is valid for at most 366d, and ${expires} is longer`
  throw new CommandFailure(`${what}-refused`, message)
}
