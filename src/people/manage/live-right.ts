import type { Reply } from '#platform/exchange/message.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { findLiveSession } from '#store/access/sessions.ts'
import { listSignins } from '#store/access/signins.ts'
import type { Database, Queries } from '#store/database/database.ts'
import type { ManageContext } from './context.ts'

/**
 * A person with the rights that the store has for them now, where any process may have ended them; undefined if their
 * session has ended. A proxy states the rights of its people with each request, for as long as its settings stay.
 */
export async function livePerson(queries: Queries, person: Person, now: Date): Promise<Person | undefined> {
  if (person.id !== '') return findLiveSession(queries, person.id, now)
  const signins = await listSignins(queries)
  return person.expiresAt > now && signins.some(({ id }) => id === person.signin) ? person : undefined
}

/**
 * Answers a form whose sender may wait for others: each transaction of the answer first asks the store whether the person
 * still has the right. Without it, nothing is changed, and the result is undefined, as for those who never had it.
 */
export async function withRight(
  context: ManageContext,
  person: Person,
  hasRight: (person: Person, queries: Queries) => Promise<boolean> | boolean,
  answer: (context: ManageContext) => Promise<Reply | undefined>,
): Promise<Reply | undefined> {
  const { store, access } = context
  const transaction: Database['transaction'] = (work, options) =>
    store.database.transaction(async queries => {
      const live = await livePerson(queries, person, store.clock.date())
      if (!live || !(await hasRight(live, queries))) throw new RightEnded()
      return work(queries)
    }, options)
  const database = { ...store.database, transaction }
  const asked = { ...context, store: { ...store, database }, access: { ...access, database } }
  try {
    return await answer(asked)
  } catch (error) {
    if (error instanceof RightEnded) return undefined
    throw error
  }
}

/** Undoes a transaction. */
class RightEnded extends Error {}
