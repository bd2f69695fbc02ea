import { stat } from 'node:fs/promises'
import type { Output } from '../../command.ts'
import type { Io } from '../../io.ts'
import { byteSize, paint, visible } from '../../output/text.ts'
import { isLocal } from '../../service-address.ts'
import type { ExportedProject } from './exported-project.ts'

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
