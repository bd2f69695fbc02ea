import type { ConnectionRecord } from '../../store/access/connections.ts'
import { findLiveShare } from '../../store/access/shares.ts'
import { findProject, type ProjectInstance } from '../../store/catalogue/catalogue.ts'
import type { Database } from '../../store/database/database.ts'

/** The projects that a connection covers now; absent: all of its workspace. */
export type Coverage = { projects?: readonly ProjectInstance[] }

/** Reads what the person of a connection may see now; undefined if that is nothing any more. */
export type PersonCoverage = (connection: ConnectionRecord, session: string, now: Date) => Promise<Coverage | undefined>

/**
 * The projects that both the connection and its person, or its share link, cover now. Undefined if the connection must
 * end: the link was revoked, the person is no longer signed in, or none of the projects is left.
 */
export async function coverageOf(
  database: Database,
  personCoverage: PersonCoverage,
  connection: ConnectionRecord,
  now: Date,
): Promise<Coverage | undefined> {
  const { origin, workspace, projects } = connection
  const origins =
    'share' in origin
      ? await shareCoverage(database, origin.share, now)
      : await personCoverage(connection, origin.session, now)
  if (!origins) return undefined
  const common = commonProjects(projects, origins.projects)
  if (!common) return {}
  const existing: ProjectInstance[] = []
  for (const { project, instance } of common) {
    const found = await findProject(database, workspace, project)
    if (found?.instance === instance) existing.push({ project, instance })
  }
  return existing.length > 0 ? { projects: existing } : undefined
}

async function shareCoverage(database: Database, id: string, now: Date): Promise<Coverage | undefined> {
  const share = await findLiveShare(database, id, now)
  return share && { projects: [{ project: share.project, instance: share.instance }] }
}

/** The projects in both lists; undefined if neither is limited. */
export function commonProjects(
  one: readonly ProjectInstance[] | undefined,
  other: readonly ProjectInstance[] | undefined,
): readonly ProjectInstance[] | undefined {
  if (!one || !other) return one ?? other
  return one.filter(({ project, instance }) =>
    other.some(each => each.project === project && each.instance === instance),
  )
}
