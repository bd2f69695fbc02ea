import { connections } from '../../access/families.ts'
import type { Person } from '../../access/session/session-verifier.ts'
import { endSessions } from '../../access/session/signins.ts'
import { findLiveConnection } from '../../store/access/connections.ts'
import { findLiveSession } from '../../store/access/sessions.ts'
import { auditedBy, type ManageContext } from '../context.ts'
import type { Sent } from '../form.ts'

/** The outcome of a form: `gone` if the workspace has no such session or connection. */
type Outcome = 'done' | 'gone' | 'unknown'

/** Ends a session or a connection of the workspace of a person who manages all of its projects. */
export async function actOnPeople(context: ManageContext, person: Person, { action, field }: Sent): Promise<Outcome> {
  if (action !== 'end-session' && action !== 'end-connection') return 'unknown'
  const id = field('id')
  const isEnded = await (action === 'end-session'
    ? endSession(context, person, id)
    : endConnection(context, person, id))
  if (isEnded) await context.refresh()
  return isEnded ? 'done' : 'gone'
}

async function endSession({ access, store }: ManageContext, person: Person, id: string): Promise<boolean> {
  const now = store.clock.date()
  const session = await findLiveSession(store.database, id, now)
  if (session?.workspace !== person.workspace) return false
  await endSessions(auditedBy(access, person), { id }, now)
  return true
}

async function endConnection({ access, store }: ManageContext, person: Person, id: string): Promise<boolean> {
  const now = store.clock.date()
  const connection = await findLiveConnection(store.database, id, now)
  if (connection?.workspace !== person.workspace) return false
  await connections.end(auditedBy(access, person), id, now)
  return true
}
