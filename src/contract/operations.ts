/** The scopes that tokens carry, in the order of the operations that need them. */
export const SCOPES = [
  'settings.read',
  'projects.read',
  'data.read',
  'document.read',
  'styles.read',
  'files.read',
] as const

/** What a token must carry for an operation. */
export type Scope = (typeof SCOPES)[number]

/** Whether a text is a scope. */
export function isScope(text: string): text is Scope {
  return SCOPES.some(scope => scope === text)
}

/** The path below which the API stands: the last segment of `{base_url}`, which names the version. */
export const API_PATH = '/beta'

/**
 * The operations of the API, all GET: the one source of routes, scopes, the OpenAPI document and docs/api.md.
 * Paths stand below `{base_url}`; `reply` names the schema of the 200 reply. A reply that `isFrozen` is made from a
 * snapshot alone, so that earlier revisions have it too.
 */
export const OPERATIONS = [
  {
    id: 'getWorkspace',
    path: '/workspace/{workspace-id}',
    scope: 'settings.read',
    reply: 'Workspace',
    isFrozen: false,
    summary: 'A workspace',
  },
  {
    id: 'listProjects',
    path: '/workspace/{workspace-id}/projects',
    scope: 'projects.read',
    reply: 'ProjectList',
    isFrozen: false,
    summary: 'The published projects of a workspace that the token may see, by name',
  },
  {
    id: 'getProject',
    path: '/workspace/{workspace-id}/project/{project-id}',
    scope: 'data.read',
    reply: 'Project',
    isFrozen: false,
    summary: 'A published project, its status and its dates',
  },
  {
    id: 'listPages',
    path: '/workspace/{workspace-id}/project/{project-id}/pages',
    scope: 'document.read',
    reply: 'PageList',
    isFrozen: true,
    summary: 'The pages of a project, in reading order',
  },
  {
    id: 'getPage',
    path: '/workspace/{workspace-id}/project/{project-id}/page/{page-id}',
    scope: 'document.read',
    reply: 'Page',
    isFrozen: true,
    summary: 'The content of a page as Markdown',
  },
  {
    id: 'getStyles',
    path: '/workspace/{workspace-id}/project/{project-id}/styles',
    scope: 'styles.read',
    reply: 'Styles',
    isFrozen: true,
    summary: 'The colours and type styles of a project',
  },
  {
    id: 'listFiles',
    path: '/workspace/{workspace-id}/project/{project-id}/files',
    scope: 'files.read',
    reply: 'FileList',
    isFrozen: true,
    summary: 'The files of a project and where to download them',
  },
] as const satisfies readonly OperationRow[]

type OperationRow = { id: string; path: string; scope: Scope; reply: string; isFrozen: boolean; summary: string }

/** One of the seven operations. */
export type Operation = (typeof OPERATIONS)[number]

/** The name of an operation. */
export type OperationId = Operation['id']

/** An operation together with what its path gave, decoded. */
export type Call = {
  operation: Operation
  workspace: string
  project: string
  page: string
  /** The number of the revision that is asked for; absent: the current one. */
  revision?: number
}
