import { OperationalError } from '../base/error.ts'

export type OutgoingCode =
  | 'outgoing_address_invalid'
  | 'outgoing_address_forbidden'
  | 'outgoing_name_unknown'
  | 'outgoing_unreachable'
  | 'outgoing_timeout'
  | 'outgoing_aborted'
  | 'outgoing_redirected'
  | 'outgoing_reply_too_large'
  | 'outgoing_reply_invalid'

/**
 * Thrown if an outgoing request fails. The message names the address without its query, which may contain secrets. It
 * reveals no resolved IP address, because outsiders may see it; that is in `cause`.
 */
export class OutgoingError extends OperationalError {
  /** `url` is undefined if the address is not a URL. */
  constructor(code: OutgoingCode, url: URL | undefined, why: string, options?: ErrorOptions) {
    super(code, `cannot ask ${url ? url.origin + url.pathname : 'this address'}: ${why}`, options)
  }
}
