import { copyProject } from '../publishing/copy.ts'
import { isGiven, type Run } from './command.ts'
import { printJson } from './io.ts'
import { onProject } from './on-project.ts'
import { parsePlace } from './place.ts'
import { openProgress, waitingTo } from './progress.ts'

/** `copy <w/p> <w/p>` */
export const run: Run = async (given, io) => {
  const target = parsePlace(given.operands[1] ?? '')
  const progress = openProgress(io)
  const { name, result } = await onProject(given, io, (store, source) =>
    copyProject(store, source, target, {
      ...{ now: () => new Date(), signal: io.signal },
      waiting: waitingTo(io),
      progress: (done, total) => progress.show({ project: target.project, done, total }),
    }),
  ).finally(progress.clear)
  if (isGiven(given, 'json')) printJson(io, { ...result, done: true })
  else io.out(`${result.workspace}/${result.project}: is now a copy of ${name}\n`)
  return 0
}
