import { ALGORITHMS } from '../../../access/keys/algorithm.ts'
import { type KeyState, keyStates, retireKey, rotateKeys } from '../../../access/keys/keys.ts'
import { auditFor } from '../../../compose/access.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { hasFlag, type Run, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { dateText } from '../../output/date.ts'
import { printJson } from '../../output/json.ts'
import { table } from '../../output/text.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `keys list` */
export const list: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const { keys, now } = await withExistingStore(settings, async ({ database, clock }) => ({
    keys: await keyStates(database),
    now: clock.date(),
  }))
  if (hasFlag(args, 'json')) printJson(io, keys)
  else if (keys.length === 0) io.err('there is no key yet: issuing the first token creates one\n')
  else io.out(table(keys.map(key => keyRow(key, now))))
  return 0
}

function keyRow({ kid, algorithm, createdAt, retiredAt, signs, sealed }: KeyState, now: Date): string[] {
  const use = signs ? 'signs' : 'checks only'
  const state = retiredAt ? `retired ${dateText(retiredAt, now)}` : use
  return [kid, algorithm, `since ${dateText(createdAt, now)}`, state, sealed ? 'encrypted' : 'not encrypted']
}

/** `keys rotate` */
export const rotate: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const name = textOption(args, 'algorithm')
  const algorithm = ALGORITHMS.find(each => each === name)
  if (!algorithm)
    throw new CommandFailure('usage', `--algorithm: ${JSON.stringify(name)} is not one of ${ALGORITHMS.join(', ')}`)
  const audit = auditFor(settings, io.isTerminal)
  const key = await withExistingStore(settings, store =>
    rotateKeys(store.database, { algorithm, secret: settings.keySecret }, audit, store.clock.date()),
  )
  if (hasFlag(args, 'json')) printJson(io, key)
  else io.out(`${key.kid}: signs new tokens; retire the earlier keys when their tokens have expired\n`)
  return 0
}

/** `keys retire <kid>` */
export const retire: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const kid = args.operands[0] ?? ''
  const audit = auditFor(settings, io.isTerminal)
  const isRetired = await withExistingStore(settings, store =>
    retireKey(store.database, kid, audit, store.clock.date()),
  )
  if (!isRetired)
    throw new CommandFailure(
      'key_unknown',
      `there is no key ${JSON.stringify(kid)} in use: see \`housestyle keys list\``,
    )
  if (hasFlag(args, 'json')) printJson(io, { kid, done: true })
  else io.out(`${kid}: retired, and its tokens with it\n`)
  return 0
}
