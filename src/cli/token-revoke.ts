import { revoke } from '../access/token/tokens.ts'
import { auditFor } from '../compose/access.ts'
import { withStoreAsItIs } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson } from './io.ts'
import { settingsOf } from './settings.ts'

/** `token revoke <jti>` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const jti = args.operands[0] ?? ''
  const record = await auditFor(settings, io.isTerminal)
  const revoked = await withStoreAsItIs(settings, store => revoke(store.database, record, jti, new Date()))
  if (!revoked)
    throw new CommandFailure('token_unknown', `no token ${JSON.stringify(jti)} was issued: see housestyle token list`)
  if (isGiven(args, 'json')) printJson(io, revoked)
  else io.out(`${jti}: revoked\n`)
  return 0
}
