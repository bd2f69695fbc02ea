import { unpublish } from '../publishing/remove.ts'
import { isGiven, type Run } from './command.ts'
import { printJson } from './io.ts'
import { onProject } from './on-project.ts'

/** `unpublish <w/p>` */
export const run: Run = async (given, io) => {
  const { place, name, result } = await onProject(given, io, (store, place) => unpublish(store, place, new Date()))
  if (isGiven(given, 'json')) printJson(io, { ...place, done: true })
  else io.out(result.changed ? `${name}: no longer served; its draft stays\n` : `${name}: was not published\n`)
  return 0
}
