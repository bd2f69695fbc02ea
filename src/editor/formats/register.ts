import type { EditorField, Format } from './field.ts'
import { pageFormat } from './page-format.ts'
import { type RootKind, yamlFormat } from './yaml-format.ts'

/** The part of Sveltia CMS that registers formats. */
export type FormatRegistry = { registerCustomFormat: (name: string, extension: string, format: Format) => unknown }

/** The part of the configuration that formats depend on: collections of pages, or of single files. */
export type FormatConfig = {
  collections: readonly (FieldsOfFormat & { files?: readonly FieldsOfFormat[] })[]
}

type FieldsOfFormat = { format?: string; fields?: readonly EditorField[] }

/** Registers the formats of a configuration, each once. Projects have the same fields for a format. */
export function registerFormats(cms: FormatRegistry, config: FormatConfig): void {
  const fields = new Map<string, readonly EditorField[]>()
  for (const each of config.collections.flatMap(collection => [collection, ...(collection.files ?? [])]))
    if (each.format !== undefined && each.fields && !fields.has(each.format)) fields.set(each.format, each.fields)
  for (const [name, own] of fields) {
    const root = ROOTS.get(name)
    if (name === 'page') cms.registerCustomFormat(name, 'md', pageFormat(own))
    else if (root) cms.registerCustomFormat(name, 'yaml', yamlFormat(own, root))
  }
}

/** The roots of the YAML formats. */
const ROOTS: ReadonlyMap<string, RootKind> = new Map([
  ['colors', 'list'],
  ['types', 'list'],
  ['files', 'files'],
  ['project', 'mapping'],
  ['workspace', 'mapping'],
])
