import { randomBytes } from 'node:crypto'

const INSTANCE = randomBytes(6).toString('base64url')
let requests = 0

/** An id for a request that no other of any process has. */
export function nextRequestId(): string {
  requests++
  return `${INSTANCE}-${requests.toString(36)}`
}
