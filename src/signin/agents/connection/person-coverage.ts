import type { Signins } from '../../../access/session/open-signins.ts'
import { type ConnectionRecord, replaceIssuerTokens } from '../../../store/access/connections.ts'
import { findLiveSession } from '../../../store/access/sessions.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  type KnownPerson,
  type RefreshedPerson,
  type RefreshParts,
  refreshPerson,
} from '../../people/refreshed-person.ts'
import type { Coverage, PersonCoverage } from './coverage.ts'

export type PersonCoverageParts = RefreshParts & { database: Database; signins: Pick<Signins, 'of'> }

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
    if (!known) return bySession ?? 'ended'
    const person = await ask(known)
    if (person === 'removed') return 'ended'
    if (person === 'unavailable' || person === 'refused')
      return bySession ?? (person === 'unavailable' ? person : 'ended')
    return person.allowed
  }
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
function sharedRefresh(parts: PersonCoverageParts): (known: KnownPerson) => Promise<RefreshedPerson> {
  const running = new Map<string, Promise<RefreshedPerson>>()
  const refresh = async (known: KnownPerson) => {
    const person = await refreshPerson(parts, known)
    const tokens = typeof person === 'string' ? undefined : person.tokens
    if (tokens !== undefined)
      await parts.database.transaction(queries => replaceIssuerTokens(queries, known.tokens, tokens))
    return person
  }
  return known => {
    const found = running.get(known.tokens)
    if (found) return found
    const started = refresh(known).finally(() => running.delete(known.tokens))
    running.set(known.tokens, started)
    return started
  }
}
