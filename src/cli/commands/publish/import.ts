import { withStore, withStoreOrEmpty } from '../../../compose/store.ts'
import { type ImportedProject, type ImportResult, importFolder } from '../../../publishing/import/import.ts'
import { unpublishedIn } from '../../../publishing/status.ts'
import { findBrandFolder, withReadOptions } from '../../brand-folder.ts'
import { type Arguments, hasFlag, type Run, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { EXIT } from '../../failure-codes.ts'
import type { Io } from '../../io.ts'
import { changeLabels } from '../../output/changes.ts'
import { hasErrors, printFindings } from '../../output/findings.ts'
import { printJson } from '../../output/json.ts'
import { afterImport, printNextSteps } from '../../output/next-step.ts'
import { printWaiting } from '../../output/progress.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `import <folder>` */
export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const folder = await findBrandFolder(args.operands[0] ?? '', io)
  const isDryRun = hasFlag(args, 'dryRun')
  const workspace = textOption(args, 'workspace')
  const open = isDryRun ? withStoreOrEmpty : withStore
  const work = open(settings, async store => {
    const result = await withReadOptions(settings, io, options =>
      importFolder(store, folder, {
        ...options,
        ...(workspace !== undefined && { workspace }),
        isDryRun,
        now: store.clock.date,
        waiting: printWaiting(args, io),
      }),
    )
    return { result, unpublished: await unpublishedIn(store, result.workspace ?? '') }
  })
  const { result, unpublished } = await work.catch((error: unknown) => failIfInterrupted(error, io))
  if (hasFlag(args, 'json')) printJson(io, result)
  else {
    printImport(result, io, isDryRun)
    if (!isDryRun) printNext(result, unpublished, args, io)
  }
  return hasErrors(result.findings) ? EXIT.failed : EXIT.done
}

/** Fails with a clear message if the import was interrupted. Later interruptions come after the drafts have changed. */
function failIfInterrupted(error: unknown, { signal }: Io): never {
  if (!signal.aborted || !(error instanceof Error) || error.name !== 'AbortError') throw error
  throw new CommandFailure('interrupted', 'the import was interrupted, and no draft was changed: run it again')
}

function printImport({ workspace, projects, findings }: ImportResult, io: Io, isDryRun: boolean): void {
  printFindings(findings, io)
  for (const project of projects) {
    const name = `${workspace}/${project.project}`
    io.out(project.imported ? importedText(name, project, io, isDryRun) : refusedText(name, isDryRun))
  }
  if (isDryRun) io.err('a dry run: nothing was written\n')
}

function refusedText(name: string, isDryRun: boolean): string {
  return `${name}: not imported; its draft ${isDryRun ? 'would not change' : 'is unchanged'}\n`
}

function importedText(name: string, project: ImportedProject, io: Io, isDryRun: boolean): string {
  if (!project.changed) return `${name}: nothing changed\n`
  const labels = changeLabels(project, io.hasColor.out)
  const heading = isDryRun ? 'draft would change' : 'draft changed'
  const why = labels.length > 0 ? '' : ' (name, order or visibility)'
  const shown = labels.slice(0, MAX_LINES)
  if (labels.length > MAX_LINES) shown.push(`… and ${labels.length - MAX_LINES} more`)
  return [`${name}: ${heading}${why}`, ...shown.map(label => `  ${label}`), ''].join('\n')
}

/** Further changes are only counted; `--json` lists all. */
const MAX_LINES = 40

function printNext(result: ImportResult, unpublished: ReadonlySet<string>, args: Arguments, io: Io): void {
  if (result.projects.some(({ project, changed }) => changed && unpublished.has(project)))
    io.err('unpublished projects changed too: they are not served until you publish them by name\n')
  printNextSteps(afterImport(result, unpublished, args.operands[0] ?? '.'), args, io)
}
