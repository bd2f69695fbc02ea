import { keys } from '../../../access/families.ts'
import { ALGORITHMS } from '../../../access/keys/jose.ts'
import { rotateKeys } from '../../../access/keys/keys.ts'
import { type Run, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { dateText } from '../../output/date.ts'
import { endCommand, listCommand, withAccess } from './family.ts'

/** `keys list` */
export const list = listCommand(keys, {
  rowOf: ({ kid, algorithm, createdAt, retiredAt, signs, sealed }, now) => {
    const use = signs ? 'signs' : 'checks only'
    const state = retiredAt ? `retired ${dateText(retiredAt, now)}` : use
    return [kid, algorithm, `since ${dateText(createdAt, now)}`, state, sealed ? 'encrypted' : 'not encrypted']
  },
  none: 'there is no key yet: issuing the first token creates one',
})

/** `keys rotate` */
export const rotate: Run = async (args, io) => {
  const name = textOption(args, 'algorithm')
  const algorithm = ALGORITHMS.find(each => each === name)
  if (!algorithm)
    throw new CommandFailure('usage', `--algorithm: ${JSON.stringify(name)} is not one of ${ALGORITHMS.join(', ')}`)
  return withAccess(args, io, async ({ access, now }) => {
    const key = await rotateKeys(access, algorithm, now)
    const text = `${key.kid}: signs new tokens; retire the earlier keys when their tokens have expired\n`
    return { json: key, text }
  })
}

/** `keys retire <kid>` */
export const retire = endCommand(keys, {
  unknown: kid =>
    new CommandFailure('key_unknown', `there is no key ${JSON.stringify(kid)} in use: see \`housestyle keys list\``),
  done: 'retired, and its tokens with it',
})
