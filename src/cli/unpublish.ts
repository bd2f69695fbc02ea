import { withStore } from '../compose.ts'
import { unpublish } from '../publishing/unpublish.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson } from './io.ts'
import { parsePlace } from './place.ts'
import { settingsOf } from './settings.ts'

/** `unpublish <w/p>` */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const place = parsePlace(given.operands[0] ?? '')
  const outcome = await withStore(settings, store => unpublish(store, place, new Date()))
  const name = `${place.workspace}/${place.project}`
  if (outcome === 'unknown') throw new CommandFailure('not-found', `there is no project ${name}: see housestyle status`)
  if (isGiven(given, 'json')) printJson(io, { ...place, done: true })
  else io.out(outcome === 'done' ? `${name}: no longer served; its draft stays\n` : `${name}: was not published\n`)
  return 0
}
