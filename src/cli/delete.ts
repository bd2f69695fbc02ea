import { remove } from '../publishing/remove.ts'
import { isGiven, type Run } from './command.ts'
import { UsageFailure } from './failure.ts'
import { printJson } from './io.ts'
import { onProject } from './on-project.ts'
import { parsePlace } from './place.ts'

/** `delete <w/p>` */
export const run: Run = async (given, io) => {
  const { workspace, project } = parsePlace(given.operands[0] ?? '')
  if (!isGiven(given, 'yes')) {
    const question = `Delete ${workspace}/${project}, its draft and its whole history? Type its name to go on: `
    if (!io.ask) throw new UsageFailure('delete cannot be undone: give --yes, or run it on a terminal')
    if ((await io.ask(question)) !== `${workspace}/${project}`) {
      io.err('nothing was deleted\n')
      return 1
    }
  }
  const { place, name } = await onProject(given, io, remove)
  if (isGiven(given, 'json')) printJson(io, { ...place, done: true })
  else io.out(`${name}: deleted; housestyle gc frees what nothing else uses\n`)
  return 0
}
