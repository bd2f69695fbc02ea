import { unpublish } from '../../../publishing/remove.ts'
import { hasFlag, type Run } from '../../command.ts'
import { printJson } from '../../output/json.ts'
import { withProject } from '../../with-project.ts'

/** `unpublish <workspace/project>` */
export const run: Run = async (args, io) => {
  const { ref, name, result } = await withProject(args, io, (store, ref) => unpublish(store, ref, store.clock.date()))
  if (hasFlag(args, 'json')) printJson(io, { ...ref, done: true })
  else io.out(result.changed ? `${name}: no longer served; its draft stays\n` : `${name}: was not published\n`)
  return 0
}
