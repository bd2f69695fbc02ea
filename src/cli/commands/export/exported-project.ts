import { stat } from 'node:fs/promises'
import type { ProjectRef } from '../../../brand/ids.ts'
import { addressFor } from '../../../compose/address.ts'
import type { withExport } from '../../../compose/export.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { revisionRecord } from '../../../publishing/history.ts'
import { publishAll } from '../../../publishing/publish.ts'
import { projectStates } from '../../../publishing/status.ts'
import { type Arguments, type Output, type Store, textOption } from '../../command.ts'
import { CommandFailure, unwrap } from '../../failure.ts'
import { withImportedFolder } from '../../imported-folder.ts'
import { parseProjectRef, parseRevision } from '../../in-store.ts'
import type { Io } from '../../io.ts'
import { byteSize, paint, visible } from '../../output/text.ts'
import { isLocal, runningAddress } from '../../service-address.ts'
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

/** The output of an export: `lines` for people, or its result as JSON. The draft of a folder has no revision. */
export function exportOutput(
  { name, record, publicUrl }: ExportedProject,
  result: { format: string; files: readonly string[]; leftOut: readonly string[]; warnings: readonly string[] },
  lines: readonly string[],
): Output {
  const { format, files, leftOut, warnings } = result
  const { revision, snapshot } = record.published ?? {}
  const shownRevision = publicUrl === undefined ? null : revision
  const json = { project: name, format, revision: shownRevision, snapshot, files, leftOut, warnings }
  return { json, note: lines.map(line => `${line}\n`).join('') }
}

/** Warnings about an export, as lines. */
export function warningLines(io: Io, warnings: readonly string[]): string[] {
  return warnings.map(warning => `${paint(io.hasColor.err, 'yellow', 'warning')}: ${warning}`)
}

/** The files that an export wrote, with their sizes, as lines. */
export async function writtenLines(files: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  for (const file of files.slice(0, MAX_SHOWN)) {
    const stats = await stat(file)
    if (stats.isFile()) lines.push(`wrote ${visible(file)} (${byteSize(stats.size)})`)
  }
  return files.length > MAX_SHOWN ? [...lines, `wrote ${files.length - MAX_SHOWN} more files`] : lines
}

const MAX_SHOWN = 20

/** Finds files of an export that contain addresses that only work on this machine. */
export type LocalAddresses = {
  /** Searches the bytes of a file. */
  look: (path: string, bytes: Uint8Array) => void
  /** One warning that names the first such file; empty if none was found. */
  warnings: () => string[]
}

/** Looks for addresses below a URL, without a slash at its end. Finds nothing if the URL is absent or not local. */
export function localAddresses(url: string | undefined): LocalAddresses {
  if (url === undefined || !isLocal(url)) return { look: () => undefined, warnings: () => [] }
  const found = new Set<string>()
  return {
    look: (path, bytes) => {
      if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(`${url}/`)) found.add(path)
    },
    warnings: () => {
      const [first, ...others] = found
      if (first === undefined) return []
      const contain = others.length === 0 ? 'contains' : `and ${others.length} more contain`
      return [
        `${visible(first)} ${contain} addresses of this machine (${url}/…): give --public-url, the address that clients use`,
      ]
    },
  }
}
