import { rollback } from '../../../publishing/rollback.ts'
import { hasFlag, type Run } from '../../command.ts'
import { printJson } from '../../output/json.ts'
import { parseRevision } from '../../project-ref.ts'
import { withProject } from '../../with-project.ts'

/** `rollback <workspace/project> [revision]` */
export const run: Run = async (args, io) => {
  const [, text] = args.operands
  const number = text === undefined ? undefined : parseRevision(text)
  const { name, result } = await withProject(args, io, (store, ref) => rollback(store, ref, number, store.clock.date()))
  const { revision, snapshot, changed } = result
  const what = changed ? `serves revision ${revision}` : `already serves that content as revision ${revision}`
  if (hasFlag(args, 'json')) printJson(io, [result])
  else io.out(`${name}: ${what} (snapshot ${snapshot.slice(0, 12)}); its draft is unchanged\n`)
  return 0
}
