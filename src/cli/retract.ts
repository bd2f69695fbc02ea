import { retract } from '../publishing/history.ts'
import { isGiven, type Run } from './command.ts'
import { printJson } from './io.ts'
import { onProject } from './on-project.ts'
import { parseRevision } from './place.ts'

/** `retract <w/p> <revision>` */
export const run: Run = async (given, io) => {
  const number = parseRevision(given.operands[1] ?? '')
  const { place, name } = await onProject(given, io, (store, place) => retract(store, place, number, new Date()))
  if (isGiven(given, 'json')) printJson(io, { ...place, done: true })
  else io.out(`${name}: revision ${number} is taken back; it stays in the history\n`)
  return 0
}
