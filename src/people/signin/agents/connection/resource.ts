import { API_PATH } from '#brand/contract/operations.ts'
import { isProjectId, isStoredWorkspaceId } from '#brand/ids.ts'
import { AGENTS_PATH } from '#delivery/agents/metadata.ts'
import { canonicalOrigin } from '#platform/base/server-url.ts'
import { groupsOf } from '#platform/base/text.ts'

/** The content that a program asks for: a guide, a workspace, or what the person chooses. None of it may exist. */
export type Target = { workspace?: string; project?: string }

/** The resource of a program that names none: the address for agents. */
export function defaultResource(publicUrl: string): string {
  return publicUrl + AGENTS_PATH
}

/** A resource indicator as the service names it: with the host in lower case; an address for agents has no slash at its end. */
export function canonicalResource(resource: string): string {
  return canonicalOrigin(resource).replace(/(\/mcp)\/$/, '$1')
}

/** Reads a resource indicator (RFC 8707): an address for agents, or a workspace of the API. */
export function readResource(pathOf: (address: string) => string | undefined, resource: string): Target | undefined {
  const path = pathOf(resource)
  if (path === undefined) return undefined
  if (path === AGENTS_PATH) return {}
  const [, apiWorkspace = ''] = groupsOf(new RegExp(`^(?:${API_PATH})?/workspace/([^/]+)$`), path)
  if (isStoredWorkspaceId(apiWorkspace)) return { workspace: apiWorkspace }
  const [, workspace = '', project = ''] = groupsOf(/^\/([^/]+)\/([^/]+)\/-\/mcp$/, path)
  return isStoredWorkspaceId(workspace) && isProjectId(project) ? { workspace, project } : undefined
}

/** The path of the consent page, below the guide if there is one, where the browser sends the cookie of its share link. */
export function consentPath({ workspace, project }: Target, uid: string): string {
  if (project !== undefined) return `/${workspace}/${project}/-/consent/${uid}`
  return `/oauth/consent/${uid}${workspace === undefined ? '' : `?workspace=${workspace}`}`
}

/** Whether a place is in the target, or the target itself: a target that names no project has all of its workspace. */
export function isWithin(place: Target, target: Target): boolean {
  const isSame = (key: keyof Target) => target[key] === undefined || target[key] === place[key]
  return isSame('workspace') && isSame('project')
}

/** Drops the scopes that are not about content, which many programs send to any server. */
export function contentScopes(scope: string): string {
  return scope
    .split(' ')
    .filter(name => !['', 'openid', 'offline_access'].includes(name))
    .join(' ')
}
