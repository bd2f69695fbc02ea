/** Types for the parts of the package that the service and the tests use; it has none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  /** A stored model, as JSON. Times are in seconds since 1970. */
  export type ModelPayload = {
    jti?: string
    grantId?: string
    exp?: number
    consumed?: number
    [name: string]: unknown
  }

  export type Adapter = {
    upsert: (id: string, payload: ModelPayload, expiresIn: number) => Promise<void>
    find: (id: string) => Promise<ModelPayload | undefined>
    findByUid: (uid: string) => Promise<ModelPayload | undefined>
    findByUserCode: (userCode: string) => Promise<ModelPayload | undefined>
    consume: (id: string) => Promise<void>
    destroy: (id: string) => Promise<void>
    revokeByGrantId: (grantId: string) => Promise<void>
  }

  /** The metadata of a client (RFC 7591 §2). */
  export type ClientMetadata = {
    client_id: string
    client_name?: string
    redirect_uris: readonly string[]
    grant_types?: readonly string[]
    response_types?: readonly string[]
    token_endpoint_auth_method?: string
  }

  export type Client = {
    clientId: string
    clientName?: string
    redirectUris: readonly string[]
    grantTypeAllowed: (grantType: string) => boolean
  }

  export type Interaction = {
    uid: string
    /** Seconds since 1970. */
    exp: number
    params: {
      client_id: string
      redirect_uri: string
      resource?: string | readonly string[]
      scope?: string
    }
    returnTo: string
    /** Set once the person has decided. */
    result?: object
  }

  export type Grant = {
    jti: string
    /** Seconds since 1970. */
    exp: number
    addResourceScope: (resource: string, scope: string) => void
    save: () => Promise<string>
  }

  export type AccessToken = { grantId: string; scope: string; aud: string; clientId: string }

  export type Exchange = {
    req: IncomingMessage
    ip: string
    status: number
    body: unknown
    mountPath?: string
    oidc: {
      client?: Client
      params: { resource?: string | readonly string[]; scope?: string; client_id?: string }
      result?: { consent?: object }
      entities: { Account?: object; Grant?: Grant; AccessToken?: AccessToken }
    }
  }

  type ErrorReply = { error: string; error_description?: string }

  type ResourceServer = {
    scope: string
    audience: string
    accessTokenFormat: 'jwt' | 'opaque'
    accessTokenTTL: number
    jwt?: { sign: { alg: string } }
  }

  type Switch = { enabled: boolean }

  export type Configuration = {
    adapter?: (kind: string) => Adapter
    clients?: readonly object[]
    assertJwtClientAuthClaimsAndHeader?: (context: Exchange, claims: { exp?: number }) => Promise<void>
    clientAuthMethods?: readonly string[]
    clientDefaults?: object
    cookies?: {
      keys: readonly string[]
      names: { session: string; interaction: string; resume: string }
      short: { path: string; httpOnly: boolean; sameSite: 'lax' }
      long: { path: string; httpOnly: boolean; sameSite: 'lax' }
    }
    enabledJWA?: { clientAuthSigningAlgValues: readonly string[] }
    expiresWithSession?: () => Promise<boolean>
    features: {
      clientCredentials?: Switch
      clientIdMetadataDocument?: Switch & {
        ack: string
        allowClient: (context: Exchange | undefined, client: Client) => Promise<boolean>
        cacheDuration: { min: number; max: number }
      }
      devInteractions: Switch
      pushedAuthorizationRequests?: Switch
      resourceIndicators: Switch & {
        defaultResource: () => string | Promise<string>
        getResourceServerInfo: (context: Exchange, resource: string) => ResourceServer | Promise<ResourceServer>
        useGrantedResource?: () => Promise<boolean>
      }
      revocation?: Switch & {
        allowedPolicy: (context: Exchange, client: Client, token: { clientId: string }) => Promise<boolean>
      }
      rpInitiatedLogout?: Switch
      userinfo?: Switch
    }
    fetch?: (address: string | URL, init?: RequestInit) => Promise<Response>
    fetchResponseBodyLimits?: Readonly<Record<string, number>>
    findAccount?: (
      context: Exchange,
      id: string,
      token?: { kind?: string },
    ) => Promise<{ accountId: string; claims: () => Promise<{ sub: string }> } | undefined>
    interactions?: {
      policy: readonly Prompt[]
      url: (context: Exchange, interaction: Interaction) => Promise<string>
    }
    issueRefreshToken?: (context: Exchange, client: Client) => Promise<boolean>
    jwks?: { keys: readonly object[] }
    pkce?: { required: () => boolean }
    renderError?: (context: Exchange, reply: ErrorReply, error: Error) => Promise<void>
    responseTypes?: readonly string[]
    revokeGrantPolicy?: () => Promise<boolean>
    rotateRefreshToken?: boolean
    routes?: Readonly<Record<string, string>>
    scopes?: readonly string[]
    ttl?: Readonly<Record<string, number | ((context: Exchange) => number)>>
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    /** The context of the current request, if any. */
    static ctx: Exchange | undefined
    /** Whether to trust `X-Forwarded-*` fields. */
    proxy: boolean
    callback: () => RequestListener
    use: (middleware: (context: Exchange, next: () => Promise<void>) => Promise<void>) => this
    on: ((event: 'server_error', listener: (context: Exchange, error: Error) => void) => this) &
      ((event: 'grant.success', listener: (context: Exchange) => void) => this)
    interactionDetails: (request: IncomingMessage, response: ServerResponse) => Promise<Interaction>
    interactionResult: (request: IncomingMessage, response: ServerResponse, result: object) => Promise<string>
    Client: { find: (id: string) => Promise<Client | undefined> }
    Grant: new (payload: {
      jti: string
      accountId: string
      clientId: string
      expiresIn: number
    }) => Grant
  }

  type Check = { reason: string }

  export type Prompt = { name: string }

  export const interactionPolicy: {
    Check: new (reason: string, description: string, check: (context: Exchange) => boolean) => Check
    Prompt: new (settings: { name: string; requestable: boolean }, ...checks: readonly Check[]) => Prompt
  }

  type ProviderError = Error & { error: string; error_description?: string }

  type ProviderErrorClass = new (description?: string) => ProviderError

  export const errors: {
    OIDCProviderError: ProviderErrorClass
    InvalidClientAuth: ProviderErrorClass
    InvalidGrant: ProviderErrorClass
    InvalidScope: new (description: string, scope: string) => ProviderError
    InvalidTarget: ProviderErrorClass
    SessionNotFound: ProviderErrorClass
    TemporarilyUnavailable: ProviderErrorClass
  }
}
