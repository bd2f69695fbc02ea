import { revoke } from '../access/tokens.ts'
import { recordFor } from '../compose/access.ts'
import { withStoreAsItIs } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson } from './io.ts'
import { settingsOf } from './settings.ts'

/** `token revoke <jti>` */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const jti = given.operands[0] ?? ''
  const record = await recordFor(settings, io.isTerminal)
  const revoked = await withStoreAsItIs(settings, store => revoke(store.database, record, jti, new Date()))
  if (!revoked)
    throw new CommandFailure('not-found', `no token ${JSON.stringify(jti)} was issued: see housestyle token list`)
  if (isGiven(given, 'json')) printJson(io, revoked)
  else io.out(`${jti}: revoked\n`)
  return 0
}
