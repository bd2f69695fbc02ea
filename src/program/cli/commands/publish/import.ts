import { withoutUndefined } from '#platform/base/object.ts'
import { type ImportedProject, type ImportResult, importFolder } from '#publishing/import/import.ts'
import { unpublishedIn } from '#publishing/status.ts'
import { withStore, withStoreOrEmpty } from '../../../compose/store.ts'
import { findBrandFolder, withReadOptions } from '../../brand-folder.ts'
import {
  type Arguments,
  hasFlag,
  type Io,
  type NextStep,
  operand,
  type Run,
  type Store,
  textOption,
} from '../../command.ts'
import { CommandFailure, EXIT, isInterruption } from '../../failure.ts'
import { takenProjects } from '../../in-store.ts'
import { afterCheck, hasErrors, printFindings, printWaiting } from '../../output/output.ts'
import { changeLabels, endedPlansText, firstLines } from '../../output/text.ts'
import { type CommandSettings, loadSettings } from '../../settings.ts'

export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const name = operand(args, 0)
  const folder = await findBrandFolder(name, io)
  const isDryRun = hasFlag(args, 'dryRun')
  const open = isDryRun ? withStoreOrEmpty : withStore
  const work = open(settings, async store => {
    const result = await importInto(store, folder, { settings, args, io })
    return { result, unpublished: await unpublishedIn(store, result.workspace ?? '') }
  })
  const { result, unpublished } = await work.catch((error: unknown) => failIfInterrupted(error, io))
  const { workspace, projects, findings, endedPlans } = result
  if (!hasFlag(args, 'json')) printFindings(findings, io)
  const advice = isDryRun
    ? { note: 'a dry run: nothing was written\n', next: [] }
    : { note: unpublishedNote(result, unpublished), next: nextSteps(result, unpublished, name) }
  const lines = () => projects.map(project => projectText(workspace, project, io, isDryRun))
  return {
    json: result,
    text: () => lines().join('') + endedPlansText(endedPlans),
    ...advice,
    exitCode: hasErrors(findings) ? EXIT.failed : EXIT.done,
  }
}

type Command = { settings: CommandSettings; args: Arguments; io: Io }

/** Imports a folder as the options of the command say. */
export function importInto(store: Store, folder: string, { settings, args, io }: Command): Promise<ImportResult> {
  return withReadOptions(settings, io, options =>
    importFolder(store, folder, {
      ...options,
      ...withoutUndefined({ workspace: textOption(args, 'workspace') }),
      take: takenProjects(args),
      isDryRun: hasFlag(args, 'dryRun'),
      now: store.clock.date,
      waiting: printWaiting(args, io),
    }),
  )
}

/** Fails with a clear message if the import was interrupted. Later interruptions come after the drafts have changed. */
function failIfInterrupted(error: unknown, { signal }: Io): never {
  if (!isInterruption(error, signal)) throw error
  throw new CommandFailure('interrupted', 'the import was interrupted, and no draft was changed: run it again')
}

/** `acme/guidelines: draft changed`, and its changes on the lines below; or why there are none. */
function projectText(workspace: string | null, project: ImportedProject, io: Io, isDryRun: boolean): string {
  const name = `${workspace}/${project.project}`
  const [unchanged, heading] = isDryRun ? ['would not change', 'draft would change'] : ['is unchanged', 'draft changed']
  if (!project.imported) return `${name}: not imported; its draft ${unchanged}\n`
  if (!project.changed) return `${name}: nothing changed\n`
  const labels = changeLabels(project, io.hasColor.out)
  const reason = labels.length > 0 ? '' : ' (name, order or visibility)'
  const lines = firstLines(labels, MAX_LINES, more => `… and ${more} more`)
  return [`${name}: ${heading}${reason}`, ...lines.map(label => `  ${label}`), ''].join('\n')
}

/** Further changes are only counted; `--json` lists all. */
const MAX_LINES = 40

/** A note about changes to projects that were taken down; `unpublished` has their ids. */
function unpublishedNote({ projects }: ImportResult, unpublished: ReadonlySet<string>): string | undefined {
  if (!projects.some(({ project, changed }) => changed && unpublished.has(project))) return undefined
  return 'unpublished projects changed too: they are not served until you publish them by name\n'
}

function nextSteps(
  { workspace, projects, findings }: ImportResult,
  unpublished: ReadonlySet<string>,
  folder: string,
): NextStep[] {
  const changed = projects.filter(project => project.changed)
  const operands = changed
    .filter(({ project }) => !unpublished.has(project))
    .map(({ project }) => `${workspace}/${project}`)
  const publish: NextStep[] = operands.length > 0 ? [{ command: 'publish', operands }] : []
  if (hasErrors(findings) || !projects.some(({ imported }) => imported))
    return [
      ...afterCheck(findings, folder),
      ...publish.map(step => ({ ...step, purpose: 'publish the other changes' })),
    ]
  const reason = changed.length === 0 ? ' (nothing changed)' : ''
  return publish.length > 0 ? publish : [{ purpose: `see the published revisions${reason}`, command: 'status' }]
}
