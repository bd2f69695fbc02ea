import type { Request } from '../../exchange/message.ts'
import { isTrustworthy } from '../../outgoing/trusted-address.ts'

/**
 * Whether people reach the service by plain http from other machines. Then anyone on the network could read a session
 * cookie, so no one can sign in.
 */
export function lacksSecureAddress(
  { publicUrl }: { publicUrl: string },
  { isHttps = false }: Pick<Request, 'isHttps'>,
): boolean {
  return !isHttps && !isTrustworthy(publicUrl)
}
