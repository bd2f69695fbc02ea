import { API_PATH } from '../../contract/operations.ts'

/** Whom tokens of this store name as their issuer, and for whom they are. */
export type Audience = { issuer: string; audience: string }

/**
 * With a public URL, that URL and the API's base URL below it; without one, the store's own URN for both, so that tokens
 * that a command issues work whatever host and port the service has.
 */
export function audienceOf(publicUrl: string | undefined, urn: string): Audience {
  return publicUrl === undefined
    ? { issuer: urn, audience: urn }
    : { issuer: publicUrl, audience: `${publicUrl}${API_PATH}` }
}
