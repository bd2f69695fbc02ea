import { issueToken } from '../access/token/issue.ts'
import { CLI_CLIENT } from '../access/token/own-issuer.ts'
import { auditFor, tokenIssuerFor } from '../compose/access.ts'
import { withStoreAsItIs } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { printJson } from './io.ts'
import { lifetimeOf } from './lifetime.ts'
import { scopesOf } from './reach.ts'
import { settingsOf } from './settings.ts'

/** `token issue <workspace>` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const lifetimeSeconds = lifetimeOf(args, 'token')
  const record = await auditFor(settings, io.isTerminal)
  const issued = await withStoreAsItIs(settings, async store => {
    const reach = await scopesOf(store, args.operands[0] ?? '', args)
    return issueToken(
      tokenIssuerFor(settings, store, record),
      { ...reach, lifetimeSeconds, client: CLI_CLIENT },
      new Date(),
    )
  })
  if (isGiven(args, 'json')) printJson(io, issued)
  else io.out(`${issued.token}\n`)
  return 0
}
