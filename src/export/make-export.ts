import { ok, type Result } from '../base/result.ts'
import { COLOR_COLUMNS } from '../brand/color.ts'
import type { Exported, ExportFormat, ExportSource } from './format.ts'
import { ALL_TYPE_FIELDS } from './style-fields.ts'

/** Makes an export. Its omissions include the brand's values for which the format has no place. */
export async function makeExport(
  format: ExportFormat,
  source: Omit<ExportSource, 'unsupported'>,
): Promise<Result<Exported, string>> {
  const make = await format.load()
  const unsupported = await describeUnsupported(format, source)
  const made = await make({ ...source, unsupported })
  return made.ok ? ok({ ...made.value, leftOut: [...made.value.leftOut, ...unsupported] }) : made
}

/**
 * Describes the authored values of this brand that a format cannot contain, in one sentence for colours and one for
 * type styles.
 */
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

/** Type styles have `casing: none`, `responsive: false` and no features by default. */
function isAuthored(value: unknown): boolean {
  if (value === undefined || value === 'none' || value === false) return false
  return typeof value !== 'object' || value === null || Object.keys(value).length > 0
}

function sentence(noun: string, fields: readonly string[]): string[] {
  return fields.length === 0 ? [] : [`${fields.join(', ')} of ${noun}: the format has no place for them`]
}
