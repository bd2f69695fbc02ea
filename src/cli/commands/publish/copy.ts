import { type CopyResult, copyProject } from '../../../publishing/copy.ts'
import { hasFlag, type Run } from '../../command.ts'
import { printJson } from '../../output/json.ts'
import { openProgress, printWaiting } from '../../output/progress.ts'
import { parseProjectRef } from '../../project-ref.ts'
import { withProject } from '../../with-project.ts'

/** `copy <workspace/project> <workspace/project>` */
export const run: Run = async (args, io) => {
  const target = parseProjectRef(args.operands[1] ?? '')
  const progress = openProgress(io)
  const { name, result } = await withProject(args, io, (store, source) =>
    copyProject(store, source, target, {
      now: store.clock.date,
      signal: io.signal,
      waiting: printWaiting(args, io),
      progress: (done, total) => progress.show({ project: target.project, done, total }),
    }),
  ).finally(progress.clear)
  if (hasFlag(args, 'json')) printJson(io, { ...target, done: true })
  else io.out(copyText(`${target.workspace}/${target.project}`, name, result))
  return 0
}

function copyText(target: string, source: string, { revision, isNowPrivate }: CopyResult): string {
  if (revision === undefined)
    return `${target}: its draft is a copy of ${source}; nothing was published, because ${source} is not\n`
  const notice = isNowPrivate ? `${target}: was public and is now private, like ${source}\n` : ''
  return `${target}: serves the content of ${source} as revision ${revision}\n${notice}`
}
