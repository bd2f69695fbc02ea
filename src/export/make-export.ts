import { ok, type Result } from '../base/result.ts'
import { inSteps } from '../base/steps.ts'
import type { Exported, ExportFormat, ExportSource } from './format.ts'
import { ALL_COLOR_FIELDS, ALL_TYPE_FIELDS } from './style-fields.ts'

/** Makes an export. Values of the brand that the format has no place for are among what was left out. */
export async function makeExport(
  format: ExportFormat,
  source: Omit<ExportSource, 'unsupported'>,
): Promise<Result<Exported, string>> {
  const make = await format.load()
  const unsupported = await describeUnsupported(format, source)
  const made = await make({ ...source, unsupported })
  return made.ok ? ok({ ...made.value, leftOut: [...made.value.leftOut, ...unsupported] }) : made
}

/** The authored values of this brand that a format cannot say, a sentence for colours and one for type styles. */
async function describeUnsupported(
  { fields }: ExportFormat,
  { publication }: Pick<ExportSource, 'publication'>,
): Promise<string[]> {
  const { colors, types } = publication.content
  return [
    ...sentence('colours', await writtenIn(await colors(), ALL_COLOR_FIELDS, fields.colors)),
    ...sentence('type styles', await writtenIn(await types(), ALL_TYPE_FIELDS, fields.types)),
  ]
}

/** The fields that any style has and that are not said. A format that says nothing of such styles is not about them. */
async function writtenIn<Field extends string>(
  styles: readonly Partial<Record<Field, unknown>>[],
  fields: readonly Field[],
  said: readonly string[],
): Promise<Field[]> {
  if (said.length === 0) return []
  const unsupported = fields.filter(field => field !== 'name' && !said.includes(field))
  const written = new Set<Field>()
  await inSteps(styles, style => {
    for (const field of unsupported) if (isWritten(style[field])) written.add(field)
  })
  return unsupported.filter(field => written.has(field))
}

/** Type styles have `casing: none`, `responsive: false` and no features if nothing was written. */
function isWritten(value: unknown): boolean {
  if (value === undefined || value === 'none' || value === false) return false
  return typeof value !== 'object' || value === null || Object.keys(value).length > 0
}

function sentence(noun: string, fields: readonly string[]): string[] {
  return fields.length === 0 ? [] : [`${fields.join(', ')} of ${noun}: the format has no place for them`]
}
