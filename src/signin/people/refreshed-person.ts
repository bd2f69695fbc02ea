import { loadJose } from '../../access/keys/jose.ts'
import type { SigninRecord } from '../../store/access/signins.ts'
import { openIssuerTokens, sealIssuerTokens } from './issuer/issuer-tokens.ts'
import { issuerFailure, logIssuerFailure } from './issuer-failure.ts'
import type { PeopleParts } from './people-parts.ts'
import { completeClaims } from './person/complete-claims.ts'
import { identityOf, subjectHash } from './person/identity.ts'
import { type Allowed, allowedBy } from './person/rules.ts'
import { ForeignAnswer } from './redirect-path.ts'

export type RefreshParts = Pick<PeopleParts, 'clientOf' | 'issuerTokensKey' | 'secret' | 'log'> & {
  /** Replaces encrypted tokens in the store. */
  replaceTokens: (before: string, after: string) => Promise<void>
}

/** The encrypted tokens of a person at an issuer, and the person that they must be about. */
export type KnownPerson = { signin: SigninRecord; tokens: string; subject: string }

/**
 * The projects that the rules permit for a person now. `ended`: the issuer refused the tokens or names another person, or
 * no rule permits anything any more. `unavailable`: the issuer cannot say. Undefined if the tokens cannot be decrypted.
 */
export type RefreshedPerson = Allowed | 'ended' | 'unavailable' | undefined

/** Whether tokens let the service ask the issuer again without the person. */
export async function canRefresh({ issuerTokensKey }: Pick<RefreshParts, 'issuerTokensKey'>, tokens: string) {
  return (await openIssuerTokens(tokens, await issuerTokensKey()))?.refreshToken !== undefined
}

/** Asks the issuer of a person for new claims, and applies the rules of the sign-in to them. */
export async function refreshPerson(parts: RefreshParts, person: KnownPerson): Promise<RefreshedPerson> {
  try {
    return await askIssuer(parts, person)
  } catch (error) {
    const failure = await issuerFailure(error)
    if (failure === undefined) throw error
    logIssuerFailure(parts, person.signin, error)
    return failure === 'refused' ? 'ended' : 'unavailable'
  }
}

async function askIssuer(parts: RefreshParts, { signin, tokens, subject }: KnownPerson): Promise<RefreshedPerson> {
  const key = await parts.issuerTokensKey()
  const known = await openIssuerTokens(tokens, key)
  if (known?.refreshToken === undefined) return undefined
  const configuration = await parts.clientOf(signin)
  const { refreshTokenGrant } = await import('openid-client')
  const answer = await refreshTokenGrant(configuration, known.refreshToken)
  const { decodeJwt } = await loadJose()
  const { sub = '' } = decodeJwt(known.idToken)
  const claims = answer.claims() ?? { sub }
  const { issuer, settings } = signin
  if (claims.sub !== sub || subjectHash(issuer, sub, parts.secret) !== subject)
    throw new ForeignAnswer('the answer is about another person')
  const { id_token: idToken = known.idToken, refresh_token: refreshToken = known.refreshToken } = answer
  // Kept before anything else can fail, because the issuer may accept the earlier one no more.
  if (refreshToken !== known.refreshToken)
    await parts.replaceTokens(tokens, await sealIssuerTokens({ idToken, refreshToken }, key))
  const accessToken = answer.access_token
  const complete = await completeClaims(configuration, signin, { claims, accessToken, subject: sub })
  const { rules } = settings
  const allowed = allowedBy(rules, identityOf(complete, { issuer, isProxy: false, groupsClaim: rules.groupsClaim }))
  return allowed.ok ? allowed.value : 'ended'
}
