import { EncryptedKeyError } from '../../access/keys/key-encryption.ts'
import { errorCode, errorMessage } from '../../base/error.ts'
import { OutgoingError } from '../../outgoing/outgoing-error.ts'
import type { SigninRecord } from '../../store/access/signins.ts'
import type { Log } from '../../telemetry/log.ts'
import { IssuerUnavailable } from './issuer/issuer-clients.ts'
import { ForeignAnswer } from './redirect-path.ts'

/** Whether an error means that an issuer cannot be used now: it does not answer, or its client secret is unreadable. */
export function isUnavailable(error: unknown): boolean {
  return causesOf(error).some(
    cause =>
      cause instanceof OutgoingError ||
      cause instanceof IssuerUnavailable ||
      cause instanceof EncryptedKeyError ||
      (cause instanceof Response && cause.status >= 500),
  )
}

/** Whether an error means that the answer of an issuer is not as it must be. */
export async function isRefusedAnswer(error: unknown): Promise<boolean> {
  const { AuthorizationResponseError, ClientError, ResponseBodyError, WWWAuthenticateChallengeError } = await import(
    'openid-client'
  )
  const kinds = [
    ForeignAnswer,
    AuthorizationResponseError,
    ClientError,
    ResponseBodyError,
    WWWAuthenticateChallengeError,
  ]
  return kinds.some(kind => error instanceof kind)
}

/** Logs why an issuer failed. Only codes and messages without values: a cause may contain tokens. */
export function logIssuerFailure({ log }: { log: Log }, { id, workspace, issuer }: SigninRecord, error: unknown): void {
  const reasons = causesOf(error)
    .filter(cause => cause instanceof Error)
    .map(cause => [errorCode(cause), oauthError(cause), errorMessage(cause)].filter(text => text !== '').join(': '))
  log.warn({ signin: id, workspace, issuer, reasons }, 'an issuer failed')
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
