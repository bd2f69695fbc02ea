import type { Signins } from '../../../access/session/open-signins.ts'
import { type ConnectionRecord, findLiveConnection, replaceIssuerTokens } from '../../../store/access/connections.ts'
import { findLiveSession } from '../../../store/access/sessions.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  type KnownPerson,
  type RefreshedPerson,
  type RefreshParts,
  refreshPerson,
} from '../../people/refreshed-person.ts'
import type { Coverage, PersonCoverage } from './coverage.ts'

export type PersonCoverageParts = Omit<RefreshParts, 'replaceTokens'> & {
  database: Database
  signins: Pick<Signins, 'of'>
}

/**
 * Reads what people may see now. At each refresh, their issuer says so, if it gave tokens for that; otherwise, and while it
 * does not answer, their session does as long as it lasts.
 */
export function personCoverage(parts: PersonCoverageParts): PersonCoverage {
  const { database } = parts
  const ask = sharedRefresh(parts)
  return async (connection, session, { isRefresh, now }) => {
    const live = await findLiveSession(database, session, now)
    const bySession: Coverage | undefined = live && { ...(live.projects && { projects: live.projects }) }
    const known = isRefresh ? knownPerson(parts, connection) : undefined
    const person = known && (await askAgain(ask, known, () => findLiveConnection(database, connection.id, now)))
    if (person === undefined) return bySession ?? 'ended'
    return person === 'unavailable' ? (bySession ?? person) : person
  }
}

type Ask = (known: KnownPerson) => Promise<RefreshedPerson>

/** Asks, and asks again if the tokens were refused because another process has replaced them meanwhile. */
async function askAgain(
  ask: Ask,
  known: KnownPerson,
  reread: () => Promise<ConnectionRecord | undefined>,
): Promise<RefreshedPerson> {
  const person = await ask(known)
  const tokens = person === 'ended' ? (await reread())?.issuer?.tokens : undefined
  return tokens === undefined || tokens === known.tokens ? person : ask({ ...known, tokens })
}

function knownPerson({ signins }: PersonCoverageParts, connection: ConnectionRecord): KnownPerson | undefined {
  const { issuer, workspace, subject } = connection
  const signin = issuer && signins.of(workspace).find(({ id }) => id === issuer.signin)
  return issuer && signin && { signin, tokens: issuer.tokens, subject }
}

/**
 * Asks an issuer once for all connections that share its tokens and are refreshed at the same time, because many issuers
 * accept a refresh token only once.
 */
function sharedRefresh(parts: PersonCoverageParts): Ask {
  const { database } = parts
  const running = new Map<string, Promise<RefreshedPerson>>()
  const replaceTokens = (before: string, after: string) =>
    database.transaction(queries => replaceIssuerTokens(queries, before, after))
  return known => {
    const found = running.get(known.tokens)
    if (found) return found
    const started = refreshPerson({ ...parts, replaceTokens }, known).finally(() => running.delete(known.tokens))
    running.set(known.tokens, started)
    return started
  }
}
