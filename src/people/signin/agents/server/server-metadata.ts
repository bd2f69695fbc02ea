import { SCOPES } from '#brand/contract/operations.ts'

/** The authorization server metadata (RFC 8414 §2). */
export function serverMetadata(issuer: string): object {
  const methods = ['none', 'private_key_jwt', 'client_secret_basic', 'client_secret_post']
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${issuer}/docs`,
  }
}

export const SIGNING_ALGORITHMS = ['ES256', 'EdDSA', 'PS256', 'RS256'] as const
