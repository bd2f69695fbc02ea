import { isScope, SCOPES } from '../../../contract/operations.ts'

/**
 * Keeps the known parameters of an authorization request (RFC 6749 §3.1: others must be ignored). Known
 * scopes remain; a request without any asks for all. `prompt` only matters if it forbids to ask.
 */
export function knownParameters(query: string): string {
  const kept = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(query)) {
    if (KEPT.has(name)) kept.append(name, value)
    if (name === 'prompt' && value.split(' ').includes('none')) kept.append(name, 'none')
    if (name === 'scope') kept.append(name, value.split(' ').filter(isScope).join(' ') || ALL_SCOPES)
  }
  if (!kept.has('scope')) kept.append('scope', ALL_SCOPES)
  return kept.toString()
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
