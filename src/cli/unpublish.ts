import { unpublish } from '../publishing/remove.ts'
import { isGiven, type Run } from './command.ts'
import { printJson } from './io.ts'
import { onProject } from './on-project.ts'

/** `unpublish <w/p>` */
export const run: Run = async (args, io) => {
  const { place, name, result } = await onProject(args, io, (store, place) => unpublish(store, place, new Date()))
  if (isGiven(args, 'json')) printJson(io, { ...place, done: true })
  else io.out(result.changed ? `${name}: no longer served; its draft stays\n` : `${name}: was not published\n`)
  return 0
}
