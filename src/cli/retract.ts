import { retract } from '../publishing/history.ts'
import { isGiven, type Run } from './command.ts'
import { printJson } from './io.ts'
import { onProject } from './on-project.ts'
import { parseRevision } from './place.ts'

/** `retract <w/p> <revision>` */
export const run: Run = async (args, io) => {
  const number = parseRevision(args.operands[1] ?? '')
  const { place, name } = await onProject(args, io, (store, place) => retract(store, place, number, new Date()))
  if (isGiven(args, 'json')) printJson(io, { ...place, done: true })
  else io.out(`${name}: revision ${number} is taken back; it stays in the history\n`)
  return 0
}
