import type { EditorField, Format } from './field.ts'
import { pageFormat } from './page-format.ts'
import { yamlFormat } from './yaml-format.ts'

/** The part of Sveltia CMS that registers formats. */
export type FormatRegistry = { registerCustomFormat: (name: string, extension: string, format: Format) => unknown }

/** The part of the configuration that formats depend on: collections of pages, or of single files. */
export type FormatConfig = { collections: readonly (FieldsOfFormat & { files?: readonly FieldsOfFormat[] })[] }
type FieldsOfFormat = { format?: string; fields?: readonly EditorField[] }

/** Registers the formats of a configuration, each once. Projects have the same fields for a format. */
export function registerFormats(cms: FormatRegistry, config: FormatConfig): void {
  const names = new Set<string>()
  for (const { format: name, fields } of config.collections.flatMap(each => [each, ...(each.files ?? [])])) {
    if (name === undefined || !fields || names.has(name)) continue
    names.add(name)
    if (name === 'page') cms.registerCustomFormat(name, 'md', pageFormat(fields))
    else cms.registerCustomFormat(name, 'yaml', yamlFormat(fields))
  }
}
