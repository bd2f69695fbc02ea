import type { HeaderList, Reply } from '../exchange/message.ts'
import { json, NO_STORE } from '../exchange/reply.ts'

/** Every reason not to give a token (RFC 6749 §5.2, RFC 8707 §2): code, status and what to do. */
export const TOKEN_REFUSALS = {
  invalid_request: {
    status: 400,
    description:
      'The request is malformed: send a POST with content type application/x-www-form-urlencoded and each parameter once, and the client secret in one way only.',
  },
  invalid_client: {
    status: 401,
    description:
      'The client is unknown or its secret is wrong: send client_id and client_secret, as a form or as HTTP Basic.',
  },
  unsupported_grant_type: {
    status: 400,
    description: 'The grant type is not supported: send grant_type=client_credentials.',
  },
  invalid_scope: {
    status: 400,
    description:
      'The scope is unknown or more than the client has: ask for a part of what the client was made with, or for none.',
  },
  invalid_target: {
    status: 400,
    description:
      'The resource is not the workspace of the client: send one resource, {base_url}/workspace/{workspace-id}, or none.',
  },
  too_many_requests: {
    status: 429,
    description:
      'There were too many attempts with a wrong secret: wait as many seconds as the Retry-After field says.',
  },
  temporarily_unavailable: {
    status: 503,
    description: 'The service cannot sign tokens at the moment: whoever runs it finds the reason in its log.',
  },
} as const satisfies Record<string, { status: number; description: string }>

/** Why no token is given. */
export type TokenRefusalId = keyof typeof TOKEN_REFUSALS

/** The reply of the token endpoint to a request that it refuses; never stored (RFC 6749 §5.1). */
export function tokenRefusalReply(id: TokenRefusalId, publicUrl: string, headers: HeaderList = []): Reply {
  const { status, description } = TOKEN_REFUSALS[id]
  return tokenReply(
    status,
    { error: id, error_description: description, error_uri: `${publicUrl}/docs#${id}` },
    headers,
  )
}

/** A reply of the token endpoint. */
export function tokenReply(status: number, body: object, headers: HeaderList = []): Reply {
  return json(body, { status, caching: [...NO_STORE, 'Pragma', 'no-cache'], headers })
}
