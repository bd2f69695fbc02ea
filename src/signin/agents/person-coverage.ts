import { findLiveSession } from '../../store/access/sessions.ts'
import type { Database } from '../../store/database/database.ts'
import type { PersonCoverage } from './coverage.ts'

/** Reads what people may see now: the projects of their session, while it lasts. */
export function personCoverage(database: Database): PersonCoverage {
  return async (_connection, session, now) => {
    const live = await findLiveSession(database, session, now)
    return live && { ...(live.projects && { projects: live.projects }) }
  }
}
