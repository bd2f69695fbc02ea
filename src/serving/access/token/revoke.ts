import { failed, ok, type Result } from '#platform/base/result.ts'
import { isRecordedRevocation, revokeToken, TOKENS } from '#store/access/tokens.ts'
import type { StateOf } from '#store/database/table.ts'
import { type AccessContext, changeAccess } from '../context.ts'
import { verificationKeys } from '../keys/keys.ts'
import { readUnverified } from './compact-token.ts'
import { MAX_LIFETIME_SECONDS } from './issue.ts'
import { isSigned } from './verify.ts'

/** A token of this store, of which only the id may be known. */
export type IssuedId = { jti: string; expiresAt?: Date }

/** A revoked token, as `housestyle token revoke --json` prints it. */
export type RevokedToken = StateOf<typeof TOKENS> & {
  /** The store did not have the token, or its row was damaged, so it recorded the id. */
  recorded?: true
}

/**
 * Revokes a token in every process. The store may lack it, because it was issued after the restored backup: then its id
 * is recorded until its expiry, or for the longest lifetime of a token. Undefined if too many such ids are recorded.
 */
export async function revokeIssued(
  access: AccessContext,
  issued: IssuedId,
  now: Date,
): Promise<RevokedToken | undefined> {
  const { jti, expiresAt = new Date(now.getTime() + MAX_LIFETIME_SECONDS * 1000) } = issued
  const revoked = await changeAccess(
    access,
    queries => revokeToken(queries, { jti, expiresAt }, now),
    ({ client, workspace }) => ({
      event: 'token-revoked',
      jti,
      client: client || undefined,
      workspace: workspace || undefined,
    }),
  )
  if (!revoked) return undefined
  return { ...TOKENS.stateOf(revoked), ...(isRecordedRevocation(revoked) && { recorded: true as const }) }
}

/** Whether a string can be the id of a token: at most 255 printable characters without spaces. */
export function isTokenId(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text)
}

/** Reads a whole token, which a key of this store must have signed. The problem completes "the token …". */
export async function readIssued({ database }: AccessContext, token: string): Promise<Result<IssuedId, string>> {
  const unverified = readUnverified(token)
  if (!unverified.ok) return failed('is not a complete access token')
  const { header, claims } = unverified.value
  const key = (await verificationKeys(database)).get(header.kid)
  if (key?.algorithm !== header.alg || !(await isSigned(token, header.alg, key.key())))
    return failed(
      'is not signed by a key in use of this store: its services refuse it, unless they trust its issuer, which can revoke it',
    )
  const { jti, exp } = claims
  if (typeof jti !== 'string' || !isTokenId(jti) || typeof exp !== 'number' || !(Math.abs(exp) <= MAX_SECONDS))
    return failed('has no id or no expiry, so services refuse it already')
  return ok({ jti, expiresAt: new Date(Math.ceil(exp) * 1000) })
}

/** The latest time that a `Date` can have, in seconds. */
const MAX_SECONDS = 8.64e12
