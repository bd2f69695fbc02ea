import { readFileSync } from 'node:fs'
import { withoutUndefined } from '../../../base/object.ts'
import { PRINT_KEYS } from '../../../brand/color.ts'
import type { GuideStyles } from '../../../conversion/guide-styles.ts'
import { schemaFiles } from '../../../intake/schema/folder-schemas.ts'
import { CommandFailure } from '../../failure.ts'
import { byteSize } from '../../output/text.ts'

/** The files of a small brand folder to start from, keyed by path. The id is that of its workspace and project. */
export function starterFiles(name: string, id: string): Readonly<Record<string, string>> {
  return Object.fromEntries(STARTER.map(path => [path, template(`starter/${path}`, name, id)]))
}

const STARTER = [
  'workspace.yaml',
  'project.yaml',
  'pages/index.md',
  'pages/logo.md',
  'pages/color.md',
  'styles/colors.yaml',
  'styles/types.yaml',
  'files/files.yaml',
  'files/images/mark.svg',
  'files/images/mark-white.svg',
]

/** A file of `templates`, with values in place of `{name}` and others. The name has only letters, digits and spaces. */
function template(path: string, name: string, id: string): string {
  const text = readFileSync(new URL(`templates/${path}`, import.meta.url), 'utf8')
  return text.replaceAll('{name}', name).replaceAll('{id}', id).replaceAll('{printKeys}', PRINT_KEYS.join(', '))
}

/** The files of a brand folder with these styles, keyed by path. Fails if a styles file would be too large. */
export async function styledFiles(
  name: string,
  id: string,
  { colors, types }: GuideStyles,
): Promise<Readonly<Record<string, string>>> {
  const { colorsYaml, typesYaml } = await import('../../../conversion/style-files.ts')
  const links = [
    ...(colors.length > 0 ? ['- [Colours](../styles/colors.yaml)\n'] : []),
    ...(types.length > 0 ? ['- [Type](../styles/types.yaml)\n'] : []),
  ]
  const files = withoutUndefined({
    'workspace.yaml': template('starter/workspace.yaml', name, id),
    'project.yaml': template('styled/project.yaml', name, id),
    'pages/index.md': template('styled/pages/index.md', name, id) + links.join(''),
    'styles/colors.yaml': colors.length > 0 ? ABOUT_COLORS + colorsYaml(colors) : undefined,
    'styles/types.yaml': types.length > 0 ? ABOUT_TYPES + typesYaml(types) : undefined,
  })
  for (const [path, content] of Object.entries(files)) {
    const size = Buffer.byteLength(content)
    if (size <= MAX_BYTES) continue
    const message = `${path} would have ${byteSize(size)}, and may have ${byteSize(MAX_BYTES)}; take styles from a smaller file`
    throw new CommandFailure('source_unreadable', message)
  }
  return files
}

/** The size limit of a styles file, without the line that names its schema. */
const MAX_BYTES = (4 << 20) - 100

const ABOUT_COLORS = `# name, and hex or rgb. Print values (${PRINT_KEYS.join(', ')}) are optional and never computed.
# use: what a colour is for. group: its heading on the website. on: the backgrounds it may be used on.
`
const ABOUT_TYPES = `# size in px, leading as a multiple of size, tracking and spacing in em.
# family: the family of a font under files/. weight: 1 to 1000, or a name as SemiBold.
`

/** The folder of the schemas within a brand folder. Imports ignore it. */
const FOLDER = '_schemas'

/** Adds the JSON Schemas, and to each YAML file a line for `yaml-language-server`, which most editors use. */
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
