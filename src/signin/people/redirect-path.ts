import { hash } from 'node:crypto'
import type { ServerMetadata } from 'openid-client'
import type { SigninRecord } from '../../store/access/signins.ts'
import { SIGNED_IN_PATH } from './people-parts.ts'

/**
 * The path to which an issuer redirects, below the public URL. An issuer that does not name itself in its answers
 * (RFC 9207) has its own path, except the first such issuer: another one could pass on such an answer as its own, and
 * so get the code (RFC 9700 §4.4).
 */
export function redirectPath(
  { issuer, hasOwnRedirect }: { issuer: string; hasOwnRedirect: boolean },
  { authorization_response_iss_parameter_supported: isNamed }: Pick<ServerMetadata, typeof NAMED>,
): string {
  if (isNamed === true || !hasOwnRedirect) return SIGNED_IN_PATH
  return `${SIGNED_IN_PATH}/${hash('sha256', new URL(issuer).href, 'base64url').slice(0, KEY_LENGTH)}`
}

/** The path to which the issuer of these settings redirects. */
export function redirectPathOf(
  { issuer, settings }: SigninRecord,
  metadata: Pick<ServerMetadata, typeof NAMED>,
): string {
  return redirectPath({ issuer, hasOwnRedirect: settings.hasOwnRedirect === true }, metadata)
}

/** Whether an issuer may redirect to this path. */
export function isRedirectPath(path: string): boolean {
  return path === SIGNED_IN_PATH || OWN_PATH.test(path)
}

const NAMED = 'authorization_response_iss_parameter_supported'
const KEY_LENGTH = 16
const OWN_PATH = new RegExp(`^${SIGNED_IN_PATH}/[\\w-]{${KEY_LENGTH}}$`)

/** Thrown if the answer of an issuer arrives at the path of another one, or is for another client or person. */
export class ForeignAnswer extends Error {
  readonly code = 'foreign_answer'
}
