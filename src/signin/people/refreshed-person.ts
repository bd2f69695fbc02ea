import type { SigninRecord } from '../../store/access/signins.ts'
import { openIssuerTokens, sealIssuerTokens } from './issuer/issuer-tokens.ts'
import { isRefusedAnswer, isUnavailable, logIssuerFailure } from './issuer-failure.ts'
import type { PeopleParts } from './people-parts.ts'
import { completeClaims } from './person/complete-claims.ts'
import { identityOf, subjectHash } from './person/identity.ts'
import { type Allowed, allowedBy } from './person/rules.ts'

export type RefreshParts = Pick<PeopleParts, 'clientOf' | 'issuerTokensKey' | 'secret' | 'log'>

/** The encrypted tokens of a person at an issuer, and the person that they must be about. */
export type KnownPerson = { signin: SigninRecord; tokens: string; subject: string }

/**
 * The projects that the rules permit for a person now, and new tokens if the issuer replaced them. `refused`: the issuer
 * no longer knows the person or their tokens. `removed`: no rule permits anything any more. `unavailable`: it does not
 * answer.
 */
export type RefreshedPerson = { allowed: Allowed; tokens?: string } | 'refused' | 'removed' | 'unavailable'

/** Whether tokens let the service ask the issuer again without the person. */
export async function canRefresh({ issuerTokensKey }: Pick<RefreshParts, 'issuerTokensKey'>, tokens: string) {
  return (await openIssuerTokens(tokens, await issuerTokensKey()))?.refreshToken !== undefined
}

/** Asks the issuer of a person for new claims, and applies the rules of the sign-in to them. */
export async function refreshPerson(parts: RefreshParts, person: KnownPerson): Promise<RefreshedPerson> {
  try {
    return await askIssuer(parts, person)
  } catch (error) {
    const isLate = isUnavailable(error)
    if (!isLate && !(await isRefusedAnswer(error))) throw error
    logIssuerFailure(parts, person.signin, error)
    return isLate ? 'unavailable' : 'refused'
  }
}

async function askIssuer(parts: RefreshParts, { signin, tokens, subject }: KnownPerson): Promise<RefreshedPerson> {
  const key = await parts.issuerTokensKey()
  const known = await openIssuerTokens(tokens, key)
  if (known?.refreshToken === undefined) return 'refused'
  const configuration = await parts.clientOf(signin)
  const { refreshTokenGrant } = await import('openid-client')
  const answer = await refreshTokenGrant(configuration, known.refreshToken)
  const { decodeJwt } = await import('jose')
  const { sub = '' } = decodeJwt(known.idToken)
  const claims = answer.claims() ?? { sub }
  const { issuer, settings } = signin
  if (claims.sub !== sub || subjectHash(issuer, sub, parts.secret) !== subject) return 'refused'
  const complete = await completeClaims(configuration, signin, {
    claims,
    accessToken: answer.access_token,
    subject: sub,
  })
  const { rules } = settings
  const allowed = allowedBy(rules, identityOf(complete, { issuer, isProxy: false, groupsClaim: rules.groupsClaim }))
  if (!allowed.ok) return 'removed'
  const { id_token: idToken = known.idToken, refresh_token: refreshToken = known.refreshToken } = answer
  const isReplaced = refreshToken !== known.refreshToken
  return {
    allowed: allowed.value,
    ...(isReplaced && { tokens: await sealIssuerTokens({ idToken, refreshToken }, key) }),
  }
}
