import { issueToken, LONGEST_LIFETIME_SECONDS } from '../access/issue.ts'
import { CLI_CLIENT } from '../access/own-issuer.ts'
import { mintFor, recordFor, withStoreAsItIs } from '../compose.ts'
import { isGiven, type Run, textOption } from './command.ts'
import { parseDuration } from './duration.ts'
import { CommandFailure, UsageFailure } from './failure.ts'
import { printJson } from './io.ts'
import { reachOf } from './reach.ts'
import { settingsOf } from './settings.ts'

/** `token issue <workspace>` */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const expires = textOption(given, 'expires') ?? '1h'
  const lifetimeSeconds = parseDuration(expires)
  if (lifetimeSeconds === undefined)
    throw new UsageFailure(`--expires: ${JSON.stringify(expires)} is no duration: write 30s, 15m, 1h or 30d`)
  if (lifetimeSeconds > LONGEST_LIFETIME_SECONDS)
    throw new CommandFailure('token-refused', `--expires: a token is valid for at most 366d, and ${expires} is longer`)
  const record = await recordFor(settings, io.isTerminal)
  const issued = await withStoreAsItIs(settings, async store => {
    const reach = await reachOf(store, given.operands[0] ?? '', given)
    return issueToken(mintFor(settings, store, record), { ...reach, lifetimeSeconds, client: CLI_CLIENT }, new Date())
  })
  if (isGiven(given, 'json')) printJson(io, issued)
  else io.out(`${issued.token}\n`)
  return 0
}
