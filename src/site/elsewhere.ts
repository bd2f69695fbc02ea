import { pathOutside } from '#brand/contract/place.ts'
import type { Request } from '#platform/exchange/message.ts'
import { decodeSegments } from '#platform/exchange/target.ts'
import type { HostTarget } from '#platform/settings/hosts.ts'
import { encodeSegment } from '#serving/addresses.ts'
import type { Site } from './site.ts'

/**
 * The address at the host of a guide or a workspace for a request that came to another one; undefined if it came to the
 * right one. It depends only on the host, and not on what exists there. Call it only for requests that may see the target.
 */
export function addressElsewhere(
  { service: { hosts }, place: here, copy }: Site,
  { path, query }: Pick<Request, 'path' | 'query'>,
  { workspace, project }: HostTarget,
): string | undefined {
  const place = copy ? undefined : hosts.of({ workspace, project })
  if (!place || place.host === here?.host) return undefined
  // In the usual encoding, regardless of that in the request.
  const requestedPath = `/${(decodeSegments(path) ?? []).map(encodeSegment).join('/')}`
  return `${place.url}${pathOutside(place, requestedPath) || '/'}${query && `?${query}`}`
}
