import type { HeaderList, Reply } from '../exchange/message.ts'
import { json, NO_STORE } from '../exchange/reply.ts'

/** The reasons not to issue a token, by error code (RFC 6749 §5.2, RFC 8707 §2). */
export const TOKEN_REFUSALS = {
  invalid_request: {
    status: 400,
    description:
      'The request is malformed. Send a POST with content type application/x-www-form-urlencoded, each parameter only once, and the client secret in only one way.',
  },
  invalid_client: {
    status: 401,
    description:
      'The client is unknown or its secret is wrong. Send client_id and client_secret, in the form or as HTTP Basic.',
  },
  invalid_grant: {
    status: 400,
    description:
      'The code or the refresh token is unknown, expired or already used, or the person no longer has access. Ask the person to connect the program again.',
  },
  unsupported_grant_type: {
    status: 400,
    description:
      'The grant type is not supported. Send grant_type=client_credentials, or for a person authorization_code or refresh_token.',
  },
  invalid_scope: {
    status: 400,
    description:
      'A scope is unknown, or the client does not have it. Request only scopes of the client, or omit scope to get all of them.',
  },
  invalid_target: {
    status: 400,
    description:
      'The resource is not the workspace of the client. Send one resource, {base_url}/workspace/{id}, {public-url}/workspace/{id} or {public-url}/mcp, or none.',
  },
  too_many_requests: {
    status: 429,
    description:
      'There were too many attempts with a wrong secret, or the client has 10,000 unexpired tokens. Wait for the number of seconds in the Retry-After field, and use each token until it expires.',
  },
  temporarily_unavailable: {
    status: 503,
    description: 'The service cannot sign tokens at the moment. Its operator finds the reason in the log.',
  },
} as const satisfies Record<string, { status: number; description: string }>

/** The challenge of every 401 reply (RFC 9110 §15.5.2), also to clients that sent the form. */
export const BASIC_CHALLENGE = 'Basic realm="housestyle", charset="UTF-8"'

export type TokenRefusalId = keyof typeof TOKEN_REFUSALS

/** Makes the error reply of the token endpoint. */
export function tokenRefusalReply(id: TokenRefusalId, publicUrl: string, headers: HeaderList = []): Reply {
  const { status, description } = TOKEN_REFUSALS[id]
  return tokenReply(
    status,
    { error: id, error_description: description, error_uri: `${publicUrl}/docs#${id}` },
    headers,
  )
}

/** Makes a reply of the token endpoint. It must not be cached (RFC 6749 §5.1). */
export function tokenReply(status: number, body: object, headers: HeaderList = []): Reply {
  return json(body, { status, caching: [...NO_STORE, 'Pragma', 'no-cache'], headers })
}
