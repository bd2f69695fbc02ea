import { mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, parse, resolve, sep } from 'node:path'
import { type ProjectRef, placeText } from '#brand/ids.ts'
import type { Exported, ExportedFile, ExportFormat, ExportOptions } from '#delivery/export/format.ts'
import { revisionRecord } from '#publishing/history.ts'
import { publishAll } from '#publishing/publish.ts'
import { projectStates } from '#publishing/status.ts'
import { addressesFor } from '../../../compose/address.ts'
import type { OpenedExport, withExport } from '../../../compose/export.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { type Arguments, hasFlag, type Io, type Output, type Store, textOption } from '../../command.ts'
import { CommandFailure, Misuse, unwrap } from '../../failure.ts'
import { parseProjectRef, parseRevision } from '../../in-store.ts'
import { byteSize, paint, visible } from '../../output/text.ts'
import { isLocal, serviceAddress } from '../../service-address.ts'
import { type CommandSettings, loadSettings } from '../../settings.ts'

/** `publicUrl` is the service's address, and `urls` those below it, if the project is in a store. */
export type ExportedProject = {
  name: string
  store: Store
  record: Parameters<typeof withExport>[1]
  publicUrl: string | undefined
  urls: Parameters<typeof withExport>[2]
  local: LocalAddresses
}

/**
 * Runs work on the project that the operand names: in the store, or with `--folder` in a temporary store into which the
 * folder is imported. Without an operand, it must be the only project.
 */
export async function withExportedProject<Value>(
  args: Arguments,
  io: Io,
  work: (exported: ExportedProject) => Promise<Value>,
): Promise<Value> {
  const settings = await loadSettings(args, io)
  const folder = textOption(args, 'folder')
  const [name] = args.operands
  const wanted = name === undefined ? undefined : parseProjectRef(name)
  if (folder !== undefined) {
    refuseStoreOptions(args)
    return withProjectInFolder({ folder, settings, date: DATE_OF_DRAFTS }, wanted, io, work)
  }
  const revision = textOption(args, 'revision')
  const number = revision === undefined ? undefined : parseRevision(revision)
  return withExistingStore(settings, async store => {
    const exported = await exportedOf(store, wanted ?? only(await projectStates(store, {})), number)
    const publicUrl = await serviceAddress(store, args, settings)
    const urls = await addressesFor(store, publicUrl, settings)
    // If a setting gives an address of this machine, the user wants it.
    const local = localAddresses(settings.publicUrl === undefined ? publicUrl : undefined)
    return work({ ...exported, publicUrl, urls, local })
  })
}

/** A project of a store in a revision; by default, it is the published one. */
async function exportedOf(store: Store, ref: ProjectRef, revision?: number) {
  return { name: placeText(ref), store, record: unwrap(await revisionRecord(store.database, ref, revision)) }
}

/** Imports and publishes all projects of a folder, because a translation needs its original, for work on the wanted one. */
async function withProjectInFolder<Value>(
  source: { folder: string; settings: CommandSettings; date: Date },
  wanted: ProjectRef | undefined,
  io: Io,
  work: (exported: ExportedProject) => Promise<Value>,
): Promise<Value> {
  const { withImportedFolder } = await import('../../brand-folder.ts')
  return withImportedFolder(source, io, async (store, _, refs) => {
    const ref = wanted ? refs.find(each => placeText(each) === placeText(wanted)) : only(refs)
    if (!ref) throw new CommandFailure('project_unknown', `the folder has ${listNames(refs)}`)
    unwrap(await publishAll(store, refs, {}, source.date))
    const local = localAddresses(undefined)
    return work({ ...(await exportedOf(store, ref)), publicUrl: undefined, urls: undefined, local })
  })
}

function refuseStoreOptions(args: Arguments): void {
  for (const name of ['revision', 'publicUrl', 'host', 'port'])
    if (textOption(args, name) !== undefined) {
      const flag = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
      throw new Misuse(`--${flag} applies to published projects of a store, not to a --folder`)
    }
}

/** A constant, so that the same folder always gives the same bytes. ZIP has no earlier date. */
const DATE_OF_DRAFTS = new Date(Date.UTC(1980, 0, 1))

/** The only project, if no operand names one. */
function only(refs: readonly ProjectRef[]): ProjectRef {
  const [first, second] = refs
  if (!first) throw new CommandFailure('project_unknown', 'there is no project to export')
  if (second) throw new CommandFailure('project_ambiguous', `name one of ${listNames(refs)}`)
  return first
}

function listNames(refs: readonly ProjectRef[]): string {
  const names = refs.slice(0, MAX_LISTED).map(placeText).join(', ')
  return refs.length > MAX_LISTED ? `${names} and ${refs.length - MAX_LISTED} more` : names
}

const MAX_LISTED = 10

/** The output of an export: `lines` and warnings for people, or its result as JSON. The draft of a folder has no revision. */
export function exportOutput(
  { name, record, publicUrl }: ExportedProject,
  result: { format: string; files: readonly string[]; leftOut: readonly string[]; warnings: readonly string[] },
  lines: readonly string[],
  io: Io,
): Output {
  const { format, files, leftOut, warnings } = result
  const { revision, snapshot } = record.published ?? {}
  const shownRevision = publicUrl === undefined ? null : revision
  const json = { project: name, format, revision: shownRevision, snapshot, files, leftOut, warnings }
  const warned = warnings.map(warning => `${paint(io.hasColor.err, 'yellow', 'warning')}: ${warning}`)
  return { json, note: [...lines, ...warned].map(line => `${line}\n`).join('') }
}

