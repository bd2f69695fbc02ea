import { retireKey } from '../access/keys/keys.ts'
import { auditFor } from '../compose/access.ts'
import { withStoreAsItIs } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson } from './io.ts'
import { settingsOf } from './settings.ts'

/** `keys retire <kid>` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const kid = args.operands[0] ?? ''
  const record = await auditFor(settings, io.isTerminal)
  const isRetired = await withStoreAsItIs(settings, store => retireKey(store.database, kid, record, new Date()))
  if (!isRetired)
    throw new CommandFailure('key_unknown', `there is no key ${JSON.stringify(kid)} in use: see housestyle keys list`)
  if (isGiven(args, 'json')) printJson(io, { kid, done: true })
  else io.out(`${kid}: retired, and its tokens with it\n`)
  return 0
}
