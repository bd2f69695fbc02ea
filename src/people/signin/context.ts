import type { Provider } from 'oidc-provider'
import type { Configuration } from 'openid-client'
import type { Result } from '#platform/base/result.ts'
import type { OutgoingFetch } from '#platform/outgoing/outgoing-fetch.ts'
import type { Settings } from '#platform/settings/settings.ts'
import type { Log } from '#platform/telemetry/log.ts'
import type { AddressThrottle, LoginThrottle } from '#serving/access/client/throttles.ts'
import type { AccessContext } from '#serving/access/context.ts'
import type { ServiceContext } from '#serving/access/service-context.ts'
import type { RuleProblem, Sessions } from '#serving/access/session/session-verifier.ts'
import type { Signins } from '#serving/access/session/signins.ts'
import type { Site } from '#site/site.ts'
import type { Coverage } from '#store/access/covered-projects.ts'
import type { SigninRecord } from '#store/access/signins.ts'

/** Everything with which people sign in, and with which they let programs read. */
export type SigninContext = {
  settings: Settings
  access: AccessContext
  service: ServiceContext
  site: Site
  signins: Signins
  sessions: Sessions
  /**
   * The client of an issuer. Its metadata is kept for ten minutes; its keys are read for each sign-in, so that a new key
   * works at once.
   *
   * @throws {IssuerUnusable} if the issuer does not answer
   */
  clientOf: (signin: SigninRecord) => Promise<Configuration>
  /** Asks an issuer once for all connections that share its tokens and are refreshed at the same time. */
  refreshes: Map<string, Promise<RefreshedPerson>>
  /** The authorization server, which is loaded after the start, or on first use. */
  authorizationServer: () => Promise<AuthorizationServer>
  endConnection: (id: string, reason: ConnectionEnd) => Promise<void>
  /** Reads the documents and keys of programs, whose addresses outsiders choose, up to `MAX_DOCUMENT_BYTES`. */
  fetchUntrusted: OutgoingFetch
  /** Whether an address may begin one more authorization now, or cause one more outgoing request. */
  mayAuthorize: AddressThrottle
  mayFetch: AddressThrottle
  throttle: LoginThrottle
  /** Keys the proofs in consent forms. */
  formSecret: Uint8Array
  /** Encrypts the cookies of sign-ins under way. */
  flowKey: Uint8Array
  issuerTokensKey: () => Promise<Uint8Array>
  log: Log
  /** Whether an error is an outage of the store; if so, it is logged. */
  reportOutage: (error: unknown) => boolean
}

/** The length of a session, in milliseconds. */
export function sessionMs({ settings }: SigninContext): number {
  return settings.sessionHours * HOUR_MS
}

const HOUR_MS = 3600 * 1000

/**
 * The guides that the rules permit a person to see now: by what the issuer `stated`, and by what is `known` if its last
 * answers count for what it did not state. `issuer-refused`: the issuer refused the tokens, or names another person.
 * `unavailable`: the issuer cannot say. Undefined if the tokens cannot be decrypted.
 */
export type RefreshedPerson =
  | { stated: Result<Coverage, RuleProblem>; known: Result<Coverage, RuleProblem> }
  | 'issuer-refused'
  | 'unavailable'
  | undefined

/** Why a connection ends: a rule no longer permits its person, or one of these reasons. */
export type ConnectionEnd =
  | RuleProblem
  | 'issuer-refused'
  | 'session-ended'
  | 'share-ended'
  | 'projects-gone'
  | 'expired'
  | 'program-revoked'
  | 'used-twice'

/** A code exchanged or a refresh token used: the connection, and the scopes and the resource that the program asked for. */
export type Exchanged = { connection: string; scope: string; resource: string; client: string; coverage: Coverage }

export type AuthorizationServer = {
  provider: Provider
  /** What each request was granted, and its fault, by the request of node:http. */
  exchanged: WeakMap<object, Exchanged>
  faults: WeakMap<object, Error>
}
