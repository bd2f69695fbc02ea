import { pluralize, quote } from '../../../base/text.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { type GcResult, gc, type Retention } from '../../../upkeep/gc.ts'
import { type Arguments, hasFlag, listOption, type Run } from '../../command.ts'
import { parseDuration } from '../../duration.ts'
import { CommandFailure } from '../../failure.ts'
import type { Io } from '../../io.ts'
import { printJson } from '../../output/json.ts'
import { openProgress, printWaiting } from '../../output/progress.ts'
import { byteSize, visible } from '../../output/text.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `gc` */
export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const keep = parseRetention(listOption(args, 'keep'))
  const isDryRun = hasFlag(args, 'dryRun')
  const progress = openProgress(io)
  const result = await withExistingStore(settings, store =>
    gc(store, {
      keep,
      isDryRun,
      now: store.clock.date,
      signal: io.signal,
      waiting: printWaiting(args, io),
      progress: (done, total) => progress.show({ project: 'objects', done, total }),
    }),
  ).finally(progress.clear)
  if (hasFlag(args, 'json')) printJson(io, result)
  else {
    io.out(`${isDryRun ? 'would free' : 'freed'} ${freedText(result)}\n`)
    printMissing(result, args, io)
  }
  return 0
}

function printMissing({ missing: [first, ...others] }: GcResult, args: Arguments, io: Io): void {
  if (first === undefined) return
  const more = others.length > 0 ? `, and ${pluralize(others.length, 'more file')}` : ''
  const verb = others.length > 0 ? 'are' : 'is'
  const missing = `${visible(first)}${more} ${verb} needed and missing`
  io.err(args.completeCommands(`${missing}: \`housestyle doctor\` names each and its fix\n`))
}

function parseRetention(amounts: readonly string[]): Retention {
  const counts = amounts.filter(amount => /^[1-9]\d{0,8}$/.test(amount)).map(Number)
  const times = amounts.flatMap(amount => parseDuration(amount) ?? [])
  if (counts.length + times.length < amounts.length || counts.length > 1 || times.length > 1)
    throw new CommandFailure(
      'usage',
      `--keep ${quote(amounts.join(' '))}: give a number of revisions (100), a time (365d), or one of each`,
    )
  const [[count], [seconds]] = [counts, times]
  return { ...(count !== undefined && { count }), ...(seconds !== undefined && { seconds }) }
}

function freedText({ revisions, objects, files, bytes }: GcResult): string {
  return `${pluralize(revisions, 'revision')}, ${pluralize(objects, 'object')} and ${pluralize(files, 'file')}: ${byteSize(bytes)}`
}
