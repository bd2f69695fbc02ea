import { retract } from '../../../publishing/history.ts'
import { hasFlag, type Run } from '../../command.ts'
import { printJson } from '../../output/json.ts'
import { parseRevision } from '../../project-ref.ts'
import { withProject } from '../../with-project.ts'

/** `retract <workspace/project> <revision>` */
export const run: Run = async (args, io) => {
  const number = parseRevision(args.operands[1] ?? '')
  const { ref, name } = await withProject(args, io, (store, ref) => retract(store, ref, number, store.clock.date()))
  if (hasFlag(args, 'json')) printJson(io, { ...ref, done: true })
  else io.out(`${name}: revision ${number} is retracted; it stays in the history\n`)
  return 0
}
