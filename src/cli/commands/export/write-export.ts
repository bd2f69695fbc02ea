import { mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, parse, resolve, sep } from 'node:path'
import type { OpenedExport } from '../../../compose/export.ts'
import type { Exported, ExportedFile, ExportFormat, ExportOptions } from '../../../export/format.ts'
import { CommandFailure } from '../../failure.ts'
import type { Io } from '../../io.ts'

/** The target of an export: stdout, a file or a folder. */
export type Place = { kind: 'stdout' } | { kind: 'file' | 'folder'; path: string }

/** The target that `--out` names. A format with several files goes to a folder, or as a ZIP archive to `*.zip` and stdout. */
export function placeFor(out: string | undefined, format: ExportedFormat, io: Io): Place {
  if (out === '') throw new CommandFailure('usage', '--out: name a file or a folder, or omit --out for stdout')
  if (out !== undefined && out !== '-') {
    const isFolder = format.isFolder && !out.toLowerCase().endsWith('.zip')
    return { kind: isFolder ? 'folder' : 'file', path: resolve(io.folder, out) }
  }
  const isText = !format.isFolder && /^(?:text\/|application\/json)/.test(format.contentType)
  if (io.isOutTerminal === true && !isText)
    throw new CommandFailure('usage', `${format.id} is not text: name a file for it with --out`)
  return { kind: 'stdout' }
}

/** The format with its options, which may turn one file into several. */
export function withOptions(format: ExportFormat, options: ExportOptions): ExportedFormat {
  const { id, file, contentType, folderWith } = format
  const isFolder = format.isFolder || (folderWith !== undefined && options[folderWith] === true)
  return { id, file: isFolder && !format.isFolder ? file.replace(/\.[^.]*$/, '.zip') : file, contentType, isFolder }
}

type ExportedFormat = Pick<ExportFormat, 'id' | 'file' | 'contentType' | 'isFolder'>

/**
 * Writes the files of an export, each completely or not at all. Returns the written paths. Writes directly to a device or
 * pipe, such as `/dev/stdout`, and keeps a symbolic link.
 */
export async function writeExport(
  place: Place,
  format: ExportedFormat,
  { files, pieces = [] }: Pick<Exported, 'files' | 'pieces'>,
  { read, zip, io }: Pick<OpenedExport, 'read' | 'zip'> & { io: Io },
): Promise<string[]> {
  const whole = async () => (format.isFolder ? zip(files) : read(onlyFile(files).content))
  if (place.kind === 'stdout') {
    for await (const chunk of await whole()) await io.outBytes(chunk)
    return []
  }
  if (place.kind === 'file') {
    const found = await stat(place.path).catch(() => undefined)
    if (found && !found.isFile() && !found.isDirectory()) {
      await writeFile(place.path, await whole(), { signal: io.signal })
      return [place.path]
    }
    const path = found?.isDirectory() ? join(place.path, format.file) : place.path
    const target = await realpath(path).catch(() => path)
    await writeWhole(target, await whole(), io.signal)
    const paths = pieces.map((_, at) => piecePath(path, at + 1))
    for (const [at, { content }] of pieces.entries()) await writeWhole(paths[at] ?? path, read(content), io.signal)
    return [path, ...paths]
  }
  const written: string[] = []
  for (const { path, content } of files) {
    const target = join(place.path, path)
    if (!target.startsWith(place.path + sep)) throw new Error(`an export has a file outside of its folder: ${path}`)
    await writeWhole(target, read(content), io.signal)
    written.push(target)
  }
  return written
}

/** The path of a part of a file: `brand-2.gpl` for `brand.gpl`. */
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
