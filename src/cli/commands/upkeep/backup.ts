import { resolve } from 'node:path'
import { pluralize } from '../../../base/text.ts'
import { restoreBackup } from '../../../compose/store.ts'
import { backUp } from '../../../upkeep/backup.ts'
import type { Run } from '../../command.ts'
import { inStore } from '../../in-store.ts'
import { dateText } from '../../output/date.ts'
import { openProgress, printWaiting } from '../../output/progress.ts'
import { byteSize, visible } from '../../output/text.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `backup <file>` */
export const backup: Run = (args, io) => {
  const progress = openProgress(io)
  return inStore(args, io, async ({ store }) => {
    const result = await backUp(store, resolve(io.folder, args.operands[0] ?? ''), {
      now: store.clock.date,
      signal: io.signal,
      waiting: printWaiting(args, io),
      progress: (done, total) => progress.show({ project: 'files', done, total }),
    })
    const { file, files, bytes } = result
    const size = `the catalogue and ${pluralize(files, 'file')}, ${byteSize(bytes)}`
    const text = `${visible(file)}: ${size}; it contains the signing keys, so keep it as safe as the store\n`
    return { json: result, text }
  }).finally(progress.clear)
}

/** `restore <file>` */
export const restore: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const progress = openProgress(io)
  const result = await restoreBackup(resolve(io.folder, args.operands[0] ?? ''), settings, {
    signal: io.signal,
    progress: (done, total) => progress.show({ project: 'bytes', done, total }),
  }).finally(progress.clear)
  const content = `${pluralize(result.projects, 'project')} and ${pluralize(result.files, 'file')}`
  return { json: result, text: `${visible(result.data)}: ${content}, from ${dateText(result.made, new Date())}\n` }
}
