import type { Refusal } from '../contract/refusals.ts'
import { TOOLS } from './tools/tools.ts'

/** The path of the endpoint for tokens, and below the address of a guide. */
export const AGENTS_PATH = '/mcp'

/** The path of the protected resource metadata (RFC 9728 §3.1), also below the path of a public URL. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'

const SCOPES = [...new Set(TOOLS.map(({ scope }) => scope))]

/**
 * The protected resource metadata (RFC 9728 §2). It names no authorization server, because people cannot sign in: a
 * client that found one would begin a flow that cannot end.
 */
export function resourceMetadata(publicUrl: string): object {
  return {
    resource: publicUrl + AGENTS_PATH,
    resource_name: 'Housestyle',
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${publicUrl}/docs`,
  }
}

/** Adds the address of the metadata, and for a missing or invalid token the scopes and the way to send one. */
export function withMetadata(refusal: Refusal, publicUrl: string): Refusal {
  const [name = '', challenge = '', ...others] = refusal.headers
  if (name !== 'WWW-Authenticate') return refusal
  const scope = challenge.includes('scope=') ? '' : `, scope="${SCOPES.join(' ')}"`
  const metadata = `, resource_metadata="${publicUrl}${METADATA_PATH}${AGENTS_PATH}"`
  const isScope = refusal.id === 'insufficient-scope'
  return {
    ...refusal,
    description: isScope ? refusal.description : `${refusal.description} ${ADVICE}`,
    headers: [name, `${challenge}${scope}${metadata}`, ...others],
  }
}

const ADVICE =
  'In an MCP client, configure this header: use a bearer header, not sign-in, which this service does not offer. Public guides answer without a token at {guide url}/-/mcp.'
