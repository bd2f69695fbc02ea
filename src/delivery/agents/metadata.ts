import { addressOn } from '#brand/contract/place.ts'
import type { Refusal } from '#brand/contract/refusals.ts'
import { isProjectId, isStoredWorkspaceId, type ProjectRef } from '#brand/ids.ts'
import type { Place } from '#platform/exchange/message.ts'
import type { ServiceContext } from '#serving/access/service-context.ts'
import { isOpen } from '#serving/pointers/workspace-state.ts'
import { guideName } from '#serving/publications/publications.ts'
import { TOOLS } from './tools/tools.ts'

/** The path of the endpoint for tokens, and below the address of a guide. */
export const AGENTS_PATH = '/mcp'

/** The path of the protected resource metadata (RFC 9728 §3.1), also below the path of a public URL. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The path of an address for agents, or of its metadata, with a slash at its end. */
export const AGENTS_WITH_SLASH = new RegExp(`^(?:${METADATA_PATH})?(?:/[^/]+/[^/]+/-)?${AGENTS_PATH}/$`)

const SCOPES = [...new Set(TOOLS.map(({ scope }) => scope))]

/** The path of the endpoint of a guide, which may not exist; undefined if there cannot be such a guide. */
export function guideAgentsPath({ workspace, project }: ProjectRef): string | undefined {
  return isStoredWorkspaceId(workspace) && isProjectId(project) ? `/${workspace}/${project}/-${AGENTS_PATH}` : undefined
}

/** The metadata of the endpoint of a guide at a host; undefined if there cannot be such a guide. Only public ones are named. */
export async function guideMetadata(
  { access: { publicUrl }, pointers, openPublication }: ServiceContext,
  ref: ProjectRef,
  place: Place | undefined,
): Promise<object | undefined> {
  const path = guideAgentsPath(ref)
  if (path === undefined) return undefined
  const { sound = [], name: workspace = '' } = (await pointers.openWorkspace(ref.workspace)) ?? {}
  const publication = openPublication(sound.find(record => record.project === ref.project && isOpen(record)))
  return resourceMetadata(
    publicUrl,
    addressOn(publicUrl, place, path),
    publication && guideName({ publication, workspace }),
  )
}

/** The protected resource metadata (RFC 9728 §2) of the endpoint at this address. */
export function resourceMetadata(publicUrl: string, resource = publicUrl + AGENTS_PATH, name = 'Housestyle'): object {
  return {
    resource,
    resource_name: name,
    authorization_servers: [publicUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${publicUrl}/docs`,
  }
}

/**
 * Adds the address of the metadata below a public URL or a host to a refusal that asks for a token (`WWW-Authenticate`
 * first), and for a missing or invalid token the scopes and the way to send one.
 */
export function withMetadata(refusal: Refusal, publicUrl: string, path = AGENTS_PATH): Refusal {
  // Header fields are a list of names and values in turn.
  const [name = '', challenge = '', ...others] = refusal.headers
  if (name !== 'WWW-Authenticate') return refusal
  const scope = challenge.includes('scope=') ? '' : `, scope="${SCOPES.join(' ')}"`
  const metadata = `, resource_metadata="${publicUrl}${METADATA_PATH}${path}"`
  const isScope = refusal.id === 'insufficient-scope'
  return {
    ...refusal,
    description: isScope ? refusal.description : `${refusal.description} ${ADVICE}`,
    headers: [name, `${challenge}${scope}${metadata}`, ...others],
  }
}

const ADVICE =
  'An MCP client gets one by signing its user in; elsewhere, configure this header. Public guides answer without a token at {guide url}/-/mcp.'
