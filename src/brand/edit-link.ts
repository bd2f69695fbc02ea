/**
 * The address for editing the files of a brand folder, with `{path}`; true: the address follows from the repository
 * that the folder is pulled from; `review`: the same, and the editor proposes changes instead of committing to the branch.
 */
export type EditSetting = string | true

/** The paths of a project's files in its brand folder. */
export type SourcePaths = {
  /** The folder of the project; empty for the brand folder itself. */
  folder: string
  /** The paths in the project of pages whose path does not follow from their id, by id. */
  pages: Readonly<Record<string, string>>
}

/** The edit links of a project: the address with `{path}`, the paths of its files, and whether changes are proposed. */
export type EditLinks = { template: string; isReviewed?: true } & SourcePaths

/** The value of `edit` for an editor that proposes changes. */
export const REVIEWED_EDIT = 'review'

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
  const whole = folder === '' ? path : `${folder}/${path}`
  const encoded = whole.split('/').map(encodeURIComponent).join('/')
  return template.replaceAll('{path}', () => encoded)
}

/** The collections of a project in the editor: the lists and settings in its YAML files, and its pages. */
export function editorCollections(project: string): { lists: string; pages: string } {
  return { lists: project, pages: `${project}_pages` }
}

/** The YAML files of a project, and the name of each in the editor. */
export const EDITED_FILES = {
  project: 'project.yaml',
  colors: 'styles/colors.yaml',
  types: 'styles/types.yaml',
  files: 'files/files.yaml',
} as const

/** The address of a file in the editor, below that of the service. The editor knows paths of pages, not ids. */
export function editorAddress(project: string, path: string): string {
  const { lists, pages } = editorCollections(project)
  const list = Object.entries(EDITED_FILES).find(([, file]) => file === path)
  const [collection, name] = list ? [lists, list[0]] : [pages, path.replace(/^pages\/|\.md$/g, '')]
  return `/-/edit/#/collections/${collection}/entries/${name.split('/').map(encodeURIComponent).join('/')}`
}
