import { issueToken, LONGEST_LIFETIME_SECONDS } from '../access/issue.ts'
import { checkTokenRequest } from '../access/token-request.ts'
import { quote } from '../brand/quote.ts'
import { audienceFor, withStore } from '../compose.ts'
import { isScope, SCOPES } from '../contract/operations.ts'
import { isGiven, listOption, type Run, textOption } from './command.ts'
import { parseDuration } from './duration.ts'
import { CommandFailure, UsageFailure } from './failure.ts'
import { printJson } from './io.ts'
import { settingsOf } from './settings.ts'

/** `token issue <workspace>` */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const expires = textOption(given, 'expires') ?? '1h'
  const lifetimeSeconds = parseDuration(expires)
  if (lifetimeSeconds === undefined || lifetimeSeconds > LONGEST_LIFETIME_SECONDS)
    throw new UsageFailure(`--expires: ${quote(expires)} is no duration: write 30s, 15m, 1h or 30d, at most 366d`)
  const scopes = listOption(given, 'scope')
  const strange = scopes.find(scope => !isScope(scope))
  if (strange !== undefined)
    throw new UsageFailure(`--scope: ${quote(strange)} is no scope: the scopes are ${SCOPES.join(', ')}`)
  const wanted = {
    workspace: given.operands[0] ?? '',
    scopes,
    projects: listOption(given, 'project'),
    lifetimeSeconds,
  }
  const issued = await withStore(settings, async store => {
    const request = await checkTokenRequest(store.database, wanted)
    if ('refused' in request) throw new CommandFailure('token-refused', request.refused)
    return issueToken(store.database, audienceFor(settings, store), { ...request, client: 'cli' }, new Date())
  })
  if (isGiven(given, 'json')) printJson(io, issued)
  else io.out(`${issued.token}\n`)
  return 0
}
