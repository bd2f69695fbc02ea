import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Finding } from '#brand/finding.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { codeOf } from '#intake/folder/unreadable.ts'
import { openMediaReader } from '#intake/media/media.ts'
import type { ReadOptions } from '#intake/reading.ts'
import { quoteWhole } from '#platform/base/text.ts'
import type { Settings } from '#platform/settings/settings.ts'
import type { Io, Store } from './command.ts'
import { CommandFailure } from './failure.ts'
import { findingSummary, hasErrors, printFindings, withProgress } from './output/output.ts'
import type { CommandSettings } from './settings.ts'

export async function findBrandFolder(name: string, io: Io): Promise<string> {
  const folder = resolve(io.folder, name)
  // An empty name, such as of a variable without a value, would be the working folder.
  const found = await stat(name && folder).catch((error: unknown) => {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error
  })
  if (found?.isDirectory()) return folder
  const why = found ? 'is not a folder' : 'does not exist'
  throw new CommandFailure('folder_missing', `cannot read ${quoteWhole(name)}: it ${why}; name a brand folder`)
}

/** Runs work that reads a brand folder. Provides a reader for fonts and pictures, limits, and progress on a terminal. */
export async function withReadOptions<Value>(
  settings: Pick<Settings, 'maxFile' | 'maxItems'>,
  io: Io,
  work: (options: Omit<ReadOptions, 'targetFor' | 'today'>) => Promise<Value>,
): Promise<Value> {
  const media = openMediaReader()
  try {
    const { maxFile, maxItems } = settings
    const options = { media, caps: { maxFile, maxItems }, signal: io.signal }
    return await withProgress(io, progress => work({ ...options, progress }))
  } finally {
    await media.close()
  }
}

/** Prints the errors of a brand folder, and fails if there are any. */
export function failOnErrors(findings: readonly Finding[], io: Io): void {
  if (!hasErrors(findings)) return
  const errors = findings.filter(({ severity }) => severity === 'error')
  printFindings(errors, io)
  throw new CommandFailure('findings', `${findingSummary(errors)} in the folder: see \`housestyle check\``)
}

/** Imports a brand folder as of a date into a temporary store while the work runs. Fails if the folder has an error. */
export async function withImportedFolder<Value>(
  { folder, settings, date }: { folder: string; settings: CommandSettings; date: Date },
  io: Io,
  work: (store: Store, workspace: string, refs: ProjectRef[]) => Promise<Value>,
): Promise<Value> {
  const { importFolder } = await import('#publishing/import/import.ts')
  const { withEmptyStore } = await import('../compose/store.ts') // Other commands need no store.
  const path = await findBrandFolder(folder, io)
  return withEmptyStore(settings, async store => {
    const { workspace, projects, findings } = await withReadOptions(settings, io, options =>
      importFolder(store, path, { ...options, isDryRun: false, now: () => date }),
    )
    failOnErrors(findings, io)
    if (workspace === null) throw new Error('a folder without an error has no workspace')
    return work(
      store,
      workspace,
      projects.map(({ project }) => ({ workspace, project })),
    )
  })
}
