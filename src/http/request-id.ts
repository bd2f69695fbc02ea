import { randomBytes } from 'node:crypto'

const INSTANCE = randomBytes(6).toString('base64url')
let requests = 0

/** Returns a request id that is unique across processes. */
export function nextRequestId(): string {
  requests++
  return `${INSTANCE}-${requests.toString(36)}`
}
