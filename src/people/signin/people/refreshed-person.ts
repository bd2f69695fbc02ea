import { isDeepStrictEqual } from 'node:util'
import type { Configuration } from 'openid-client'
import { loadJose } from '#serving/access/keys/jose.ts'
import { endLostRights } from '#serving/access/session/exercised-rights.ts'
import { replaceIssuerTokens } from '#store/access/connections.ts'
import type { SigninRecord } from '#store/access/signins.ts'
import type { RefreshedPerson, SigninContext } from '../context.ts'
import type { Claims } from './groups-claim.ts'
import { type IssuerTokens, openIssuerTokens, sealIssuerTokens } from './issuer-clients.ts'
import { ForeignAnswer, loggedFailure } from './issuer-failure.ts'
import { allowedBy, completeClaims, identityOf, rightsOf, ruleClaims, subjectHash, withLastClaims } from './person.ts'

/** The encrypted tokens of a person at an issuer, and the person that they must be about. */
export type PersonTokens = { signin: SigninRecord; tokens: string; subject: string }

/** Whether tokens let the service ask the issuer again without the person. */
export async function canRefresh({ issuerTokensKey }: SigninContext, tokens: string): Promise<boolean> {
  return (await openIssuerTokens(tokens, await issuerTokensKey()))?.refreshToken !== undefined
}

/**
 * Asks the issuer of a person for new claims, and applies the rules of the sign-in to them. As after a sign-in, answers and
 * links end that the person gave and made with rights that are lost. Only an answer about the person ends the connection of a
 * program. After any other failure, the connection continues as long as the session lasts, and then waits, because an expired
 * client secret must not disconnect everyone.
 */
export async function refreshPerson(context: SigninContext, person: PersonTokens): Promise<RefreshedPerson> {
  try {
    return await askIssuer(context, person)
  } catch (error) {
    const failure = await loggedFailure(context, person.signin, error)
    return failure === 'refused' ? 'issuer-refused' : 'unavailable'
  }
}

/** Asks the issuer; undefined if the tokens have none to ask with. Throws if the issuer fails. */
async function askIssuer(context: SigninContext, person: PersonTokens): Promise<RefreshedPerson> {
  const { signin, tokens } = person
  const earlier = await openIssuerTokens(tokens, await context.issuerTokensKey())
  if (earlier?.refreshToken === undefined) return undefined
  const { idToken, refreshToken, claims: lastClaims } = earlier
  const configuration = await context.clientOf(signin)
  const { answer, newTokens } = await answerAbout(context, person, configuration, { idToken, refreshToken })
  // Stored before anything else can fail, because the issuer may accept the earlier one no more.
  const isSameToken = newTokens.refreshToken === refreshToken
  const storedTokens = isSameToken ? tokens : await replaceTokens(context, tokens, { ...newTokens, claims: lastClaims })
  const { rules } = signin.settings
  const stated = await completeClaims(configuration, signin, answer)
  const known = withLastClaims(stated, lastClaims, rules)
  const claims = ruleClaims(known, rules)
  if (!isDeepStrictEqual(claims, lastClaims)) await replaceTokens(context, storedTokens, { ...newTokens, claims })
  return applyRules(context, person, { stated, known })
}

/** The answer of the issuer to a refresh token, and the tokens to keep of it. Throws if it is about another person. */
async function answerAbout(
  context: SigninContext,
  { signin: { issuer }, subject }: PersonTokens,
  configuration: Configuration,
  earlier: { idToken: string; refreshToken: string },
) {
  const { refreshTokenGrant } = await import('openid-client')
  const answer = await refreshTokenGrant(configuration, earlier.refreshToken)
  const { decodeJwt } = await loadJose()
  // The answer may have no new ID token; the person is that of the earlier one.
  const { sub = '' } = decodeJwt(earlier.idToken)
  const claims = answer.claims() ?? { sub }
  if (claims.sub !== sub || subjectHash(issuer, sub, context.access.identity.shareSecret) !== subject)
    throw new ForeignAnswer('the answer is about another person')
  const { id_token: idToken = earlier.idToken, refresh_token: refreshToken = earlier.refreshToken } = answer
  return {
    answer: { claims, accessToken: answer.access_token, subject: sub },
    newTokens: { idToken, refreshToken },
  }
}

/**
 * Ends what the person did with lost rights. The rules judge the claims that the issuer stated, and those with the last
 * claims, too (`RefreshedPerson`).
 */
async function applyRules(
  { access }: SigninContext,
  { signin, subject }: PersonTokens,
  claims: { stated: Claims; known: Claims },
): Promise<RefreshedPerson> {
  const { id, issuer, workspace, settings } = signin
  const { rules } = settings
  const identityWith = (each: Claims) => identityOf(each, { issuer, isProxy: false, groupsClaim: rules.groupsClaim })
  const stated = allowedBy(rules, identityWith(claims.stated))
  const identity = identityWith(claims.known)
  const known = allowedBy(rules, identity)
  const rights = known.ok ? rightsOf(settings, identity, known.value) : { drafts: false }
  await endLostRights(access, { workspace, signin: id, subject, ...rights })
  return { stated, known }
}

/** Replaces the encrypted tokens of a person in the store, and returns the new ones. */
async function replaceTokens(context: SigninContext, before: string, after: IssuerTokens): Promise<string> {
  const later = await sealIssuerTokens(after, await context.issuerTokensKey())
  await context.access.database.transaction(queries => replaceIssuerTokens(queries, before, later))
  return later
}
