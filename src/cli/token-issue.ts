import { issueToken } from '../access/issue.ts'
import { CLI_CLIENT } from '../access/own-issuer.ts'
import { mintFor, recordFor } from '../compose/access.ts'
import { withStoreAsItIs } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { printJson } from './io.ts'
import { lifetimeOf } from './lifetime.ts'
import { reachOf } from './reach.ts'
import { settingsOf } from './settings.ts'

/** `token issue <workspace>` */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const lifetimeSeconds = lifetimeOf(given, 'token')
  const record = await recordFor(settings, io.isTerminal)
  const issued = await withStoreAsItIs(settings, async store => {
    const reach = await reachOf(store, given.operands[0] ?? '', given)
    return issueToken(mintFor(settings, store, record), { ...reach, lifetimeSeconds, client: CLI_CLIENT }, new Date())
  })
  if (isGiven(given, 'json')) printJson(io, issued)
  else io.out(`${issued.token}\n`)
  return 0
}
