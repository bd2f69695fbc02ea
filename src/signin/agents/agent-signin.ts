import { isStoredWorkspaceId } from '../../brand/ids.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import { decodeSegments } from '../../exchange/target.ts'
import type { Target } from './connection/resource.ts'
import type { ConsentParts } from './consent/consent.ts'
import { answerRevocation, type RevocationParts } from './revocation.ts'
import { AUTHORIZE_PATH, type AuthorizationServer } from './server/authorization-server.ts'
import type { ExchangeParts } from './token.ts'

/** The parts that let people's programs read for them. */
export type AgentSigninParts = ConsentParts & ExchangeParts & RevocationParts & { server: AuthorizationServer }

/** Whether a path below the public URL belongs to the sign-in of programs. */
export function isAgentSigninPath(path: string): boolean {
  return path === AUTHORIZE_PATH || path === REVOKE_PATH || AUTHORIZATION.test(path) || CONSENT.test(path)
}

/** Answers the addresses of the sign-in of programs, except the token endpoint. */
export async function answerAgentSignin(parts: AgentSigninParts, request: Request): Promise<Reply> {
  const { path } = request
  if (path === REVOKE_PATH) return answerRevocation(parts, request)
  if (path.startsWith(AUTHORIZE_PATH)) return parts.server.authorize(request)
  await parts.server.load()
  const { answerConsent } = await import('./consent/consent.ts')
  const [workspace = '', project = ''] = decodeSegments(path) ?? []
  const place: Target = workspace === 'oauth' ? chosenWorkspace(request) : { workspace, project }
  return answerConsent(parts, request, { uid: path.slice(path.lastIndexOf('/') + 1), place })
}

const REVOKE_PATH = '/oauth/revoke'
const AUTHORIZATION = /^\/oauth\/authorize\/[\w-]+$/
const CONSENT = /^\/(?:oauth|[^/]+\/[^/]+\/-)\/consent\/[\w-]+$/

/** Grant types of the token endpoint that belong to people's programs. */
export function isAgentGrant(grantType: string | undefined): boolean {
  return grantType === 'authorization_code' || grantType === 'refresh_token'
}

function chosenWorkspace({ query }: Request): Target {
  const workspace = new URLSearchParams(query).get('workspace') ?? ''
  return isStoredWorkspaceId(workspace) ? { workspace } : {}
}
