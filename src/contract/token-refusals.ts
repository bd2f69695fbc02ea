import type { HeaderList, Reply } from '../exchange/message.ts'
import { json, NO_STORE } from '../exchange/reply.ts'

/** The reasons not to issue a token, by error code (RFC 6749 §5.2, RFC 8707 §2). */
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
      'The resource is not the workspace of the client: send one resource, {base_url}/workspace/{id} or {public-url}/workspace/{id}, or none.',
  },
  too_many_requests: {
    status: 429,
    description:
      'There were too many attempts with a wrong secret, or the client has 10,000 tokens that have not expired: wait as many seconds as the Retry-After field says, and use each token until it expires.',
  },
  temporarily_unavailable: {
    status: 503,
    description: 'The service cannot sign tokens at the moment: whoever runs it finds the reason in its log.',
  },
} as const satisfies Record<string, { status: number; description: string }>

/** How a client authenticates: every 401 says so (RFC 9110 §15.5.2), to clients that used the form as well. */
export const BASIC_CHALLENGE = 'Basic realm="housestyle", charset="UTF-8"'

export type TokenRefusalId = keyof typeof TOKEN_REFUSALS

/** The reply of the token endpoint to a request that it refuses. */
export function tokenRefusalReply(id: TokenRefusalId, publicUrl: string, headers: HeaderList = []): Reply {
  const { status, description } = TOKEN_REFUSALS[id]
  return tokenReply(
    status,
    { error: id, error_description: description, error_uri: `${publicUrl}/docs#${id}` },
    headers,
  )
}

/** A reply of the token endpoint, which nobody may cache (RFC 6749 §5.1). */
export function tokenReply(status: number, body: object, headers: HeaderList = []): Reply {
  return json(body, { status, caching: [...NO_STORE, 'Pragma', 'no-cache'], headers })
}
