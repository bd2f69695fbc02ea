import { dayOf } from '#brand/file.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { KEPT_DAYS, parseDays, type UsagePeriod, usagePeriod } from '#brand/usage.ts'
import { usageCsv } from '#delivery/export/usage-table.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { pluralize, quote } from '#platform/base/text.ts'
import { remove as removeProject, rotateFiles, unpublish as unpublishProject } from '#publishing/change-project.ts'
import { type CopyResult, copyProject } from '#publishing/copy.ts'
import { history } from '#publishing/history.ts'
import type { EndedPlans } from '#publishing/plan.ts'
import { type KindUsage, usage as listUsage, usageReport } from '#publishing/usage.ts'
import { auditFor } from '../../../compose/audit.ts'
import { hasFlag, type Io, operand, type Run, type Store, textOption } from '../../command.ts'
import { CommandFailure, Misuse, unwrap } from '../../failure.ts'
import { onProject, parseProjectRef } from '../../in-store.ts'
import { withStoreWork } from '../../output/output.ts'
import { endedPlansText, table, visible } from '../../output/text.ts'

export const copy: Run = async (args, io) => {
  const target = parseProjectRef(operand(args, 1))
  return withStoreWork(args, io, target.project, options =>
    onProject(args, io, async ({ store, settings, ref, name }) => {
      const result = await copyProject(store, ref, target, { ...options, now: store.clock.date, who: io.user })
      const { revision } = unwrap(result)
      if (revision !== undefined) auditFor(settings, io)({ event: 'published', ...target, revision, via: 'command' })
      const text = copyText(`${target.workspace}/${target.project}`, name, unwrap(result))
      return done(target, text, unwrap(result).endedPlans)
    }),
  )
}

function copyText(target: string, source: string, { revision, isNowPrivate }: CopyResult): string {
  if (revision === undefined)
    return `${target}: its draft is a copy of ${source}; nothing was published, because ${source} is not\n`
  const notice = isNowPrivate ? `${target}: was public and is now private, like ${source}\n` : ''
  return `${target}: serves the content of ${source} as revision ${revision}\n${notice}`
}

export const unpublish: Run = (args, io) =>
  onProject(args, io, async ({ store, settings, ref, name, now }) => {
    const { changed, endedPlans } = unwrap(await unpublishProject(store, ref, now))
    if (changed) auditFor(settings, io)({ event: 'unpublished', ...ref, via: 'command' })
    const text = changed ? `${name}: no longer served; its draft stays\n` : `${name}: was not published\n`
    return done(ref, text, endedPlans)
  })

export const remove: Run = async (args, io) => {
  const isConfirmed = hasFlag(args, 'yes')
  if (!isConfirmed && !io.ask) throw new Misuse('delete cannot be undone: give --yes, or run it on a terminal')
  return onProject(args, io, async ({ store, ref, name }) => {
    if (!isConfirmed) await confirm(store, ref, name, io)
    const { endedPlans } = unwrap(await removeProject(store, ref, store.clock.date()))
    return done(ref, `${name}: deleted\n`, endedPlans)
  })
}

/** The output of a change, with the plans that it has ended. */
function done(ref: ProjectRef, text: string, endedPlans: EndedPlans['endedPlans']) {
  const json = { ...ref, done: true, ...withoutUndefined({ endedPlans }) }
  return { json, text: text + endedPlansText(endedPlans) }
}

async function confirm(store: Store, ref: ProjectRef, name: string, io: Io): Promise<void> {
  const revisions = unwrap(await history(store, ref))
  const isServed = revisions.some(({ current }) => current)
  const parts = ['its draft', pluralize(revisions.length, 'revision'), ...(isServed ? ['its published revision'] : [])]
  const answer = await io.ask?.(`This deletes ${name}: ${LIST.format(parts)}. Type ${name} to continue: `)
  if (answer?.trim() !== name)
    throw new CommandFailure('not_confirmed', `nothing was deleted: the answer was not ${name}`)
}

const LIST = new Intl.ListFormat('en')

export const rotate: Run = (args, io) =>
  onProject(args, io, async ({ store, settings, ref, name }) => {
    unwrap(await rotateFiles(store, ref, auditFor(settings, io)))
    const text = `${name}: its files have new addresses; the old ones no longer work\n`
    return { json: { ...ref, done: true }, text }
  })

export const usage: Run = (args, io) => {
  const choice = { since: textOption(args, 'since'), days: textOption(args, 'days') }
  return onProject(args, io, async ({ store: { database }, ref, name, now }) => {
    const period = usagePeriod(now, daysOf(choice, now))
    const [firstDay = ''] = period.days
    const since = choice.since ?? firstDay
    const rows = unwrap(await listUsage(database, ref, since))
    if (hasFlag(args, 'csv')) return { json: rows, text: () => usageCsv(rows) }
    const report = await usageReport(database, ref, period)
    if (report.every(({ total, before }) => total + before === 0))
      return { json: rows, note: `no usage of ${name} is stored since ${since}\n` }
    return { json: rows, text: () => reportText(report, period) }
  })
}

function daysOf({ since, days }: { since: string | undefined; days: string | undefined }, now: Date): number {
  if (since !== undefined && days !== undefined)
    throw new Misuse('--since and --days contradict each other: give one of them')
  const count = days === undefined ? DAYS : parseDays(days)
  if (count === undefined)
    throw new Misuse(`--days ${quote(days ?? '')}: write a number from 1 to ${KEPT_DAYS}, as in --days 7`)
  if (since === undefined) return count
  const first = Date.parse(`${since}T00:00Z`)
  if (Number.isNaN(first) || dayOf(new Date(first)) !== since || first > now.getTime())
    throw new Misuse(`--since ${quote(since)} is not a past day: write it as in --since 2026-11-01`)
  return Math.min(KEPT_DAYS, Math.floor((now.getTime() - first) / DAY_MS) + 1)
}

const DAYS = 30
const DAY_MS = 86_400_000

/** Each kind with its total, and below it the most requested items, next to the counts of the period before. */
function reportText(report: readonly KindUsage[], { days, before }: UsagePeriod): string {
  const compared = (...texts: string[]) => texts.slice(0, before.length > 0 ? 2 : 1)
  const row = (kind: string, item: string, count: number, countBefore: number) => [
    kind,
    item,
    ...compared(`${count}`, `${countBefore}`),
  ]
  const rows = report.flatMap(({ kind, total, before, items }) =>
    total + before === 0
      ? []
      : [
          row(kind, '', total, before),
          ...items.slice(0, MAX_ITEMS).map(({ item, count, before }) => row('', visible(item), count, before)),
        ],
  )
  return table([['', '', ...compared(pluralize(days.length, 'day'), 'before')], ...rows])
}

const MAX_ITEMS = 10
