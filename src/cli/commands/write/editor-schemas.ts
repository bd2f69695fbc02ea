import { schemaFiles } from '../../../intake/schema/folder-schemas.ts'

/** The folder of the schemas within a brand folder, which no reader looks into. */
const FOLDER = '_schemas'

/**
 * The files of a new brand folder with the JSON Schemas of its YAML files, each of which begins with a line that leads
 * an editor to its schema (`yaml-language-server`, which the editors share). So they complete and check without a
 * network.
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
