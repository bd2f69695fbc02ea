import { type Configuration, errors } from 'oidc-provider'
import { findLiveConnection } from '../../../store/access/connections.ts'
import { countLiveTokensOf } from '../../../store/access/tokens.ts'
import type { Database } from '../../../store/database/database.ts'
import { type Coverage, coverageOf, type PersonCoverage } from './coverage.ts'

export type AccountParts = {
  database: Database
  /** Milliseconds since 1970. */
  clock: () => number
  personCoverage: PersonCoverage
  endConnection: (id: string) => Promise<void>
}

/**
 * Finds the account of an authorization: its connection, so that a program never continues as another person. Checks the
 * person before a code or a refresh token is used up, and notes what they may see. A connection without anything to see
 * ends.
 */
export function accountFinder(
  { database, clock, personCoverage, endConnection }: AccountParts,
  coverages: WeakMap<object, Coverage>,
): NonNullable<Configuration['findAccount']> {
  return async (_context, id, token) => {
    const now = new Date(clock())
    const connection = await findLiveConnection(database, id, now)
    if (!connection) return undefined
    const account = { accountId: id, claims: async () => ({ sub: id }) }
    if (!token) return account
    const isRefresh = token.kind === 'RefreshToken'
    if (isRefresh && (await countLiveTokensOf(database, id, now)) >= MAX_LIVE_TOKENS)
      throw new errors.TemporarilyUnavailable('too many unexpired access tokens: use each until it expires')
    const coverage = await coverageOf(database, personCoverage, connection, { isRefresh, now })
    if (coverage === 'unavailable') throw new errors.TemporarilyUnavailable('the person cannot be checked')
    if (coverage === 'ended') {
      await endConnection(id)
      return undefined
    }
    coverages.set(account, coverage)
    return account
  }
}

const MAX_LIVE_TOKENS = 100