/** `wrote brand.ase (1.2 KiB)` for each of the first files. */
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
  look: (path: string, bytes: Uint8Array) => void
  /** One warning that names the first such file; empty if none was found. */
  warnings: () => string[]
}

/** Looks for addresses below a URL, without a slash at its end. Finds nothing if the URL is absent or not local. */
function localAddresses(url: string | undefined): LocalAddresses {
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

type Place = { kind: 'stdout' } | { kind: 'file' | 'folder'; path: string }

/** The target that `--out` names. A format with several files goes to a folder, or as a ZIP archive to `*.zip` and stdout. */
export function placeFor(args: Arguments, format: ExportedFormat, io: Io): Place {
  const out = textOption(args, 'out')
  if (out === '') throw new Misuse('--out: name a file or a folder, or omit --out for stdout')
  if (out !== undefined && out !== '-') {
    const isFolder = format.isFolder && !out.toLowerCase().endsWith('.zip')
    return { kind: isFolder ? 'folder' : 'file', path: resolve(io.folder, out) }
  }
  if (hasFlag(args, 'json'))
    throw new Misuse('--json describes the written files: name a file or folder with --out, or use --list')
  const isText = !format.isFolder && /^(?:text\/|application\/json)/.test(format.contentType)
  if (io.isOutTerminal === true && !isText) throw new Misuse(`${format.id} is not text: name a file for it with --out`)
  return { kind: 'stdout' }
}

/** The format with its options, which may turn one file into several. */
export function withOptions(format: ExportFormat, options: ExportOptions): ExportedFormat {
  const { id, file, contentType, folderWith } = format
  const isFolder = format.isFolder || (folderWith !== undefined && options[folderWith] === true)
  return { id, file: isFolder && !format.isFolder ? file.replace(/\.[^.]*$/, '.zip') : file, contentType, isFolder }
}

type ExportedFormat = Pick<ExportFormat, 'id' | 'file' | 'contentType' | 'isFolder'>

/** Writes each file completely or not at all, except to a device or pipe. Returns the written paths. */
export async function writeExport(
  place: Place,
  format: ExportedFormat,
  { files, pieces = [] }: Pick<Exported, 'files' | 'pieces'>,
  opened: Writing,
): Promise<string[]> {
  if (place.kind === 'folder') return writeToFolder(place.path, files, opened)
  const { read, zip, io } = opened
  const content = await (format.isFolder ? zip(files) : read(onlyFile(files).content))
  if (place.kind === 'file') return writeToFile(place.path, { name: format.file, content, pieces }, opened)
  for await (const chunk of content) await io.outBytes(chunk)
  return []
}

type Writing = Pick<OpenedExport, 'read' | 'zip'> & { io: Io }
type OneFile = { name: string; content: AsyncIterable<Uint8Array>; pieces: NonNullable<Exported['pieces']> }

/** Writes a file, in a folder under its own name, and its pieces beside it. */
async function writeToFile(path: string, file: OneFile, { read, io }: Writing): Promise<string[]> {
  const existing = await stat(path).catch(() => undefined)
  // A device or a pipe cannot be replaced by a finished file.
  if (existing && !existing.isFile() && !existing.isDirectory()) {
    await writeFile(path, file.content, { signal: io.signal })
    return [path]
  }
  const filePath = existing?.isDirectory() ? join(path, file.name) : path
  // A link stays, and its target is replaced.
  const target = await realpath(filePath).catch(() => filePath)
  await writeWhole(target, file.content, io.signal)
  const written = [filePath]
  for (const { content } of file.pieces) {
    const ofPiece = piecePath(filePath, written.length)
    await writeWhole(ofPiece, read(content), io.signal)
    written.push(ofPiece)
  }
  return written
}

async function writeToFolder(folder: string, files: readonly ExportedFile[], { read, io }: Writing): Promise<string[]> {
  const written: string[] = []
  for (const { path, content } of files) {
    const target = join(folder, path)
    if (!target.startsWith(folder + sep)) throw new Error(`an export has a file outside of its folder: ${path}`)
    await writeWhole(target, read(content), io.signal)
    written.push(target)
  }
  return written
}

/** `brand.ase` and 2 become `brand-2.ase`. */
function piecePath(path: string, number: number): string {
  const { dir, name, ext } = parse(path)
  return join(dir, `${name}-${number}${ext}`)
}

function onlyFile(files: readonly ExportedFile[]): ExportedFile {
  const [file, ...others] = files
  if (!file || others.length > 0) throw new Error(`an export of one file has ${files.length}`)
  return file
}

/** Writes a temporary file and renames it, so that readers never see half a file. */
async function writeWhole(path: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = join(dirname(path), `.${basename(path).slice(0, 100)}.unfinished`)
  const file = await open(unfinished, 'w')
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted()
      await file.writeFile(chunk)
    }
    await file.close()
    await rename(unfinished, path)
  } catch (error) {
    await file.close()
    await rm(unfinished, { force: true })
    throw error
  }
}
