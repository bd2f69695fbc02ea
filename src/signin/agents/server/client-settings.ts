import { type Configuration, errors, Provider } from 'oidc-provider'
import type { SigninContext } from '../../context.ts'
import { MAX_DOCUMENT_BYTES, withKnownFields } from './client-document.ts'
import { SIGNING_ALGORITHMS } from './server-metadata.ts'

/** The settings about programs: they have no secrets, and may sign assertions with keys that their document names. */
export function clientSettings({ fetchUntrusted, mayFetch }: SigninContext): Partial<Configuration> {
  return {
    clientAuthMethods: ['none', 'private_key_jwt'],
    clientDefaults: {
      // Allows any port of this machine, schemes of programs, and otherwise only https.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    enabledJWA: { clientAuthSigningAlgValues: SIGNING_ALGORITHMS },
    fetch: async (address, init) => {
      // The consent page has no context: its authorization has been counted before.
      const asking = Provider.ctx?.ip
      if (asking !== undefined && !mayFetch(asking)) throw new Error('too many requests from one network in a minute')
      return withKnownFields(String(address), await fetchUntrusted(address, init))
    },
    fetchResponseBodyLimits: {
      'client_id metadata document': MAX_DOCUMENT_BYTES,
      jwks_uri: MAX_DOCUMENT_BYTES,
      sector_identifier_uri: 0,
    },
    // The store remembers an assertion until it expires.
    assertJwtClientAuthClaimsAndHeader: async (_context, { exp }) => {
      if (typeof exp !== 'number' || exp > Date.now() / 1000 + MAX_ASSERTION_SECONDS)
        throw new errors.InvalidClientAuth('the assertion is valid for more than an hour')
    },
  }
}

const MAX_ASSERTION_SECONDS = 3600
