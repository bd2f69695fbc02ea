import { withoutUndefined } from '#platform/base/object.ts'
import { type ConnectionRecord, findLiveConnection } from '#store/access/connections.ts'
import { type Coverage, commonProjects } from '#store/access/covered-projects.ts'
import { findLiveSession } from '#store/access/sessions.ts'
import { findLiveShare } from '#store/access/shares.ts'
import { findProject, type ProjectInstance } from '#store/catalogue/catalogue.ts'
import type { ConnectionEnd, RefreshedPerson, SigninContext } from '../../context.ts'
import { type PersonTokens, refreshPerson } from '../../people/refreshed-person.ts'

/** Why the connection must end. `unavailable`: the issuer cannot say at the moment what the person may see. */
type NoCoverage = ConnectionEnd | 'unavailable'

/** When something is checked, and whether a refresh token is used, so that the issuer may be asked. */
type CoverageCheck = { isRefresh: boolean; now: Date }

/** The projects that both the connection and its person or share link cover now, or why the connection must end. */
export async function coverageOf(
  context: SigninContext,
  connection: ConnectionRecord,
  check: CoverageCheck,
): Promise<Coverage | NoCoverage> {
  const { origin, workspace, projects } = connection
  const originCoverage =
    'share' in origin
      ? await shareCoverage(context, origin.share, check.now)
      : await personCoverage(context, connection, origin.session, check)
  // A string is the reason to end.
  if (typeof originCoverage === 'string') return originCoverage
  // Undefined: all projects of the workspace.
  const commonProjectList = commonProjects(projects, originCoverage.projects)
  if (!commonProjectList) return {}
  const existingProjects: ProjectInstance[] = []
  for (const { project, instance } of commonProjectList) {
    const record = await findProject(context.access.database, workspace, project)
    // A project that was deleted and created again is another instance.
    if (record?.instance === instance) existingProjects.push({ project, instance })
  }
  return existingProjects.length > 0 ? { projects: existingProjects } : 'projects-gone'
}

/** What a share link covers now: its project. */
async function shareCoverage({ access }: SigninContext, id: string, now: Date): Promise<Coverage | NoCoverage> {
  const share = await findLiveShare(access.database, id, now)
  return share ? { projects: [{ project: share.project, instance: share.instance }] } : 'share-ended'
}

/**
 * Reads what a person may see now. At each refresh, their issuer says so, if it gave tokens for that; otherwise, and while it
 * does not answer, their session says so as long as it lasts. While it lasts, the issuer's last answers also count for what
 * it does not state now, such as groups (OpenID Connect Core 1.0 §12.2).
 */
async function personCoverage(
  context: SigninContext,
  connection: ConnectionRecord,
  session: string,
  { isRefresh, now }: CoverageCheck,
): Promise<Coverage | NoCoverage> {
  const live = await findLiveSession(context.access.database, session, now)
  const sessionCoverage: Coverage | undefined = live && withoutUndefined({ projects: live.projects })
  const tokens = isRefresh ? tokensOf(context, connection) : undefined
  // Undefined if the issuer is not asked, or its tokens cannot be decrypted.
  const answer = tokens && (await askAgain(context, tokens, connection.id, now))
  if (answer === undefined) return sessionCoverage ?? 'session-ended'
  if (typeof answer === 'string') return answer === 'unavailable' ? (sessionCoverage ?? answer) : answer
  // `known` includes the last answers.
  const allowed = sessionCoverage ? answer.known : answer.stated
  return allowed.ok ? allowed.value : allowed.problem
}

/** The tokens with which a connection asks its issuer; undefined if it has none, or its sign-in was deleted. */
function tokensOf({ signins }: SigninContext, connection: ConnectionRecord): PersonTokens | undefined {
  const { issuer, workspace, subject } = connection
  const signin = issuer && signins.of(workspace).find(({ id }) => id === issuer.signin)
  return issuer && signin && { signin, tokens: issuer.tokens, subject }
}

/** Asks, and asks again if the tokens were refused because another process has replaced them meanwhile. */
async function askAgain(
  context: SigninContext,
  person: PersonTokens,
  connection: string,
  now: Date,
): Promise<RefreshedPerson> {
  const refreshed = await askOnce(context, person)
  if (refreshed !== 'issuer-refused') return refreshed
  const tokens = (await findLiveConnection(context.access.database, connection, now))?.issuer?.tokens
  return tokens === undefined || tokens === person.tokens ? refreshed : askOnce(context, { ...person, tokens })
}

/** Asks once for all connections that share the tokens: many issuers accept a refresh token only once. */
function askOnce(context: SigninContext, person: PersonTokens): Promise<RefreshedPerson> {
  const { refreshes } = context
  const { tokens } = person
  const running = refreshes.get(tokens) ?? refreshPerson(context, person).finally(() => refreshes.delete(tokens))
  refreshes.set(tokens, running)
  return running
}
