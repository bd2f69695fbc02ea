import type { Scope } from '../contract/operations.ts'
import type { Exported, ExportFormat, ExportOptions, ExportSource } from './format.ts'
import { FORMATS, formatOfFile } from './formats.ts'
import { makeExport } from './make-export.ts'

/** The formats in a served archive, each with its options. */
type ArchiveFormats = readonly { format: ExportFormat; options: ExportOptions }[]

/** Archives of several formats, keyed by file name. */
const ARCHIVES: Readonly<Record<string, readonly { id: string; options: ExportOptions }[]>> = {
  'fonts.zip': [{ id: 'fonts', options: { copy: true } }],
  'palette.zip': ['ase', 'gpl', 'csv', 'css'].map(id => ({ id, options: {} })),
}

/** The formats of the archive with this file name; undefined if there is no such archive. */
export function archiveFormats(file: string): ArchiveFormats | undefined {
  const folder = FORMATS.find(format => format.isFolder && format.file === file)
  if (folder) return [{ format: folder, options: {} }]
  const kit = Object.hasOwn(ARCHIVES, file) ? ARCHIVES[file] : undefined
  return kit?.flatMap(({ id, options }) => FORMATS.flatMap(format => (format.id === id ? { format, options } : [])))
}

/** The scopes that an export's content needs, by its file or archive name; empty if there is no such export. */
export function exportScopes(file: string): readonly Scope[] {
  const formats = archiveFormats(file)?.map(({ format }) => format) ?? [formatOfFile(file)]
  return [...new Set(formats.flatMap(format => format?.scopes ?? []))]
}

/**
 * The files of an archive with their paths in it. Omits formats for which the brand lacks content; undefined if no
 * format remains.
 */
export async function makeArchiveFiles(
  formats: ArchiveFormats,
  source: Omit<ExportSource, 'unsupported'>,
): Promise<Exported['files'] | undefined> {
  const files: Exported['files'][number][] = []
  for (const { format, options } of formats) {
    const made = await makeExport(format, { ...source, options })
    if (made.ok) files.push(...made.value.files)
  }
  return files.length === 0 ? undefined : files
}
