import { resolve } from 'node:path'
import { pluralize } from '../../../base/text.ts'
import { restoreBackup } from '../../../compose/store.ts'
import { hasFlag, type Run } from '../../command.ts'
import { dateText } from '../../output/date.ts'
import { printJson } from '../../output/json.ts'
import { openProgress } from '../../output/progress.ts'
import { visible } from '../../output/text.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `restore <file>` */
export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const progress = openProgress(io)
  const result = await restoreBackup(resolve(io.folder, args.operands[0] ?? ''), settings, {
    signal: io.signal,
    progress: (done, total) => progress.show({ project: 'bytes', done, total }),
  }).finally(progress.clear)
  if (hasFlag(args, 'json')) printJson(io, result)
  else {
    const { projects, files, made } = result
    io.out(
      `${visible(result.data)}: ${pluralize(projects, 'project')} and ${pluralize(files, 'file')}, from ${dateText(made, new Date())}\n`,
    )
  }
  return 0
}
