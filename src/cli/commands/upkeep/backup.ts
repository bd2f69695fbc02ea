import { resolve } from 'node:path'
import { pluralize } from '../../../base/text.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { backUp } from '../../../upkeep/backup.ts'
import { hasFlag, type Run } from '../../command.ts'
import { printJson } from '../../output/json.ts'
import { openProgress, printWaiting } from '../../output/progress.ts'
import { byteSize, visible } from '../../output/text.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `backup <file>` */
export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const file = resolve(io.folder, args.operands[0] ?? '')
  const progress = openProgress(io)
  const result = await withExistingStore(settings, store =>
    backUp(store, file, {
      now: store.clock.date,
      signal: io.signal,
      waiting: printWaiting(args, io),
      progress: (done, total) => progress.show({ project: 'files', done, total }),
    }),
  ).finally(progress.clear)
  if (hasFlag(args, 'json')) printJson(io, result)
  else {
    const what = `the catalogue and ${pluralize(result.files, 'file')}, ${byteSize(result.bytes)}`
    io.out(`${visible(result.file)}: ${what}; it contains the signing keys, so keep it as safe as the store\n`)
  }
  return 0
}
