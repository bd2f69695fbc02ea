import type { ProjectRef } from '../brand/ids.ts'
import { withEmptyStore } from '../compose/store.ts'
import type { Store } from './command.ts'
import { CommandFailure } from './failure.ts'
import type { Io } from './io.ts'
import type { CommandSettings } from './settings/settings.ts'

/** Imports a brand folder as of a date into a temporary store while the work runs. Fails if the folder has an error. */
export async function withImportedFolder<Value>(
  { folder, settings, date }: { folder: string; settings: CommandSettings; date: Date },
  io: Io,
  work: (store: Store, workspace: string, refs: ProjectRef[]) => Promise<Value>,
): Promise<Value> {
  const { importFolder } = await import('../publishing/import/import.ts')
  const { findBrandFolder, withReadOptions } = await import('./brand-folder.ts')
  const { findingSummary, hasErrors, printFindings } = await import('./output/findings.ts')
  const path = await findBrandFolder(folder, io)
  return withEmptyStore(settings, async store => {
    const { workspace, projects, findings } = await withReadOptions(settings, io, options =>
      importFolder(store, path, { ...options, isDryRun: false, now: () => date }),
    )
    const errors = findings.filter(({ severity }) => severity === 'error')
    if (workspace === null || hasErrors(findings)) {
      printFindings(errors, io)
      throw new CommandFailure('findings', `${findingSummary(errors)} in the folder: see \`housestyle check\``)
    }
    return work(
      store,
      workspace,
      projects.map(({ project }) => ({ workspace, project })),
    )
  })
}
