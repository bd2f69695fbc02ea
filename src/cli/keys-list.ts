import { type KeyState, keyStates } from '../access/keys/keys.ts'
import { withStore } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { printJson, table } from './io.ts'
import { settingsOf } from './settings.ts'

/** `keys list` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const states = await withStore(settings, store => keyStates(store.database))
  if (isGiven(args, 'json')) printJson(io, states)
  else if (states.length === 0) io.err('there is no key yet: the first token makes one\n')
  else io.out(table(states.map(rowOf)))
  return 0
}

function rowOf({ kid, algorithm, createdAt, retiredAt, signs, sealed }: KeyState): string[] {
  const state = retiredAt ? `retired ${retiredAt}` : signs ? 'signs' : 'checks only'
  return [kid, algorithm, `since ${createdAt}`, state, sealed ? 'encrypted' : 'not encrypted']
}
