import { isDeepStrictEqual } from 'node:util'
import { withoutUndefined } from '#platform/base/object.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { findLiveSession, rightsIn } from '#store/access/sessions.ts'
import { findLiveShare } from '#store/access/shares.ts'
import { findSignin } from '#store/access/signins.ts'
import type { Database, Queries } from '#store/database/database.ts'
import type { ManageContext } from './context.ts'

/**
 * A person with the rights that the store has for them now, where any process may have ended them; undefined if their
 * session has ended. A proxy states the rights of its people with each request, for as long as its settings stay.
 */
export async function livePerson(queries: Queries, person: Person, now: Date): Promise<Person | undefined> {
  if (person.id !== '') return findLiveSession(queries, person.id, now)
  return person.expiresAt > now && (await findSignin(queries, person.signin)) ? person : undefined
}

/** A person, or a share link, with the rights that a request proved. */
export type Entitled = Person | { link: string }

/**
 * Does what a form says, which may wait for others: each of its transactions first asks the store whether the sender still
 * has the same rights. Without them, nothing is changed, and the result is undefined.
 */
export async function withRight<Value>(
  context: ManageContext,
  sender: Entitled,
  work: (context: ManageContext) => Promise<Value>,
): Promise<Value | undefined> {
  const { store, access } = context
  const transaction: Database['transaction'] = (change, options) =>
    store.database.transaction(async queries => {
      if (!(await hasRights(queries, sender, store.clock.date()))) throw new RightEnded()
      return change(queries)
    }, options)
  const database = { ...store.database, transaction }
  try {
    return await work({ ...context, store: { ...store, database }, access: { ...access, database } })
  } catch (error) {
    if (error instanceof RightEnded) return undefined
    throw error
  }
}

/** Whether a sender still has exactly the rights with which the request began. */
async function hasRights(queries: Queries, sender: Entitled, now: Date): Promise<boolean> {
  if ('link' in sender) return (await findLiveShare(queries, sender.link, now)) !== undefined
  const live = await livePerson(queries, sender, now)
  if (!live) return false
  return isDeepStrictEqual(withoutUndefined(rightsIn(sender)), withoutUndefined(rightsIn(live)))
}

/** Thrown inside a transaction to undo it, because the sender has lost the right. */
class RightEnded extends Error {}
