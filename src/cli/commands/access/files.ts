import { auditFor } from '../../../compose/access.ts'
import { rotateFiles } from '../../../publishing/rotate-files.ts'
import { hasFlag, type Run } from '../../command.ts'
import { printJson } from '../../output/json.ts'
import { loadSettings } from '../../settings/settings.ts'
import { withProject } from '../../with-project.ts'

/** `files rotate <workspace/project>` */
export const rotate: Run = async (args, io) => {
  const audit = auditFor(await loadSettings(args, io), io.isTerminal)
  const { ref, name } = await withProject(args, io, (store, ref) => rotateFiles(store, ref, audit))
  if (hasFlag(args, 'json')) printJson(io, { ...ref, done: true })
  else io.out(`${name}: its files have new addresses; the old ones no longer work\n`)
  return 0
}
