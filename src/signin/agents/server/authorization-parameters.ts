import { SCOPES } from '../../../contract/operations.ts'

/**
 * Keeps the known parameters of an authorization request (RFC 6749 §3.1: others must be ignored). A request without a
 * scope asks for all. `prompt` only matters if it forbids to ask.
 */
export function knownParameters(query: string): string {
  const kept = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(query)) {
    if (KEPT.has(name)) kept.append(name, value)
    if (name === 'prompt' && value.split(' ').includes('none')) kept.append(name, 'none')
    if (name === 'scope') kept.append(name, contentScopes(value) || ALL_SCOPES)
  }
  if (!kept.has('scope')) kept.append('scope', ALL_SCOPES)
  return kept.toString()
}

/** Drops the scopes that are not about content, which many programs send to any server. */
export function contentScopes(scope: string): string {
  return scope
    .split(' ')
    .filter(name => !['', 'openid', 'offline_access'].includes(name))
    .join(' ')
}

const KEPT: ReadonlySet<string> = new Set([
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'redirect_uri',
  'resource',
  'response_type',
  'state',
])

const ALL_SCOPES = SCOPES.join(' ')
