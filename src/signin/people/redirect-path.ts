import { hash } from 'node:crypto'
import type { ServerMetadata } from 'openid-client'
import type { SigninRecord } from '../../store/access/signins.ts'
import { SIGNED_IN_PATH } from './people-parts.ts'

/**
 * The path to which an issuer redirects, below the public URL. An issuer that does not name itself in its answers (RFC
 * 9207) has its own path, because another issuer could pass on its answer as its own, and so get the code (RFC
 * 9700 §4.4).
 */
export function redirectPath(
  { issuer }: Pick<SigninRecord, 'issuer'>,
  { authorization_response_iss_parameter_supported: isNamed }: Pick<ServerMetadata, typeof NAMED>,
): string {
  if (isNamed === true) return SIGNED_IN_PATH
  return `${SIGNED_IN_PATH}/${hash('sha256', new URL(issuer).href, 'base64url').slice(0, KEY_LENGTH)}`
}

/** Whether an issuer may redirect to this path. */
export function isRedirectPath(path: string): boolean {
  return path === SIGNED_IN_PATH || OWN_PATH.test(path)
}

const NAMED = 'authorization_response_iss_parameter_supported'
const KEY_LENGTH = 16
const OWN_PATH = new RegExp(`^${SIGNED_IN_PATH}/[\\w-]{${KEY_LENGTH}}$`)

/** Thrown if an answer arrives at the path of another issuer. */
export class ForeignAnswer extends Error {
  readonly code = 'foreign_answer'
}
