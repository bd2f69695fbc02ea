import { API_PATH, isScope } from '#brand/contract/operations.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { type ClientRecord, listServedClients } from '#store/access/clients.ts'
import { type Coverage, commonProjects } from '#store/access/covered-projects.ts'
import { listRevokedTokens } from '#store/access/tokens.ts'
import { latestChange } from '#store/catalogue/changes.ts'
import { findIn } from '#store/database/damaged-row.ts'
import type { Database } from '#store/database/database.ts'
import type { Audience } from '../context.ts'
import { verificationKeys } from '../keys/keys.ts'
import type { UsedItem } from './grant.ts'
import { type Claims, type Issuer, type ReadOwn, readStringList, type TokenClaims } from './verify.ts'

/** Without a public URL, both are the store's URN, so that tokens from the command line work at every address. */
export function audienceOf(publicUrl: string | undefined, urn: string): Audience {
  if (publicUrl === undefined) return { issuer: urn, audience: urn }
  return { issuer: publicUrl, audience: `${publicUrl}${API_PATH}` }
}

export const CLI_CLIENT = 'cli'

/** Receives the lead in milliseconds of tokens that begin in the future. */
type ReportEarly = (issuer: string, aheadMs: number) => void

/**
 * Makes a function that reads this store as an issuer. It checks one row for changes, and returns the same value until
 * there is one. A standby may lack changes that are known, such as revocations, so an older state is ignored, except if
 * `isReplaced`: then the database is another one, which is read in any case. `clock` returns milliseconds.
 */
export function ownIssuerReader(
  database: Database,
  audience: Audience,
  clock: () => number,
  early?: ReportEarly,
): ReadOwn {
  let latest: { change: number; issuer: Issuer } | undefined
  return async (isReplaced = false) => {
    const change = await latestChange(database)
    if (latest && !isReplaced && change <= latest.change) return latest.issuer
    latest = { change, issuer: await readOwnIssuer(database, audience, new Date(clock()), early) }
    return latest.issuer
  }
}

/**
 * Reads this store as an issuer: its keys, revocations and clients. A token never covers more than its client currently
 * may, and nothing after its client is deleted. A damaged key or client fails only its own tokens.
 */
export async function readOwnIssuer(
  database: Database,
  { issuer, audience }: Audience,
  now: Date,
  early?: ReportEarly,
): Promise<Issuer> {
  const keys = await verificationKeys(database)
  const revoked = await listRevokedTokens(database, now)
  const clientsOf = findIn(
    await listServedClients(database),
    ({ id }) => id,
    ({ id }) => id,
  )
  return {
    issuer,
    audience,
    types: ['at+jwt', 'application/at+jwt'],
    ...(early && { early: aheadMs => early(issuer, aheadMs) }),
    key: (kid, algorithm) => {
      const key = keys.get(kid)
      return key?.algorithm === algorithm ? key : undefined
    },
    readClaims: claimsReader(revoked, clientsOf),
  }
}

/** Makes the function that reads the claims of a token, without scopes and projects that its client lacks. */
function claimsReader(
  revoked: ReadonlySet<string>,
  clientsOf: (id: string) => readonly ClientRecord[],
): Issuer['readClaims'] {
  return claims => {
    const read = readClaims(claims)
    if (!read.ok) return read
    const token = read.value
    if (revoked.has(token.jti)) return failed('revoked')
    const uses = usesOf(token, claims)
    if (token.client === CLI_CLIENT || isProgramAddress(claims)) return ok(grantedClaims(token, uses))
    const [client] = clientsOf(token.client)
    if (!client || client.workspace !== claims.workspace) return failed('client')
    return ok(grantedClaims(restrictedTo(client, token), [...uses, { kind: 'client', id: client.id }]))
  }
}

type OwnToken = Pick<TokenClaims, 'client' | 'jti' | 'scopes'> & Coverage

function grantedClaims({ projects, ...token }: OwnToken, uses: readonly UsedItem[]): TokenClaims {
  if (!projects) return { ...token, uses }
  return { ...token, uses, projects: new Map(projects.map(({ project, instance }) => [project, { instance }])) }
}

function usesOf({ jti }: OwnToken, { connection }: Claims): UsedItem[] {
  const token = { kind: 'token' as const, id: jti }
  return typeof connection === 'string' ? [token, { kind: 'connection', id: connection }] : [token]
}

/** Whether a token is of a program that acts for a person and whose id is the address of its metadata. */
function isProgramAddress({ client_id: client, connection }: Claims): boolean {
  return typeof connection === 'string' && typeof client === 'string' && client.startsWith('https://')
}

/**
 * Reads the claims required by RFC 9068 §2.2, and ours: `workspace`, and optional `projects` with their `instances`.
 * `sub` is the client (§5), or with a `connection` the person.
 */
function readClaims(claims: Claims): Result<OwnToken, 'claims'> {
  const { sub, client_id: client, connection, iat, jti, scope } = claims
  if (typeof client !== 'string' || typeof jti !== 'string' || typeof scope !== 'string') return failed('claims')
  const isSubjectValid =
    connection === undefined ? sub === client : typeof connection === 'string' && typeof sub === 'string'
  if (!isSubjectValid || typeof iat !== 'number' || client === '' || jti === '') return failed('claims')
  const coverage = readCoverage(claims)
  if (!coverage.ok) return coverage
  return ok({ client, jti, scopes: new Set(scope.split(' ').filter(isScope)), ...coverage.value })
}

/** Reads the projects and, at the same places, their instances: `projects: [web]`, `instances: [4f1c…]`. */
function readCoverage({ projects, instances }: Claims): Result<Coverage, 'claims'> {
  if (projects === undefined && instances === undefined) return ok({})
  const projectIds = readStringList(projects)
  const instanceIds = readStringList(instances)
  if (!projectIds || instanceIds?.length !== projectIds.length) return failed('claims')
  return ok({ projects: projectIds.map((project, at) => ({ project, instance: instanceIds[at] ?? '' })) })
}

function restrictedTo({ id, scope, projects }: ClientRecord, token: OwnToken): OwnToken {
  const allowed = scope.split(' ')
  return {
    client: id,
    jti: token.jti,
    scopes: new Set([...token.scopes].filter(each => allowed.includes(each))),
    ...withoutUndefined({ projects: commonProjects(token.projects, projects) }),
  }
}
