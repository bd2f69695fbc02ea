import { resolve } from 'node:path'
import { parseDuration } from '#platform/base/duration.ts'
import { errorMessage } from '#platform/base/error.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { withReason } from '#platform/base/reason.ts'
import { pluralize, quote } from '#platform/base/text.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { keyProblems } from '#serving/access/keys/keys.ts'
import { isEarlierStore } from '#store/database/migrate.ts'
import { StoreError } from '#store/store-error.ts'
import { backUp } from '#store/upkeep/backup.ts'
import { examineFolder, examineStore } from '#store/upkeep/doctor.ts'
import type { Retention } from '#store/upkeep/expired-revisions.ts'
import { type GcResult, gc } from '#store/upkeep/gc.ts'
import { openingProblem, type Problem } from '#store/upkeep/problem.ts'
import type { RestoreResult } from '#store/upkeep/restore.ts'
import { addressFor } from '../../compose/address.ts'
import { mailProblem } from '../../compose/mail.ts'
import { restoreBackup, withExistingStore } from '../../compose/store.ts'
import { type Arguments, hasFlag, type Io, listOption, operand, type Run } from '../command.ts'
import { EXIT, Misuse } from '../failure.ts'
import { inStore } from '../in-store.ts'
import { withStoreWork } from '../output/output.ts'
import { byteSize, dateText, paint, visible } from '../output/text.ts'
import { loadSettings } from '../settings.ts'

export const collectGarbage: Run = async (args, io) => {
  const keep = parseRetention(listOption(args, 'keep'))
  const isDryRun = hasFlag(args, 'dryRun')
  const work = withStoreWork(args, io, 'objects', options =>
    inStore(args, io, async ({ store }) => {
      const result = await gc(store, { ...options, keep, isDryRun, now: store.clock.date })
      const text = `${isDryRun ? 'would free' : 'freed'} ${freedText(result)}\n`
      return { json: result, text, note: missingNote(result) }
    }),
  )
  return work.catch((error: unknown) => {
    throw error instanceof StoreError && error.code === 'store_full' ? needsSpace(error) : error
  })
}

/** SQLite writes what it deletes: 32 KiB to open the store, and the pages of a transaction. */
function needsSpace(cause: StoreError): StoreError {
  const need = 'gc needs 16 MiB to write down what it frees: first free that much, for example by moving a backup away'
  return new StoreError('store_full', `${cause.message}; ${need}`, { cause })
}

function missingNote({ missing: [first, ...others] }: GcResult): string | undefined {
  if (first === undefined) return undefined
  const more = others.length > 0 ? `, and ${pluralize(others.length, 'more file')}` : ''
  const verb = others.length > 0 ? 'are' : 'is'
  return `${visible(first)}${more} ${verb} needed and missing: \`housestyle doctor\` names each and its fix\n`
}

/** Reads the values of `--keep`: at most one number of revisions, `100`, and one time, `365d`. */
function parseRetention(amounts: readonly string[]): Retention {
  const counts = amounts.filter(amount => /^[1-9]\d{0,8}$/.test(amount)).map(Number)
  const times = amounts.flatMap(amount => parseDuration(amount) ?? [])
  if (counts.length + times.length < amounts.length || counts.length > 1 || times.length > 1)
    throw new Misuse(
      `--keep ${quote(amounts.join(' '))}: give a number of revisions (100), a time (365d), or one of each`,
    )
  return withoutUndefined({ count: counts[0], seconds: times[0] })
}

function freedText({ revisions, objects, files, bytes }: GcResult): string {
  return `${pluralize(revisions, 'revision')}, ${pluralize(objects, 'object')} and ${pluralize(files, 'file')}: ${byteSize(bytes)}`
}

export const backup: Run = (args, io) =>
  withStoreWork(args, io, 'files', options =>
    inStore(args, io, async ({ store }) => {
      const path = resolve(io.folder, operand(args, 0))
      const result = await backUp(store, path, { ...options, now: store.clock.date })
      const { file, files, bytes } = result
      const size = `the catalogue and ${pluralize(files, 'file')}, ${byteSize(bytes)}`
      const text = `${visible(file)}: ${size}; it contains the signing keys, so keep it as safe as the store\n`
      return { json: result, text }
    }),
  )

export const restore: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const path = resolve(io.folder, operand(args, 0))
  const now = () => new Date()
  const result = await withStoreWork(args, io, 'bytes', options => restoreBackup(path, settings, { ...options, now }))
  const content = `${result.complete ? 'complete already, with ' : ''}${pluralize(result.projects, 'project')} and ${pluralize(result.files, 'file')}`
  const text = `${visible(result.data)}: ${content}, from ${dateText(result.made, now())}\n`
  return { json: result, text, note: accessText(result) }
}

