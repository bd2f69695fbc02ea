import { schemaFiles } from '../../../intake/schema/folder-schemas.ts'

/** The folder of the schemas within a brand folder. Imports ignore it. */
const FOLDER = '_schemas'

/**
 * Adds the JSON Schemas to the files of a new brand folder. Each YAML file begins with a line that names its schema for
 * `yaml-language-server`, which most editors use, so that editors complete and check offline.
 */
export function withSchemas(files: Readonly<Record<string, string>>): Record<string, string> {
  const schemas = schemaFiles()
  const names = new Set(schemas.map(({ name }) => name))
  const written = Object.entries(files).map(([path, text]) => {
    const schema = path.replace(/^.*\//, '').replace(/\.yaml$/, '.json')
    if (!path.endsWith('.yaml') || !names.has(schema)) return [path, text]
    const up = '../'.repeat(path.split('/').length - 1)
    return [path, `# yaml-language-server: $schema=${up}${FOLDER}/${schema}\n${text}`]
  })
  const added = schemas.map(({ name, text }) => [`${FOLDER}/${name}`, text])
  return Object.fromEntries([...written, ...added])
}
