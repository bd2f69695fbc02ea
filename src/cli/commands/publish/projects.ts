import { pluralize, quote } from '#base/text.ts'
import { dayOf } from '#brand/file.ts'
import type { ProjectRef } from '#brand/ids.ts'
import type { UsageRow } from '#brand/usage.ts'
import { auditFor } from '#compose/audit.ts'
import { csvLine, escapeFormula } from '#export/style-tables.ts'
import { remove as removeProject, rotateFiles, unpublish as unpublishProject } from '#publishing/change-project.ts'
import { type CopyResult, copyProject } from '#publishing/copy.ts'
import { history } from '#publishing/history.ts'
import { usage as listUsage } from '#publishing/status.ts'
import { hasFlag, type Io, type Run, type Store, textOption } from '../../command.ts'
import { CommandFailure, unwrap } from '../../failure.ts'
import { onProject, parseProjectRef } from '../../in-store.ts'
import { listOutput, withStoreWork } from '../../output/output.ts'
import { visible } from '../../output/text.ts'

export const copy: Run = async (args, io) => {
  const target = parseProjectRef(args.operands[1] ?? '')
  return withStoreWork(args, io, target.project, options =>
    onProject(args, io, async ({ store, ref, name }) => {
      const result = await copyProject(store, ref, target, { ...options, now: store.clock.date, who: io.user })
      const text = copyText(`${target.workspace}/${target.project}`, name, unwrap(result))
      return { json: { ...target, done: true }, text }
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
  onProject(args, io, async ({ store, ref, name, now }) => {
    const { changed } = unwrap(await unpublishProject(store, ref, now))
    const text = changed ? `${name}: no longer served; its draft stays\n` : `${name}: was not published\n`
    return { json: { ...ref, done: true }, text }
  })

export const remove: Run = async (args, io) => {
  const isConfirmed = hasFlag(args, 'yes')
  if (!isConfirmed && !io.ask)
    throw new CommandFailure('usage', 'delete cannot be undone: give --yes, or run it on a terminal')
  return onProject(args, io, async ({ store, ref, name }) => {
    if (!isConfirmed) await confirm(store, ref, name, io)
    unwrap(await removeProject(store, ref, store.clock.date()))
    return { json: { ...ref, done: true }, text: `${name}: deleted\n` }
  })
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
  const since = textOption(args, 'since')
  if (since !== undefined && !isDay(since))
    throw new CommandFailure('usage', `--since ${quote(since)} is not a day: write it as in --since 2026-11-01`)
  return onProject(args, io, async ({ store, ref, name, now }) => {
    const firstDay = since ?? dayOf(new Date(now.getTime() - (DAYS - 1) * 86_400_000))
    const rows = unwrap(await listUsage(store, ref, firstDay))
    if (hasFlag(args, 'csv')) return { json: rows, text: () => csv(rows) }
    return listOutput(rows, rowOf, `no usage of ${name} is stored since ${firstDay}\n`)
  })
}

const DAYS = 30

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00Z`)
  return !Number.isNaN(time) && dayOf(new Date(time)) === text
}

function csv(rows: readonly UsageRow[]): string {
  const lines = rows.map(({ day, kind, item, count }) => csvLine([day, kind, escapeFormula(item), `${count}`]))
  return [csvLine(['day', 'kind', 'item', 'count']), ...lines].join('')
}

function rowOf({ day, kind, item, count }: UsageRow): string[] {
  return [day, kind, visible(item), `${count}`]
}
