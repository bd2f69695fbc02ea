import { auditFor } from '../compose/access.ts'
import { rotateFiles } from '../publishing/rotate-files.ts'
import { isGiven, type Run } from './command.ts'
import { printJson } from './io.ts'
import { onProject } from './on-project.ts'
import { settingsOf } from './settings.ts'

/** `files rotate <w/p>` */
export const run: Run = async (args, io) => {
  const record = await auditFor(await settingsOf(args, io), io.isTerminal)
  const { place, name } = await onProject(args, io, (store, place) => rotateFiles(store, place, record))
  if (isGiven(args, 'json')) printJson(io, { ...place, done: true })
  else io.out(`${name}: its files have new addresses; the earlier ones are dead\n`)
  return 0
}
