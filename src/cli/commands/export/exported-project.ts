import type { ProjectRef } from '../../../brand/ids.ts'
import { addressFor } from '../../../compose/address.ts'
import type { withExport } from '../../../compose/export.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { revisionRecord } from '../../../publishing/history.ts'
import { publishAll } from '../../../publishing/publish.ts'
import { projectStates } from '../../../publishing/status.ts'
import { type Arguments, type Store, textOption } from '../../command.ts'
import { CommandFailure, unwrap } from '../../failure.ts'
import { withImportedFolder } from '../../imported-folder.ts'
import type { Io } from '../../io.ts'
import { parseProjectRef, parseRevision } from '../../project-ref.ts'
import { runningAddress } from '../../service-address.ts'
import { loadSettings } from '../../settings/settings.ts'

/**
 * The project that a command exports. `publicUrl` is the service's own address; it is absent for the draft of a folder.
 * `assumedUrl` is the same address if no setting gives it.
 */
export type ExportedProject = {
  name: string
  store: Store
  record: ProjectRecord
  publicUrl: string | undefined
  assumedUrl?: string | undefined
}

type ProjectRecord = Parameters<typeof withExport>[1]

/** Runs work on the exported project: from the store, or from a brand folder. */
export async function withExportedProject<Value>(
  args: Arguments,
  io: Io,
  work: (exported: ExportedProject) => Promise<Value>,
): Promise<Value> {
  const settings = await loadSettings(args, io)
  const folder = textOption(args, 'folder')
  const named = args.operands[0]
  const wanted = named === undefined ? undefined : parseProjectRef(named)
  const exportedOf = async (store: Store, ref: ProjectRef, number?: number) => {
    return { name: nameOf(ref), store, record: unwrap(await revisionRecord(store.database, ref, number)) }
  }
  if (folder !== undefined) {
    refuseStoreOptions(args)
    return withImportedFolder({ folder, settings, date: DATE_OF_DRAFTS }, io, async (store, _, refs) => {
      const ref = wanted ? refs.find(each => nameOf(each) === named) : only(refs)
      if (!ref) throw new CommandFailure('project_unknown', `the folder has ${listNames(refs)}`)
      unwrap(await publishAll(store, [ref], undefined, DATE_OF_DRAFTS))
      return work({ ...(await exportedOf(store, ref)), publicUrl: undefined })
    })
  }
  const revision = textOption(args, 'revision')
  const number = revision === undefined ? undefined : parseRevision(revision)
  return withExistingStore(settings, async store => {
    const exported = await exportedOf(store, wanted ?? only(await projectStates(store, {})), number)
    const publicUrl = (await runningAddress(store, args, settings)) ?? addressFor(settings)
    return work({ ...exported, publicUrl, assumedUrl: settings.publicUrl === undefined ? publicUrl : undefined })
  })
}

function refuseStoreOptions(args: Arguments): void {
  for (const name of ['revision', 'publicUrl', 'host', 'port'])
    if (textOption(args, name) !== undefined) {
      const flag = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
      throw new CommandFailure('usage', `--${flag} applies to published projects of a store, not to a --folder`)
    }
}

/** A constant, so that the same folder always gives the same bytes. ZIP has no earlier date. */
const DATE_OF_DRAFTS = new Date(Date.UTC(1980, 0, 1))

/** The only project. Fails if there are several. */
function only(refs: readonly ProjectRef[]): ProjectRef {
  const [first, second] = refs
  if (!first) throw new CommandFailure('project_unknown', 'there is no project to export')
  if (second) throw new CommandFailure('project_ambiguous', `name one of ${listNames(refs)}`)
  return first
}

function listNames(refs: readonly ProjectRef[]): string {
  const names = refs.slice(0, MAX_LISTED).map(nameOf).join(', ')
  return refs.length > MAX_LISTED ? `${names} and ${refs.length - MAX_LISTED} more` : names
}

const MAX_LISTED = 10

function nameOf({ workspace, project }: ProjectRef): string {
  return `${workspace}/${project}`
}
