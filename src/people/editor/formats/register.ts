import type { EditorField, Format } from './field.ts'
import { mergedText, passagesOf } from '#publishing/git/edit/merge.ts'
import { pageFormat } from './page-format.ts'
import { yamlFormat } from './yaml-format.ts'

/** The part of Sveltia CMS that registers formats. */
export type FormatRegistry = { registerCustomFormat: (name: string, extension: string, format: Format) => unknown }

/** The part of the configuration that formats depend on: collections of pages, or of single files. */
export type FormatConfig = { collections: readonly (FieldsOfFormat & { files?: readonly FieldsOfFormat[] })[] }
type FieldsOfFormat = { format?: string; fields?: readonly EditorField[] }

/** Compares and merges versions of a file, for the dialogue about them. */
export const versions = { mergedText, passagesOf }

/** Registers the formats of a configuration, each once, and returns them by name. Projects have the same fields for a format. */
export function registerFormats(cms: FormatRegistry, config: FormatConfig): ReadonlyMap<string, Format> {
  const formats = new Map<string, Format>()
  for (const { format: name, fields } of config.collections.flatMap(each => [each, ...(each.files ?? [])])) {
    if (name === undefined || !fields || formats.has(name)) continue
    const format = name === 'page' ? pageFormat(fields) : yamlFormat(fields)
    formats.set(name, format)
    cms.registerCustomFormat(name, name === 'page' ? 'md' : 'yaml', format)
  }
  return formats
}
