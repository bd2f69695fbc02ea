import { COLORS } from './colors.ts'
import { FILES } from './files.ts'
import { PROJECT, WORKSPACE } from './project.ts'
import { TYPES } from './types.ts'

const SCHEMAS = { workspace: WORKSPACE, project: PROJECT, colors: COLORS, types: TYPES, files: FILES }

/** The JSON Schema files for the YAML files of a brand folder, with matching names such as `colors.json`. */
export function schemaFiles(): { name: string; text: string }[] {
  return Object.entries(SCHEMAS).map(([name, schema]) => {
    const document = { $schema: 'http://json-schema.org/draft-07/schema#', ...schema }
    return { name: `${name}.json`, text: `${JSON.stringify(document, null, 2)}\n` }
  })
}
