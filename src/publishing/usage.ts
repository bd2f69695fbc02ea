import { ok } from '../base/result.ts'
import type { ProjectRef } from '../brand/ids.ts'
import type { UsageRow } from '../brand/usage.ts'
import { listUsage } from '../store/catalogue/usage.ts'
import type { Store } from '../store/store.ts'
import { type CommandResult, knownProject } from './project-ref.ts'

/** How often the content of a project was requested, from a day on: oldest day first. */
export async function usage(
  { database }: Store,
  ref: ProjectRef,
  firstDay: string,
): Promise<CommandResult<UsageRow[]>> {
  const record = await knownProject(database, ref)
  return record.ok ? ok(await listUsage(database, ref, firstDay)) : record
}
