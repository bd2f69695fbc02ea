import { stat } from 'node:fs/promises'
import type { Io } from '../../io.ts'
import { printJson } from '../../output/json.ts'
import { byteSize, paint, visible } from '../../output/text.ts'
import { isLocal } from '../../service-address.ts'
import type { ExportedProject } from './exported-project.ts'

/** Prints the result of an export as JSON. The draft of a folder has no revision. */
export function printExport(
  io: Io,
  { name, record, publicUrl }: Pick<ExportedProject, 'name' | 'record' | 'publicUrl'>,
  format: string,
  { files, leftOut, warnings }: { files: readonly string[]; leftOut: readonly string[]; warnings: readonly string[] },
): void {
  const { revision, snapshot } = record.published ?? {}
  printJson(io, {
    project: name,
    format,
    revision: publicUrl === undefined ? null : revision,
    snapshot,
    files,
    leftOut,
    warnings,
  })
}

/** Prints warnings about an export on stderr. */
export function printWarnings(io: Io, warnings: readonly string[]): void {
  for (const warning of warnings) io.err(`${paint(io.hasColor.err, 'yellow', 'warning')}: ${warning}\n`)
}

/** Prints the files that an export wrote, with their sizes, on stderr. */
export async function printWritten(io: Io, files: readonly string[]): Promise<void> {
  for (const file of files.slice(0, MAX_SHOWN)) {
    const found = await stat(file)
    if (found.isFile()) io.err(`wrote ${visible(file)} (${byteSize(found.size)})\n`)
  }
  if (files.length > MAX_SHOWN) io.err(`wrote ${files.length - MAX_SHOWN} more files\n`)
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
