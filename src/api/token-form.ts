import { failed, ok, type Result } from '../base/result.ts'
import type { Request } from '../exchange/message.ts'

/** The reason for refusing a form: a code of RFC 6749 §5.2, or its size. */
export type FormProblem = 'invalid_request' | 'invalid_client' | 'too_large'

/** A client's id and secret. */
type ClientCredentials = { clientId: string; clientSecret: string }

/** The content of a token request. */
export type TokenForm = ClientCredentials & {
  grantType: string
  scope: string | undefined
  resources: readonly string[]
}

/**
 * Reads a token request form: credentials in the form or as HTTP Basic (RFC 6749 §2.3.1), never both; no repeated
 * parameter except `resource` (RFC 6749 §3.2, RFC 8707 §2), none in the query. A request without a client is
 * `invalid_client`; a form of more than 8 KiB is `too_large`; any other error is `invalid_request`. Because anyone may
 * send a form, its size and number of parameters are checked before parsing.
 */
export function readForm(request: Request): Result<TokenForm, FormProblem> {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type))
    return failed('invalid_request')
  const body = request.body ?? new Uint8Array()
  if (body.length > MAX_BYTES) return failed('too_large')
  if (countBytes(body, AMPERSAND) >= MAX_PARAMETERS) return failed('invalid_request')
  const form = new URLSearchParams(Buffer.from(body).toString('utf8'))
  const names = [...form.keys()].filter(name => name !== 'resource')
  if (new Set(names).size !== names.length || request.query !== '') return failed('invalid_request')
  const credentials = readCredentials(request, form)
  if (!credentials.ok) return credentials
  const grantType = present(form, 'grant_type')
  if (grantType === undefined) return failed('invalid_request')
  const resources = form.getAll('resource').filter(resource => resource !== '')
  return ok({ ...credentials.value, grantType, scope: present(form, 'scope'), resources })
}

const MAX_BYTES = 8192
const MAX_PARAMETERS = 32
const AMPERSAND = 0x26

function countBytes(bytes: Uint8Array, wanted: number): number {
  let count = 0
  for (const byte of bytes) if (byte === wanted) count++
  return count
}

/** The id and the secret of a client in a form or as HTTP Basic. */
export function readCredentials(request: Request, form: URLSearchParams): Result<ClientCredentials, FormProblem> {
  const clientId = present(form, 'client_id')
  const clientSecret = present(form, 'client_secret')
  const authorization = request.headers.authorization
  if (authorization === undefined)
    return clientId === undefined ? failed('invalid_client') : ok({ clientId, clientSecret: clientSecret ?? '' })
  if (request.authorizations > 1 || clientSecret !== undefined) return failed('invalid_request')
  const basic = readBasic(authorization)
  if (!basic) return failed('invalid_client')
  return clientId === undefined || clientId === basic.clientId ? ok(basic) : failed('invalid_request')
}

/** Decodes the id and the secret, which are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(authorization: string): ClientCredentials | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 1) return undefined
  const [clientId, clientSecret] = [pair.slice(0, colon), pair.slice(colon + 1)].map(formDecode)
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** A parameter without a value counts as absent (RFC 6749 §3.2). */
function present(form: URLSearchParams, name: string): string | undefined {
  return form.get(name) || undefined
}

/** The grant type of a token request, without checking the rest of it. */
export function grantTypeOf({ method, body }: Request): string | undefined {
  if (method !== 'POST' || !body || body.length > MAX_BYTES) return undefined
  return new URLSearchParams(Buffer.from(body).toString('utf8')).get('grant_type') ?? undefined
}
