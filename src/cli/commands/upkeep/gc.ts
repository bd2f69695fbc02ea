import { withoutUndefined } from '../../../base/object.ts'
import { pluralize, quote } from '../../../base/text.ts'
import { type GcResult, gc, type Retention } from '../../../upkeep/gc.ts'
import { hasFlag, listOption, parseDuration, type Run } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { inStore } from '../../in-store.ts'
import { withStoreWork } from '../../output/progress.ts'
import { byteSize, visible } from '../../output/text.ts'

/** `gc` */
export const run: Run = async (args, io) => {
  const keep = parseRetention(listOption(args, 'keep'))
  const isDryRun = hasFlag(args, 'dryRun')
  return withStoreWork(args, io, 'objects', options =>
    inStore(args, io, async ({ store }) => {
      const result = await gc(store, { ...options, keep, isDryRun, now: store.clock.date })
      const text = `${isDryRun ? 'would free' : 'freed'} ${freedText(result)}\n`
      return { json: result, text, note: missingNote(result) }
    }),
  )
}

function missingNote({ missing: [first, ...others] }: GcResult): string | undefined {
  if (first === undefined) return undefined
  const more = others.length > 0 ? `, and ${pluralize(others.length, 'more file')}` : ''
  const verb = others.length > 0 ? 'are' : 'is'
  return `${visible(first)}${more} ${verb} needed and missing: \`housestyle doctor\` names each and its fix\n`
}

function parseRetention(amounts: readonly string[]): Retention {
  const counts = amounts.filter(amount => /^[1-9]\d{0,8}$/.test(amount)).map(Number)
  const times = amounts.flatMap(amount => parseDuration(amount) ?? [])
  if (counts.length + times.length < amounts.length || counts.length > 1 || times.length > 1)
    throw new CommandFailure(
      'usage',
      `--keep ${quote(amounts.join(' '))}: give a number of revisions (100), a time (365d), or one of each`,
    )
  return withoutUndefined({ count: counts[0], seconds: times[0] })
}

function freedText({ revisions, objects, files, bytes }: GcResult): string {
  return `${pluralize(revisions, 'revision')}, ${pluralize(objects, 'object')} and ${pluralize(files, 'file')}: ${byteSize(bytes)}`
}
