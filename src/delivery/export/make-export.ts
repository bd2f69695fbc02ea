import { COLOR_COLUMNS } from '#brand/color.ts'
import type { Scope } from '#brand/contract/operations.ts'
import { usualPantones } from '#brand/styles/pantone.ts'
import { once } from '#platform/base/promise.ts'
import { ok, type Result } from '#platform/base/result.ts'
import type { Publication } from '#serving/publications/publications.ts'
import {
  ALL_TYPE_FIELDS,
  type Exported,
  type ExportedFile,
  type ExportFormat,
  type ExportOptions,
  type ExportSource,
} from './format.ts'
import { FORMATS, formatOfFile } from './formats.ts'

/** Makes an export. Its omissions include the brand's values for which the format has no place. */
export async function makeExport(
  format: ExportFormat,
  source: Omit<ExportSource, 'unsupported'>,
): Promise<Result<Exported, string>> {
  const make = await format.load()
  const unsupported = await describeUnsupported(format, source)
  const publication = format.isAsWritten ? source.publication : withUsualPantones(source.publication)
  const exported = await make({ ...source, publication, unsupported })
  return exported.ok ? ok({ ...exported.value, leftOut: [...exported.value.leftOut, ...unsupported] }) : exported
}

/** A publication whose colours have Pantone references as libraries of inks spell them; a third one stays with the second. */
function withUsualPantones(publication: Publication): Publication {
  const { content } = publication
  const colors = once(async () =>
    (await content.colors()).map(color => {
      const { usual, rest } = usualPantones(color)
      return { ...color, ...usual, ...(rest.length > 0 && { pms2: `${usual.pms2} / ${rest.join(' / ')}` }) }
    }),
  )
  return { ...publication, content: { ...content, colors } }
}

/** A sentence about the values of colours, and one about those of type styles, that a format cannot contain. */
async function describeUnsupported(
  { fields }: ExportFormat,
  { publication }: Pick<ExportSource, 'publication'>,
): Promise<string[]> {
  const { colors, types } = publication.content
  return [
    ...sentence('colours', omittedFields(await colors(), COLOR_COLUMNS, fields.colors)),
    ...sentence('type styles', omittedFields(await types(), ALL_TYPE_FIELDS, fields.types)),
  ]
}

/** The authored fields that the format omits. A format without any fields of such styles is about other content. */
function omittedFields<Field extends string>(
  styles: readonly Partial<Record<Field, unknown>>[],
  fields: readonly Field[],
  included: readonly string[],
): Field[] {
  if (included.length === 0) return []
  const unsupported = fields.filter(field => field !== 'name' && !included.includes(field))
  return unsupported.filter(field => styles.some(style => isAuthored(style[field])))
}

/** Values that nobody wrote: type styles have `casing: none`, `responsive: false` and no features by default. */
const DEFAULTS: ReadonlySet<unknown> = new Set([undefined, 'none', false])

/** Whether an author gave a value. */
function isAuthored(value: unknown): boolean {
  if (DEFAULTS.has(value)) return false
  return typeof value !== 'object' || value === null || Object.keys(value).length > 0
}

function sentence(noun: string, fields: readonly string[]): string[] {
  return fields.length === 0 ? [] : [`${fields.join(', ')} of ${noun}: the format has no place for them`]
}

type ArchiveFormats = readonly { format: ExportFormat; options: ExportOptions }[]

/** The archives besides those of the formats that are always folders, keyed by name, each with its formats. */
const ARCHIVES: ReadonlyMap<string, readonly { id: string; options: ExportOptions }[]> = new Map([
  ['fonts.zip', [{ id: 'fonts', options: { copy: true } }]],
  ['brand-yml.zip', [{ id: 'brand-yml', options: { copy: true } }]],
  ['palette.zip', ['ase', 'gpl', 'csv', 'css'].map(id => ({ id, options: {} }))],
])

/** The formats of the archive with this file name; undefined if there is no such archive. */
export function archiveFormats(file: string): ArchiveFormats | undefined {
  const folder = FORMATS.find(format => format.isFolder && format.file === file)
  if (folder) return [{ format: folder, options: {} }]
  const members = ARCHIVES.get(file)
  return members?.flatMap(({ id, options }) =>
    FORMATS.filter(format => format.id === id).map(format => ({ format, options })),
  )
}

/** The scopes that an export's content needs, by its file or archive name; empty if there is no such export. */
export function exportScopes(file: string): readonly Scope[] {
  const formats = archiveFormats(file)?.map(({ format }) => format) ?? [formatOfFile(file)]
  return [...new Set(formats.filter(format => format !== undefined).flatMap(({ scopes }) => scopes))]
}

/** The files of an archive, by path, and an id that changes with them. */
export type ExportedArchive = { files: ReadonlyMap<string, ExportedFile['content']>; id: string }

/** The files of an archive, without formats for which the brand lacks content; undefined if none remains. */
export async function makeArchiveFiles(
  formats: ArchiveFormats,
  source: Omit<ExportSource, 'unsupported'>,
): Promise<Exported['files'] | undefined> {
  const files: Exported['files'][number][] = []
  for (const { format, options } of formats) {
    const exported = await makeExport(format, { ...source, options })
    if (exported.ok) files.push(...exported.value.files)
  }
  return files.length === 0 ? undefined : files
}
