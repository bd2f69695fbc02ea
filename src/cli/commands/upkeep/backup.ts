import { resolve } from 'node:path'
import { pluralize } from '../../../base/text.ts'
import { restoreBackup } from '../../../compose/store.ts'
import { backUp } from '../../../upkeep/backup.ts'
import type { Run } from '../../command.ts'
import { inStore } from '../../in-store.ts'
import { dateText } from '../../output/date.ts'
import { withStoreWork } from '../../output/progress.ts'
import { byteSize, visible } from '../../output/text.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `backup <file>` */
export const backup: Run = (args, io) =>
  withStoreWork(args, io, 'files', options =>
    inStore(args, io, async ({ store }) => {
      const path = resolve(io.folder, args.operands[0] ?? '')
      const result = await backUp(store, path, { ...options, now: store.clock.date })
      const { file, files, bytes } = result
      const size = `the catalogue and ${pluralize(files, 'file')}, ${byteSize(bytes)}`
      const text = `${visible(file)}: ${size}; it contains the signing keys, so keep it as safe as the store\n`
      return { json: result, text }
    }),
  )

/** `restore <file>` */
export const restore: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const path = resolve(io.folder, args.operands[0] ?? '')
  const result = await withStoreWork(args, io, 'bytes', options => restoreBackup(path, settings, options))
  const content = `${pluralize(result.projects, 'project')} and ${pluralize(result.files, 'file')}`
  return { json: result, text: `${visible(result.data)}: ${content}, from ${dateText(result.made, new Date())}\n` }
}
