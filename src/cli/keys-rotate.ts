import { ALGORITHMS } from '../access/keys/algorithm.ts'
import { rotateKeys } from '../access/keys/keys.ts'
import { auditFor } from '../compose/access.ts'
import { withKnownStore } from '../compose/store.ts'
import { isGiven, type Run, textOption } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson } from './io.ts'
import { settingsOf } from './settings.ts'

/** `keys rotate` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const name = textOption(args, 'algorithm')
  const algorithm = ALGORITHMS.find(each => each === name)
  if (!algorithm)
    throw new CommandFailure('usage', `--algorithm: ${JSON.stringify(name)} is not one of ${ALGORITHMS.join(', ')}`)
  const record = await auditFor(settings, io.isTerminal)
  const made = await withKnownStore(settings, store =>
    rotateKeys(store.database, { algorithm, secret: settings.keySecret }, record, new Date()),
  )
  if (isGiven(args, 'json')) printJson(io, made)
  else io.out(`${made.kid}: signs from now on; retire the earlier ones when their tokens have expired\n`)
  return 0
}
