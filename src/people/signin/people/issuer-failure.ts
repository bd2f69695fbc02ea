import { errorCode, errorMessage, OperationalError } from '#platform/base/error.ts'
import { field } from '#platform/base/object.ts'
import { reasonOf, withReason } from '#platform/base/reason.ts'
import { OutgoingError } from '#platform/outgoing/outgoing-fetch.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { EncryptedKeyError } from '#serving/access/keys/key-encryption.ts'
import type { SigninRecord } from '#store/access/signins.ts'
import type { SigninContext } from '../context.ts'
import { IssuerUnusable } from './issuer-clients.ts'

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
  // From the most certain sign to the least.
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

/** Whether an issuer did not answer, or answered that it cannot now. */
function isOutage(cause: unknown): boolean {
  if (cause instanceof Response) return cause.status >= 500 || cause.status === 429
  return cause instanceof OutgoingError
}

/** Codes of an issuer that cannot answer now. */
const OUTAGES: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable', 'slow_down'])

/** Codes about the request of the service instead of the person (RFC 6749 §4.1.2.1, §5.2). */
const SETUP = /client|redirect|^unsupported_|^invalid_(?:request|scope)$/

/** The failure of an issuer, which is logged. Throws a fault of ours again. */
export async function loggedFailure(context: { log: Log }, signin: SigninRecord, error: unknown) {
  const failure = await issuerFailure(error)
  if (failure === undefined) throw error
  logIssuerFailure(context, signin, error)
  return failure
}

function logIssuerFailure({ log }: { log: Log }, { id, workspace, issuer }: SigninRecord, error: unknown): void {
  const reasons = causesOf(error).flatMap(logText)
  log.warn({ signin: id, workspace, issuer, reasons }, withReason('an issuer failed', saidBy(error)))
}

/** Reads the metadata of each issuer once, and logs issuers whose settings are wrong. Outages are logged later. */
export async function checkIssuers(
  context: Pick<SigninContext, 'log' | 'clientOf'>,
  signins: readonly SigninRecord[],
): Promise<void> {
  for (const signin of signins)
    await context.clientOf(signin).catch(async error => {
      const failure = await issuerFailure(error)
      if (failure === undefined) throw error
      if (failure !== 'unavailable') logIssuerFailure(context, signin, error)
    })
}

/** A cause as a line of the log, with its code; none if it says nothing. */
function logText(cause: unknown): string[] {
  const saying = sayingOf(cause)
  const code = errorCode(cause)
  return saying === '' ? [] : [code === '' || saying.startsWith(code) ? saying : `${code}: ${saying}`]
}

/** One line for the operator: our advice, which ends with what the issuer, the network or the system said. */
export function failureText(error: unknown): string {
  const ownErrors = causesOf(error).filter(cause => cause instanceof Error && isOwn(cause))
  const advice = ownErrors.map(errorMessage).join(': ')
  return withReason(advice === '' ? 'the issuer cannot be used' : advice, saidBy(error))
}

/** The last line that the issuer, the network or the system said about a failure; empty if that is our own message. */
export function saidBy(error: unknown): string {
  const last = causesOf(error).findLast(cause => sayingOf(cause) !== '')
  return last instanceof Error && isOwn(last) ? '' : sayingOf(last)
}

/** Whether the message of an error is our own. */
function isOwn(error: Error): boolean {
  return [IssuerUnusable, OperationalError, EncryptedKeyError, ForeignAnswer].some(kind => error instanceof kind)
}

/** The OAuth error with its description (RFC 6749 §4.1.2.1, §5.2), the status of a reply, or the message of an error. */
function sayingOf(cause: unknown): string {
  if (cause instanceof Response) return reasonOf(answerText(cause))
  if (!(cause instanceof Error)) return ''
  // The library has the OAuth error in the error itself, or for a challenge, in the parameters of its cause.
  const fields = field(cause, 'error') === undefined ? field(field(cause.cause, '0'), 'parameters') : cause
  const texts = [field(fields, 'error'), field(fields, 'error_description')].filter(text => typeof text === 'string')
  return reasonOf(texts.length > 0 ? texts.join(': ').replace(/\s+/g, ' ') : cause.message)
}

/** A reply that is not the expected JSON, with its target if it redirects, and with its type if it is no error. */
function answerText({ status, headers }: Response): string {
  const target = headers.get('location')
  const type = headers.get('content-type')
  if (status >= 300 && status < 400 && target !== null) return `it answered ${status}, and redirects to ${target}`
  return status < 300 && type !== null ? `it answered ${status} with ${type}` : `it answered ${status}`
}

/** An error and its causes, at most eight, the outermost first. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let at = error; at !== undefined && causes.length < 8; at = at instanceof Error ? at.cause : undefined)
    causes.push(at)
  return causes
}