/** Names everything that works again although it may have been ended since the backup was made. */
function accessText({ made, access }: RestoreResult): string {
  const { tokens, shares, clients, issuers, keys } = access
  const lines = [
    ['token', tokens, 'token revoke'],
    ['share link', shares, 'share revoke'],
    ['client', clients, 'client delete'],
    ['issuer', issuers, 'signin remove'],
    ['signing key', keys, 'keys retire'],
  ] as const
  const shownLines = lines
    .filter(([, ids]) => ids.length > 0)
    .map(
      ([kind, ids, command]) =>
        `  ${pluralize(ids.length, kind)}: ${idsText(ids)} (end one with \`housestyle ${command}\`)\n`,
    )
  const advice =
    'works again, even if you ended it since. End it again. Old addresses of files work too, until `housestyle files rotate`'
  return `What had access on ${made} ${advice}:\n${shownLines.join('')}`
}

function idsText(ids: readonly string[]): string {
  const rest = ids.length - MAX_IDS
  return ids.slice(0, MAX_IDS).map(visible).join(', ') + (rest > 0 ? ` and ${rest} more, which --json names` : '')
}

const MAX_IDS = 20

export const examine: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const problems = [
    ...(await examineFolder(settings.data)),
    ...(await storeProblems(settings, args, io)),
    ...(await limitProblems(settings)),
    ...(await mailProblem(settings, addressFor(settings))),
    ...(await chromiumProblems(settings, io)),
  ]
  return {
    json: problems,
    text: problems.map(problem => problemText(problem, args, io)).join('') || 'no problems\n',
    note: `${countsOf(problems)}Node ${io.nodeVersion} ran this: ${NODE_ADVISORIES} lists the faults of its line\n`,
    exitCode: problems.every(isWarning) ? EXIT.done : EXIT.failed,
  }
}

/** Lists each security release, with the versions that it corrects. */
const NODE_ADVISORIES = 'https://nodejs.org/en/blog/vulnerability'

async function storeProblems(settings: Settings, args: Arguments, io: Io): Promise<Problem[]> {
  try {
    return await withStoreWork(args, io, 'objects and files', options =>
      withExistingStore(settings, async store => [
        ...(await keyProblems(store.database, settings.keySecret)),
        ...(await examineStore(store, { ...options, now: store.clock.date })),
      ]),
    )
  } catch (error) {
    io.signal.throwIfAborted()
    if (isEarlierStore(error)) throw error
    return [openingProblem(error)]
  }
}

async function limitProblems({ rate: perWorkspace, ratePublic, limits }: Settings): Promise<Problem[]> {
  const rate = perWorkspace ?? ratePublic
  if (!rate || !limits) return []
  const { limitAdvice, openRedisLimit } = await import('#serving/access/limit/limit-redis.ts')
  const limit = await openRedisLimit(rate, limits)
  try {
    await limit.probe()
    const eviction = await limit.eviction()
    return eviction ? [{ check: 'unreachable', subject: 'the limit server', ...eviction }] : []
  } catch (error) {
    const advice = limitAdvice(error) ?? 'start it, or see --limits'
    return [unusable('the limit server', error, `${advice}; until then each process counts separately`)]
  } finally {
    limit.close()
  }
}

async function chromiumProblems({ book }: Settings, io: Io): Promise<Problem[]> {
  const { findChromium } = await import('./export/command-formats.ts')
  if (!book || (await findChromium(undefined, io).catch(() => undefined))) return []
  const message = 'is not in PATH, so this machine makes no books of guides'
  const fix = 'install it, or turn off --book'
  return [{ severity: 'warning', check: 'unreachable', subject: 'Chromium', message, fix }]
}

function unusable(subject: string, error: unknown, fix: string): Problem {
  return { check: 'unreachable', subject, message: withReason('cannot be used', errorMessage(error)), fix }
}

function problemText(problem: Problem, args: Arguments, io: Io): string {
  const { check, subject, message, fix } = problem
  const heading = paint(io.hasColor.out, isWarning(problem) ? 'yellow' : 'red', check)
  return `${heading}  ${visible(subject)} ${visible(message)}\n    → ${args.completeCommands(visible(fix))}\n`
}

/** `2 problems and 1 warning`, as a line; empty without any. */
function countsOf(problems: readonly Problem[]): string {
  const warnings = problems.filter(isWarning).length
  const counts = [
    problems.length > warnings && pluralize(problems.length - warnings, 'problem'),
    warnings > 0 && pluralize(warnings, 'warning'),
  ].filter(Boolean)
  return counts.length > 0 ? `${counts.join(' and ')}\n` : ''
}

function isWarning({ severity }: Problem): boolean {
  return severity === 'warning'
}
