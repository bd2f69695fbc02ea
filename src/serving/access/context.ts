import type { KeyObject } from 'node:crypto'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Caches } from '#platform/caches/caches.ts'
import type { AccessEvent, Audit } from '#platform/telemetry/access-event.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import type { Database, Queries } from '#store/database/database.ts'
import type { Identity } from '#store/identity.ts'
import type { MarkUse } from './last-use.ts'

/** Everything that changes the access to a store, and that verifies requests. */
export type AccessContext = {
  database: Database
  /** The log of the changes to who may use the store. */
  record: Audit
  /** Its secrets key the hashes of the secrets of clients and share links. */
  identity: Identity
  audience: Audience
  signer: Signer
  /** Encrypts keys and secrets in the store; undefined if file permissions protect them. */
  keySecret: string | undefined
  publicUrl: string
  /** Milliseconds since 1970. */
  clock: () => number
  caches: Caches
  markUse?: MarkUse | undefined
}

export type Audience = { issuer: string; audience: string }

/** Returns the key that signs new tokens: the newest one. Makes a key if there is none. */
export type Signer = (now: Date) => Promise<SigningKey>

/** A signing key and its id. The key is decrypted on first use, so that startup does not wait for it. */
export type SigningKey = { kid: string; algorithm: string; key: () => Promise<KeyObject> }

/** Changes access in a transaction, then records the event. Nothing changed if the work gives false or undefined. */
export async function changeAccess<Changed>(
  { database, record }: AccessContext,
  work: (queries: Queries) => MaybePromise<Changed | false | undefined>,
  eventOf: (changed: Changed) => AccessEvent,
): Promise<Changed | undefined> {
  const changed = await database.transaction(async queries => {
    const result = await work(queries)
    if (result === undefined || result === false) return undefined
    await recordChange(queries, undefined)
    return result
  })
  if (changed !== undefined) record(eventOf(changed))
  return changed
}
