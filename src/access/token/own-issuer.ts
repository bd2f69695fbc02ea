import { isScope } from '../../contract/operations.ts'
import { type ClientRecord, listClients } from '../../store/access/clients.ts'
import { revokedTokens } from '../../store/access/tokens.ts'
import type { ProjectInstance } from '../../store/catalogue/catalogue.ts'
import { latestChange } from '../../store/catalogue/changes.ts'
import type { Database } from '../../store/database/database.ts'
import { verificationKeys } from '../keys/signing.ts'
import type { Audience } from './audience.ts'
import type { Refused } from './compact-token.ts'
import type { Named } from './grant.ts'
import { type Claims, type Issuer, type TokenClaims, textList } from './issuer.ts'

/** The client of tokens that the command line issues. */
export const CLI_CLIENT = 'cli'

/**
 * Reads this store as an issuer; where nothing has changed since the last reading, which takes one row to find out, gives
 * the same value again. `clock` gives milliseconds.
 */
export function ownIssuerReader(database: Database, audience: Audience, clock: () => number): () => Promise<Issuer> {
  let known: { change: number; issuer: Issuer } | undefined
  return async () => {
    const change = await latestChange(database)
    if (known?.change === change) return known.issuer
    known = { change, issuer: await readOwnIssuer(database, audience, new Date(clock())) }
    return known.issuer
  }
}

/**
 * This store as an issuer, as it stands now: its keys, what was revoked, and what its clients may have. A token never
 * covers more than its client does today, and nothing once its client is deleted.
 */
export async function readOwnIssuer(database: Database, { issuer, audience }: Audience, now: Date): Promise<Issuer> {
  const keys = await verificationKeys(database)
  const revoked = await revokedTokens(database, now)
  const clients = new Map((await listClients(database)).map(client => [client.id, client]))
  return {
    issuer,
    audience,
    types: ['at+jwt', 'application/at+jwt'],
    key: (kid, algorithm) => {
      const key = keys.get(kid)
      return key?.algorithm === algorithm ? key : undefined
    },
    read: claims => {
      const said = readClaims(claims)
      if (!said) return { reason: 'claims' }
      if (revoked.has(said.jti)) return { reason: 'revoked' }
      return said.client === CLI_CLIENT ? said : within(said, claims, clients.get(said.client))
    },
  }
}

/**
 * The claims that RFC 9068 §2.2 requires, and ours: `workspace`, and optional `projects` with their `instances`, which
 * tokens of earlier versions lack; `sub` is the client (§5).
 */
function readClaims({ sub, client_id: client, iat, jti, scope, projects, instances }: Claims): TokenClaims | undefined {
  if (typeof client !== 'string' || typeof jti !== 'string' || typeof scope !== 'string') return undefined
  if (sub !== client || typeof iat !== 'number' || client === '' || jti === '') return undefined
  const said = { client, jti, scopes: scope.split(' ').filter(isScope) }
  if (projects === undefined) return instances === undefined ? said : undefined
  const listed = textList(projects)
  const told = instances === undefined ? listed?.map(() => '') : textList(instances)
  if (!listed || told?.length !== listed.length) return undefined
  return { ...said, projects: new Map(listed.map((project, at) => [project, { instance: told[at] ?? '' }])) }
}

function within(said: TokenClaims, claims: Claims, client: ClientRecord | undefined): TokenClaims | Refused {
  if (!client || client.workspace !== claims.workspace) return { reason: 'client' }
  const allowed = client.scope.split(' ')
  const scopes = said.scopes.filter(scope => allowed.includes(scope))
  const projects = both(said.projects, client.projects)
  return { client: said.client, jti: said.jti, scopes, ...(projects && { projects }) }
}

/** The projects that a token and its client have in common, where none at all stands for all. */
function both(said: TokenClaims['projects'], allowed: readonly ProjectInstance[] | undefined): TokenClaims['projects'] {
  if (!allowed) return said
  const instances = new Map(allowed.map(({ project, instance }) => [project, { instance }]))
  const isAllowed = (id: string, named: Named) => 'instance' in named && named.instance === instances.get(id)?.instance
  return said ? new Map([...said].filter(([id, named]) => isAllowed(id, named))) : instances
}
