import { rollback } from '../publishing/rollback.ts'
import { isGiven, type Run } from './command.ts'
import { printJson } from './io.ts'
import { onProject } from './on-project.ts'
import { parseRevision } from './place.ts'

/** `rollback <w/p> [revision]` */
export const run: Run = async (args, io) => {
  const [, text] = args.operands
  const number = text === undefined ? undefined : parseRevision(text)
  const { name, result } = await onProject(args, io, (store, place) => rollback(store, place, number, new Date()))
  const { revision, snapshot, changed } = result
  const what = changed ? `serves revision ${revision}` : `serves that already, as revision ${revision}`
  if (isGiven(args, 'json')) printJson(io, [result])
  else io.out(`${name}: ${what} (snapshot ${snapshot.slice(0, 12)}); its draft is as it was\n`)
  return 0
}
