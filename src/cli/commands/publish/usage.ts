import { quote } from '#base/text.ts'
import { dayOf } from '#brand/file.ts'
import type { UsageRow } from '#brand/usage.ts'
import { csvLine, escapeFormula } from '#export/style-tables.ts'
import { usage } from '#publishing/status.ts'
import { hasFlag, type Run, textOption } from '../../command.ts'
import { CommandFailure, unwrap } from '../../failure.ts'
import { onProject } from '../../in-store.ts'
import { listOutput } from '../../output/output.ts'
import { visible } from '../../output/text.ts'

export const run: Run = (args, io) => {
  const since = textOption(args, 'since')
  if (since !== undefined && !isDay(since))
    throw new CommandFailure('usage', `--since ${quote(since)} is not a day: write it as in --since 2026-11-01`)
  return onProject(args, io, async ({ store, ref, name, now }) => {
    const firstDay = since ?? dayOf(new Date(now.getTime() - (DAYS - 1) * 86_400_000))
    const rows = unwrap(await usage(store, ref, firstDay))
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
