/**
 * The address for editing the files of a brand folder, with `{path}`; true: the address follows from the repository
 * that the folder is pulled from.
 */
export type EditSetting = string | true

/** The paths of a project's files in its brand folder. */
export type SourcePaths = {
  /** The folder of the project; empty for the brand folder itself. */
  folder: string
  /** The paths in the project of pages whose path does not follow from their id, by id. */
  pages: Readonly<Record<string, string>>
}

/** The edit links of a project: the address with `{path}`, and the paths of its files. */
export type EditLinks = { template: string } & SourcePaths

/** Whether a string is an address with `{path}`. */
export function isEditTemplate(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && text.includes('{path}') && URL.canParse(text.replaceAll('{path}', 'x'))
}

/** The usual path of a page in its project. */
export function usualPagePath(id: string): string {
  return `pages/${id}.md`
}

export function pagePath({ pages }: Pick<SourcePaths, 'pages'>, id: string): string {
  return (Object.hasOwn(pages, id) ? pages[id] : undefined) ?? usualPagePath(id)
}

/** The address for editing a file of a project. */
export function editAddress(template: string, folder: string, path: string): string {
  const whole = [folder, path].filter(part => part !== '').join('/')
  const encoded = whole.split('/').map(encodeURIComponent).join('/')
  return template.replaceAll('{path}', () => encoded)
}

/** The YAML files of a project that people edit, and the name of each. */
export const EDITED_FILES = {
  project: 'project.yaml',
  colors: 'styles/colors.yaml',
  types: 'styles/types.yaml',
  files: 'files/files.yaml',
} as const
