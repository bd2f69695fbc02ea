/** The scopes of tokens, in the order of the operations that need them. */
export const SCOPES = [
  'settings.read',
  'projects.read',
  'data.read',
  'document.read',
  'styles.read',
  'files.read',
] as const

export type Scope = (typeof SCOPES)[number]

export function isScope(text: string): text is Scope {
  return SCOPES.some(scope => scope === text)
}

/** The path of the API, whose last segment names the version. */
export const API_PATH = '/beta'

/**
 * The API operations, all GET: the source of routes, scopes, the OpenAPI document and docs/api.md. Paths are relative
 * to `{base_url}`. `reply` names the schema of the 200 reply. A reply with `isFrozen` depends only on a snapshot, so
 * earlier revisions have it too.
 */
export const OPERATIONS = [
  {
    id: 'getWorkspace',
    tag: 'Workspace',
    path: '/workspace/{workspace}',
    scope: 'settings.read',
    reply: 'Workspace',
    isFrozen: false,
    summary: 'A workspace',
  },
  {
    id: 'listProjects',
    tag: 'Workspace',
    path: '/workspace/{workspace}/projects',
    scope: 'projects.read',
    reply: 'ProjectList',
    isFrozen: false,
    summary: 'The published projects of a workspace that the token may see, by name',
  },
  {
    id: 'getProject',
    tag: 'Project',
    path: '/workspace/{workspace}/project/{project}',
    scope: 'data.read',
    reply: 'Project',
    isFrozen: false,
    summary: 'A published project, its status and its dates',
  },
  {
    id: 'listPages',
    tag: 'Pages',
    path: '/workspace/{workspace}/project/{project}/pages',
    scope: 'document.read',
    reply: 'PageList',
    isFrozen: true,
    summary: 'The pages of a project, in reading order',
  },
  {
    id: 'getPage',
    tag: 'Pages',
    path: '/workspace/{workspace}/project/{project}/page/{page}',
    scope: 'document.read',
    reply: 'Page',
    isFrozen: true,
    summary: 'The content of a page as Markdown',
  },
  {
    id: 'getStyles',
    tag: 'Styles',
    path: '/workspace/{workspace}/project/{project}/styles',
    scope: 'styles.read',
    reply: 'Styles',
    isFrozen: true,
    summary: 'The colours and type styles of a project',
  },
  {
    id: 'listFiles',
    tag: 'Files',
    path: '/workspace/{workspace}/project/{project}/files',
    scope: 'files.read',
    reply: 'FileList',
    isFrozen: true,
    summary: 'The files of a project and where to download them',
  },
] as const satisfies readonly OperationRow[]

type OperationRow = {
  id: string
  tag: string
  path: string
  scope: Scope
  reply: string
  isFrozen: boolean
  summary: string
}

/** One of the seven operations. */
export type Operation = (typeof OPERATIONS)[number]

export type OperationId = Operation['id']

/** The path of a draft below the address of its project. No page has it, because page ids begin with a letter or digit. */
export const DRAFT_PATH = '/-/draft'

/** The path of the revisions of a guide, for people who manage it: below it are their numbers. */
export const REVISION_PATH = '/-/manage/revision'
