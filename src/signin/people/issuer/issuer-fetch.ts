import type { CustomFetch } from 'openid-client'
import { field } from '../../../base/object.ts'
import type { OutgoingFetch } from '../../../outgoing/outgoing-fetch.ts'

/**
 * Makes the fetch of the library. An error reply loses the secrets of its request, such as a code or the secret of the
 * client, so that no message or log line can repeat them.
 */
export function issuerFetch(fetch: OutgoingFetch): CustomFetch {
  return async (address, { method, headers, redirect, body, signal }) => {
    const response = await fetch(address, { method, headers, redirect, body, signal })
    return response.status < 400 ? response : withoutSecrets(response, secretsIn(headers, body))
  }
}

/** The values of a request that only this service and the issuer may know. */
function secretsIn({ authorization = '' }: Record<string, string>, body: unknown): string[] {
  const [scheme = '', credentials = ''] = authorization.split(' ', 2)
  const isBasic = scheme.toLowerCase() === 'basic'
  const [, password = ''] = isBasic ? Buffer.from(credentials, 'base64').toString('utf8').split(/:(.*)/s) : []
  const form = body instanceof URLSearchParams ? body : new URLSearchParams()
  const secrets = [credentials, password, decodeForm(password), ...SECRETS.flatMap(name => form.getAll(name))]
  return secrets.filter(secret => secret !== '').toSorted((a, b) => b.length - a.length)
}

const SECRETS = ['client_secret', 'code', 'code_verifier', 'refresh_token']

/** The library sends the secret of a client form-encoded (RFC 6749 §2.3.1). */
function decodeForm(text: string): string {
  return new URLSearchParams(`secret=${text}`).get('secret') ?? ''
}

async function withoutSecrets(response: Response, secrets: readonly string[]): Promise<Response> {
  const clean = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, '...'), text)
  const body = response.body ? clean(await response.text()) : null
  const headers = new Headers()
  for (const [name, value] of response.headers)
    if (name !== 'www-authenticate' || IS_BEARER.test(value) || !hasReason(body)) headers.append(name, clean(value))
  return new Response(body, { status: response.status, headers })
}

/** The library reads the reason of a refused client from the body only if there is no challenge. */
function hasReason(body: string | null): boolean {
  try {
    return typeof field(JSON.parse(body ?? ''), 'error') === 'string'
  } catch {
    return false
  }
}

const IS_BEARER = /^\s*bearer\b/i
