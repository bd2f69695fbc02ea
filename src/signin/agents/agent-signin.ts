import { isStoredWorkspaceId } from '../../brand/ids.ts'
import { type Ids, OAUTH_FIELDS, POST, type Route } from '../../contract/route.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import type { SigninContext } from '../context.ts'
import type { Target } from './connection/resource.ts'
import { answerRevocation } from './revocation.ts'
import { AUTHORIZE_PATH, authorize } from './server/authorization-server.ts'

type AgentSigninRoute = Route<{ signin: SigninContext }>

/** The fields of pages on which people connect programs. */
const PAGE = { name: 'authorization', who: 'everyone', limit: 'address' } as const
const AUTHORIZE: Omit<AgentSigninRoute, 'pattern'> = {
  ...PAGE,
  methods: ['GET', 'OPTIONS'],
  answer: ({ signin }, request) => authorize(signin, request),
}
const CONSENT: Omit<AgentSigninRoute, 'pattern'> = { ...PAGE, methods: ['GET', 'HEAD', 'POST'], answer: consentReply }

/** The addresses of the sign-in of programs, except the token endpoint. */
export const AGENT_SIGNIN_ROUTES: readonly AgentSigninRoute[] = [
  {
    pattern: '/oauth/revoke',
    methods: POST,
    name: 'token',
    who: 'client',
    limit: 'failures',
    cors: { ...OAUTH_FIELDS, methods: 'POST' },
    answer: ({ signin }, request) => answerRevocation(signin, request),
  },
  { ...AUTHORIZE, pattern: AUTHORIZE_PATH },
  { ...AUTHORIZE, pattern: `${AUTHORIZE_PATH}/{id}` },
  { ...CONSENT, pattern: '/oauth/consent/{id}' },
  { ...CONSENT, pattern: '/{workspace}/{project}/-/consent/{id}' },
]

async function consentReply(
  { signin }: { signin: SigninContext },
  request: Request,
  { workspace, project, id: uid }: Ids,
): Promise<Reply> {
  await signin.authorizationServer()
  const { answerConsent } = await import('./consent/consent.ts')
  const place: Target = request.path.startsWith('/oauth/') ? chosenWorkspace(request) : { workspace, project }
  return answerConsent(signin, request, { uid, place })
}

function chosenWorkspace({ query }: Request): Target {
  const workspace = new URLSearchParams(query).get('workspace') ?? ''
  return isStoredWorkspaceId(workspace) ? { workspace } : {}
}
