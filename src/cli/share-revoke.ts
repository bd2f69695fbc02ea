import { revoke } from '../access/shares.ts'
import { quote } from '../brand/quote.ts'
import { recordFor, sharesOf } from '../compose/access.ts'
import { withStore } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson } from './io.ts'
import { settingsOf } from './settings.ts'

/** `share revoke <id>` */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const id = given.operands[0] ?? ''
  const record = await recordFor(settings, io.isTerminal)
  const revoked = await withStore(settings, store => revoke(sharesOf(store, record), id, new Date()))
  if (!revoked) throw new CommandFailure('not-found', `there is no share link ${quote(id)}: see housestyle share list`)
  if (isGiven(given, 'json')) printJson(io, revoked)
  else io.out(`${id}: revoked\n`)
  return 0
}
