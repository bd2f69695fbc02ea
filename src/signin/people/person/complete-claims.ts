import type { Configuration } from 'openid-client'
import type { SigninRecord } from '../../../store/access/signins.ts'
import { ForeignAnswer } from '../issuer-failure.ts'
import { type Claims, lacksClaims, verificationOf } from './identity.ts'

/** The verified answer of an issuer about a person. Its ID token may be absent after a refresh. */
export type PersonAnswer = { claims: Claims; accessToken: string; subject: string }

/**
 * Completes the claims of an ID token from the issuer's userinfo, if the rules need more than it has.
 *
 * @throws {ForeignAnswer} if another client requested the token (OpenID Connect Core 1.0 §3.1.3.7), or if it names no
 * person or two
 */
export async function completeClaims(
  configuration: Configuration,
  { settings: { rules } }: SigninRecord,
  { claims, accessToken, subject }: PersonAnswer,
): Promise<Claims> {
  if (subject === '') throw new ForeignAnswer('the answer names no person')
  if (claims.azp !== undefined && claims.azp !== configuration.clientMetadata().client_id)
    throw new ForeignAnswer('another client requested the ID token')
  const needs = { email: rules.emails.length + rules.domains.length > 0, groups: rules.groups.length > 0 }
  const isComplete = !lacksClaims(claims, rules.groupsClaim, needs) || !configuration.serverMetadata().userinfo_endpoint
  if (isComplete) return claims
  const client = await import('openid-client')
  const more = await client.fetchUserInfo(configuration, accessToken, client.skipSubjectCheck)
  if (more.sub !== subject) throw new ForeignAnswer('userinfo is about another person')
  return joinClaims(claims, more)
}

/** The claims of the ID token count first, but an address and its verification come from the same place. */
function joinClaims(claims: Claims, more: Claims): Claims {
  const from = verificationOf(claims) === undefined && more.email !== undefined ? more : claims
  return { ...more, ...claims, email: from.email, email_verified: verificationOf(from), xms_edov: undefined }
}
