import { EncryptedKeyError } from '../../access/keys/key-encryption.ts'
import { errorCode, errorMessage } from '../../base/error.ts'
import { OutgoingError } from '../../outgoing/outgoing-error.ts'
import type { SigninRecord } from '../../store/access/signins.ts'
import type { Log } from '../../telemetry/log.ts'
import { IssuerUnusable } from './issuer/issuer-clients.ts'

/**
 * The failure of an issuer. `unavailable`: it does not answer. `setup`: the service is not set up as the issuer requires.
 * `refused`: it no longer vouches for the person, or its answer is for someone else. `invalid`: any other answer that
 * signs no one in.
 */
export type IssuerFailure = 'unavailable' | 'setup' | 'refused' | 'invalid'

/** Thrown if the answer of an issuer arrives at the path of another one, or is for another client or person. */
export class ForeignAnswer extends Error {
  readonly code = 'foreign_answer'
}

/** The failure that an error of asking an issuer means; undefined for a fault of ours. */
export async function issuerFailure(error: unknown): Promise<IssuerFailure | undefined> {
  const { AuthorizationResponseError, ClientError, ResponseBodyError, WWWAuthenticateChallengeError } = await import(
    'openid-client'
  )
  if (error instanceof ForeignAnswer) return 'refused'
  const causes = causesOf(error)
  if (causes.some(cause => cause instanceof EncryptedKeyError)) return 'setup'
  if (causes.some(isOutage)) return 'unavailable'
  if (error instanceof IssuerUnusable) return 'setup'
  if (await isClientRefused(error)) return 'setup'
  if (error instanceof WWWAuthenticateChallengeError) return 'invalid'
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    if (OUTAGES.has(error.error)) return 'unavailable'
    if (SETUP.test(error.error)) return 'setup'
    return error instanceof ResponseBodyError ? 'refused' : 'invalid'
  }
  return error instanceof ClientError ? 'invalid' : undefined
}

/** Whether an issuer refused the client of the service. Many send another code than `invalid_client`, but also 401. */
export async function isClientRefused(error: unknown): Promise<boolean> {
  const { ResponseBodyError, WWWAuthenticateChallengeError } = await import('openid-client')
  if (error instanceof WWWAuthenticateChallengeError) return !error.cause.some(({ scheme }) => scheme === 'bearer')
  if (error instanceof ResponseBodyError)
    return (error.status === 401 && error.error !== 'invalid_grant') || CLIENT.test(error.error)
  return causesOf(error).some(cause => cause instanceof Response && cause.status === 401)
}

/** Codes such as `unauthorized_client` (RFC 6749 §5.2), `invalid_client_id` or `bad_client_secret`. */
const CLIENT = /client|secret/

function isOutage(cause: unknown): boolean {
  if (cause instanceof Response) return cause.status >= 500 || cause.status === 429
  return cause instanceof OutgoingError
}

const OUTAGES: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable', 'slow_down'])

/** Codes about the request of the service instead of the person (RFC 6749 §4.1.2.1, §5.2). */
const SETUP = /client|redirect|^unsupported_|^invalid_(?:request|scope)$/

/** Logs why an issuer failed. */
export function logIssuerFailure({ log }: { log: Log }, { id, workspace, issuer }: SigninRecord, error: unknown): void {
  log.warn({ signin: id, workspace, issuer, reasons: failureReasons(error) }, 'an issuer failed')
}

/** The reasons of a failure, and of its causes. Only codes and messages without values: a cause may contain tokens. */
export function failureReasons(error: unknown): string[] {
  return causesOf(error).flatMap(cause => {
    if (cause instanceof Response) return [`it answered ${cause.status}`]
    if (!(cause instanceof Error)) return []
    return [[errorCode(cause), oauthError(cause), errorMessage(cause)].filter(text => text !== '').join(': ')]
  })
}

/** The error code of RFC 6749 §5.2 and §4.1.2.1, such as `invalid_client`. */
function oauthError(error: object): string {
  const code = 'error' in error ? error.error : undefined
  return typeof code === 'string' && /^[a-z_]{1,64}$/.test(code) ? code : ''
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let at = error; at !== undefined && causes.length < 8; at = at instanceof Error ? at.cause : undefined)
    causes.push(at)
  return causes
}
