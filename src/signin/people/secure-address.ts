import type { Request } from '../../exchange/message.ts'

/**
 * Whether people reach the service by plain http from other machines. Then anyone on the network could read a session
 * cookie, so no one can sign in.
 */
export function lacksSecureAddress(
  { publicUrl }: { publicUrl: string },
  { isHttps = false }: Pick<Request, 'isHttps'>,
): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol !== 'https:' && !isHttps && !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
