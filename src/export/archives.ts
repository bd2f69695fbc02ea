import type { Scope } from '../contract/operations.ts'
import type { Exported, ExportFormat, ExportOptions, ExportSource } from './format.ts'
import { FORMATS, formatOfFile } from './formats.ts'
import { makeExport } from './make-export.ts'

/** An archive that is served: formats whose files it holds, and what each is asked. */
type ArchiveOf = readonly { format: ExportFormat; options: ExportOptions }[]

/** Archives of more than one format, by the names of their files. */
const KITS: Readonly<Record<string, readonly { id: string; options: ExportOptions }[]>> = {
  'fonts.zip': [{ id: 'fonts', options: { copy: true } }],
  'palette.zip': ['ase', 'gpl', 'csv', 'css'].map(id => ({ id, options: {} })),
}

/** The formats of the archive that is served under the name of a file; undefined if there is no such archive. */
export function archiveFormats(file: string): ArchiveOf | undefined {
  const folder = FORMATS.find(format => format.isFolder && format.file === file)
  if (folder) return [{ format: folder, options: {} }]
  const kit = Object.hasOwn(KITS, file) ? KITS[file] : undefined
  return kit?.flatMap(({ id, options }) => FORMATS.flatMap(format => (format.id === id ? { format, options } : [])))
}

/** The scopes of the content of an export, by the name of its file or archive; none if there is no such export. */
export function exportScopes(file: string): readonly Scope[] {
  const formats = archiveFormats(file)?.map(({ format }) => format) ?? [formatOfFile(file)]
  return [...new Set(formats.flatMap(format => format?.scopes ?? []))]
}

/**
 * The files of an archive, by their paths in it. A format that the brand lacks the means for is left out; undefined if
 * that is true of all.
 */
export async function makeArchiveFiles(
  of: ArchiveOf,
  source: Omit<ExportSource, 'unsupported'>,
): Promise<Exported['files'] | undefined> {
  const files: Exported['files'][number][] = []
  for (const { format, options } of of) {
    const made = await makeExport(format, { ...source, options })
    if (made.ok) files.push(...made.value.files)
  }
  return files.length === 0 ? undefined : files
}
