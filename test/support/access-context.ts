import { accessFor } from '#program/compose/access.ts'
import type { AccessContext } from '#serving/access/context.ts'
import type { Store } from '#store/store.ts'

/** A context that changes the access to a store without a log. */
export function accessTo(
  store: Pick<Store, 'database' | 'identity'>,
  settings: { publicUrl?: string; keySecret?: string | undefined } = {},
): AccessContext {
  return accessFor(settings, store, () => undefined)
}

/** A context that verifies requests for this public URL and clock. Caches are empty. */
export function verifierContext(
  store: Pick<Store, 'database' | 'identity'>,
  { publicUrl = 'http://brand.test', clock = Date.now } = {},
): AccessContext {
  return accessFor({}, store, () => undefined, { publicUrl, clock })
}
