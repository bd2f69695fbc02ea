import type { ConnectionRecord } from '../../../store/access/connections.ts'
import { findLiveShare } from '../../../store/access/shares.ts'
import { findProject, type ProjectInstance } from '../../../store/catalogue/catalogue.ts'
import type { Database } from '../../../store/database/database.ts'

/** The projects that a connection covers now; absent: all of its workspace. */
export type Coverage = { projects?: readonly ProjectInstance[] }

/** `ended`: the person may see nothing any more. `unavailable`: the issuer cannot say so at the moment. */
export type NoCoverage = 'ended' | 'unavailable'

/** A check of a connection: at a refresh, or when a program redeems its code. */
export type CoverageCheck = { isRefresh: boolean; now: Date }

/** Reads what the person of a connection may see now. */
export type PersonCoverage = (
  connection: ConnectionRecord,
  session: string,
  check: CoverageCheck,
) => Promise<Coverage | NoCoverage>

/**
 * The projects that both the connection and its person, or its share link, cover now. The connection must end if the link
 * was revoked, the person has lost access, or none of the projects is left.
 */
export async function coverageOf(
  database: Database,
  personCoverage: PersonCoverage,
  connection: ConnectionRecord,
  check: CoverageCheck,
): Promise<Coverage | NoCoverage> {
  const { origin, workspace, projects } = connection
  const origins =
    'share' in origin
      ? await shareCoverage(database, origin.share, check.now)
      : await personCoverage(connection, origin.session, check)
  if (typeof origins === 'string') return origins
  const common = commonProjects(projects, origins.projects)
  if (!common) return {}
  const existing: ProjectInstance[] = []
  for (const { project, instance } of common) {
    const found = await findProject(database, workspace, project)
    if (found?.instance === instance) existing.push({ project, instance })
  }
  return existing.length > 0 ? { projects: existing } : 'ended'
}

async function shareCoverage(database: Database, id: string, now: Date): Promise<Coverage | NoCoverage> {
  const share = await findLiveShare(database, id, now)
  return share ? { projects: [{ project: share.project, instance: share.instance }] } : 'ended'
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
