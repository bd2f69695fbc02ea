/** Types for the parts of the package that tests use; it has none. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  type ResourceServer = {
    scope: string
    audience: string
    accessTokenFormat: 'jwt'
    accessTokenTTL: number
    jwt: { sign: { alg: string } }
  }

  export class Provider {
    constructor(
      issuer: string,
      configuration: {
        clients: readonly object[]
        jwks: { keys: readonly object[] }
        features: {
          devInteractions: { enabled: boolean }
          clientCredentials: { enabled: boolean }
          resourceIndicators: {
            enabled: boolean
            defaultResource: () => string
            getResourceServerInfo: () => ResourceServer
          }
        }
        scopes: readonly string[]
      },
    )
    callback: () => RequestListener
  }
}
