import { readFileSync } from 'node:fs'
import { PRINT_KEYS } from '#brand/color.ts'

/** The files of a small guide to start from, keyed by path. The name has only letters, digits and spaces. */
export function starterFiles(name: string, id: string): Record<string, string> {
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

/** A file of `templates` with its placeholders, such as `{name}`, filled in. */
function template(path: string, name: string, id: string): string {
  const text = readFileSync(new URL(`templates/${path}`, import.meta.url), 'utf8')
  return text.replaceAll('{name}', name).replaceAll('{id}', id).replaceAll('{printKeys}', PRINT_KEYS.join(', '))
}
