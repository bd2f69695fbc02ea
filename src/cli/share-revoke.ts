import { revoke } from '../access/share/shares.ts'
import { quote } from '../base/text.ts'
import { auditFor, sharesOf } from '../compose/access.ts'
import { withStore } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson } from './io.ts'
import { settingsOf } from './settings.ts'

/** `share revoke <id>` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const id = args.operands[0] ?? ''
  const record = await auditFor(settings, io.isTerminal)
  const revoked = await withStore(settings, store => revoke(sharesOf(store, record), id, new Date()))
  if (!revoked)
    throw new CommandFailure('share_unknown', `there is no share link ${quote(id)}: see housestyle share list`)
  if (isGiven(args, 'json')) printJson(io, revoked)
  else io.out(`${id}: revoked\n`)
  return 0
}
