import { isStoredWorkspaceId } from '../../brand/ids.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import { decodeSegments } from '../../exchange/target.ts'
import type { SigninContext } from '../context.ts'
import type { Target } from './connection/resource.ts'
import { answerRevocation } from './revocation.ts'
import { AUTHORIZE_PATH, authorize } from './server/authorization-server.ts'

/** Whether a path below the public URL belongs to the sign-in of programs. */
export function isAgentSigninPath(path: string): boolean {
  return path === AUTHORIZE_PATH || path === REVOKE_PATH || AUTHORIZATION.test(path) || CONSENT.test(path)
}

/** Answers the addresses of the sign-in of programs, except the token endpoint. */
export async function answerAgentSignin(context: SigninContext, request: Request): Promise<Reply> {
  const { path } = request
  if (path === REVOKE_PATH) return answerRevocation(context, request)
  if (path.startsWith(AUTHORIZE_PATH)) return authorize(context, request)
  await context.authorizationServer()
  const { answerConsent } = await import('./consent/consent.ts')
  const [workspace = '', project = ''] = decodeSegments(path) ?? []
  const place: Target = workspace === 'oauth' ? chosenWorkspace(request) : { workspace, project }
  return answerConsent(context, request, { uid: path.slice(path.lastIndexOf('/') + 1), place })
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
