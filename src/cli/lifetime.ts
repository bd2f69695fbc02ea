import { MAX_LIFETIME_SECONDS } from '../access/token/issue.ts'
import { type Arguments, textOption } from './command.ts'
import { parseDuration } from './duration.ts'
import { CommandFailure } from './failure.ts'

/** The seconds that `--expires` names, which are at most 366 days. */
export function lifetimeOf(args: Arguments, what: 'token' | 'share'): number {
  const expires = textOption(args, 'expires') ?? ''
  const seconds = parseDuration(expires)
  if (seconds === undefined)
    throw new CommandFailure('usage', `--expires: ${JSON.stringify(expires)} is no duration: write 30s, 15m, 1h or 30d`)
  if (seconds <= MAX_LIFETIME_SECONDS) return seconds
  const message = `--expires: a ${what === 'share' ? 'share link' : what} is valid for at most 366d, and ${expires} is longer`
  throw new CommandFailure('lifetime_too_long', message)
}
